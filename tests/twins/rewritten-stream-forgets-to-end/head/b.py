"""Messages of a topic, from an event loop."""

import logging

from topic_messages import Binary, Closed, Heartbeat, SubscriptionItem, Text, Trouble, trouble_of

log = logging.getLogger(__name__)


class AsyncSubscription:
    """Iterates over what is published; ends when the topic is closed."""

    def __init__(self, cache, topic, stub, deadline=None):
        self.cache = cache
        self.topic = topic
        self.stub = stub
        self.deadline = deadline
        self.last_number = 0
        self.stream = None
        self.connect()

    def connect(self):
        request = {"cache": self.cache, "topic": self.topic, "resume_at": self.last_number}
        self.stream = self.stub.Subscribe(request, timeout=self.deadline)

    def __aiter__(self):
        return self

    async def __anext__(self):
        item = await self.item()
        if item is None:
            raise StopAsyncIteration
        return item

    async def item(self):
        """The next message, or what went wrong; None when the topic is closed."""
        while True:
            try:
                raw = await anext(self.stream)
            except Closed:
                log.debug("the topic %s was closed", self.topic)
            except Trouble as error:
                log.warning("trouble with %s: %s", self.topic, error)
                return trouble_of(error)
            else:
                message = self.message_of(raw)
                if message is not None:
                    return message

    def message_of(self, raw):
        """The message in what came; None where there is none in it."""
        kind = raw.kind
        if kind == "heartbeat":
            log.debug("the topic %s lives", self.topic)
            return None
        if kind == "gap":
            log.info("messages of %s were lost", self.topic)
            self.last_number = raw.number
            return None
        if kind == "item":
            self.last_number = raw.number
            if raw.is_text:
                return Text(raw.value, raw.number)
            return Binary(raw.value, raw.number)
        log.warning("unknown kind of message: %s", kind)
        return None

    def unsubscribe(self):
        self.stream.cancel()
