"""Messages of a topic, blocking."""

import logging

from topic_messages import Binary, Closed, Heartbeat, SubscriptionItem, Text, Trouble, trouble_of

log = logging.getLogger(__name__)


class Subscription:
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

    def __iter__(self):
        return self

    def __next__(self):
        item = self.item()
        if item is None:
            raise StopIteration
        return item

    def item(self):
        """The next message, or what went wrong; None when the topic is closed."""
        while True:
            try:
                raw = next(self.stream)
            except Closed:
                log.debug("the topic %s was closed", self.topic)
                return None
            except Trouble as error:
                log.warning("trouble with %s: %s", self.topic, error)
                return trouble_of(error)
            kind = raw.kind
            if kind == "heartbeat":
                log.debug("the topic %s lives", self.topic)
                continue
            if kind == "gap":
                log.info("messages of %s were lost", self.topic)
                self.last_number = raw.number
                continue
            if kind == "item":
                self.last_number = raw.number
                if raw.is_text:
                    return Text(raw.value, raw.number)
                return Binary(raw.value, raw.number)
            log.warning("unknown kind of message: %s", kind)

    def unsubscribe(self):
        self.stream.cancel()
