"""Chat through a router of providers, blocking."""

import router
from chat_messages import as_dicts, chunk_of, result_of
from chat_retries import retrying


class BlockingChat:
    """One model behind the router."""

    def __init__(self, model, client=None, temperature=None, max_retries=1, streaming=False, verbose=False):
        self.client = client or router
        self.model = model
        self.temperature = temperature
        self.max_retries = max_retries
        self.streaming = streaming
        self.verbose = verbose
        self.last_usage = None

    def defaults(self):
        defaults = {"model": self.model, "stream": self.streaming}
        if self.temperature is not None:
            defaults["temperature"] = self.temperature
        return defaults

    def completion_with_retry(self, manager=None, **options):
        """The completion, tried again as often as the chat allows."""
        retry = retrying(self, manager=manager)

        @retry
        def completion(**options):
            return self.client.completion(**options)

        return completion(**options)

    def stream(self, messages, stop=None, manager=None, **options):
        params = {**self.defaults(), **options, "stop": stop, "stream": True}
        for piece in self.completion_with_retry(manager=manager, messages=as_dicts(messages), **params):
            chunk = chunk_of(piece)
            if chunk is None:
                continue
            if manager is not None:
                manager.on_new_token(chunk.text)
            yield chunk

    def generate(self, messages, stop=None, manager=None, stream=None, **options):
        if stream if stream is not None else self.streaming:
            return result_of(self.stream(messages, stop, manager, **options))
        params = {**self.defaults(), **options, "stop": stop}
        reply = self.completion_with_retry(manager=manager, messages=as_dicts(messages), **params)
        self.last_usage = reply.get("usage")
        return result_of(reply)
