"""Sends to one peer."""

from relay import channel, wire


class Server:
    def drop(self, peer):
        if peer is not None:
            self._channel_of(peer).close()
            del self.channels[peer]
        else:
            self.channels = {}

    def hello(self, peer):
        return channel.greeting(peer, wire.VERSION)
