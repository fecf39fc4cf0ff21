"""Sends to one peer."""

from relay import async_channel, wire


class AsyncServer:
    async def drop(self, peer):
        if peer is not None:
            channel = self._channel_of(peer)
            await channel.close()
            del self.channels[peer]
        else:
            self.channels = {}

    async def hello(self, peer):
        return async_channel.greeting(peer, wire.VERSION)
