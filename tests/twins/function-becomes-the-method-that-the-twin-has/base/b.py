"""Chat through a router of providers, from an event loop."""

import router
from chat_messages import aresult_of, as_dicts, chunk_of, result_of
from chat_retries import retrying


async def completion_with_retry(chat, manager=None, **options):
    """The completion, tried again as often as the chat allows."""
    retry = retrying(chat, manager=manager)

    @retry
    async def completion(**options):
        return await chat.client.completion(**options)

    return await completion(**options)


class AsyncChat:
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

    async def stream(self, messages, stop=None, manager=None, **options):
        params = {**self.defaults(), **options, "stop": stop, "stream": True}
        async for piece in await completion_with_retry(self, manager=manager, messages=as_dicts(messages), **params):
            chunk = chunk_of(piece)
            if chunk is None:
                continue
            if manager is not None:
                await manager.on_new_token(chunk.text)
            yield chunk

    async def generate(self, messages, stop=None, manager=None, stream=None, **options):
        if stream if stream is not None else self.streaming:
            return await aresult_of(self.stream(messages, stop, manager, **options))
        params = {**self.defaults(), **options, "stop": stop}
        reply = await completion_with_retry(self, manager=manager, messages=as_dicts(messages), **params)
        self.last_usage = reply.get("usage")
        return result_of(reply)
