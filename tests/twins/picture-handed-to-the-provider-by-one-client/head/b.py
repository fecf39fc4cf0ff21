"""Chat with whichever provider works, without blocking."""

import random
import string
import time

from client_types import Chunk, Completion, Picture
from providers import best_provider, NoPicture
from stops import find_stop


async def read_pieces(pieces, stop=None, max_tokens=None, stream=False):
    """Chunks of an answer that comes in pieces, and the whole of it at the end."""
    content = ""
    reason = None
    number = "chat-" + "".join(random.choices(string.ascii_letters, k=28))
    count = 0
    async for piece in pieces:
        content += str(piece)
        count += 1
        if max_tokens is not None and count >= max_tokens:
            reason = "length"
        where, content, piece = find_stop(stop, content, piece if stream else None)
        if where != -1:
            reason = "stop"
        if stream:
            yield Chunk(piece, None, number, int(time.time()))
        if reason is not None:
            break
    reason = reason or "stop"
    if stream:
        yield Chunk(None, reason, number, int(time.time()))
    else:
        yield Completion(content, reason, number, int(time.time()))


class AsyncChat:
    """Conversations of one client."""

    def __init__(self, client, provider=None):
        self.client = client
        self.provider = provider

    def create(
        self, messages, model, provider=None, stream=False, proxy=None, max_tokens=None, stop=None, ignored=None, **extra
    ):
        model, provider = best_provider(model, provider or self.provider, stream, ignored)
        stop = [stop] if isinstance(stop, str) else stop
        pieces = provider.create_async_generator(
            model,
            messages,
            stream=stream,
            proxy=proxy or self.client.proxy,
            max_tokens=max_tokens,
            stop=stop,
            **extra,
        )
        reply = read_pieces(pieces, stop, max_tokens, stream)
        return reply if stream else anext(reply)


class AsyncPictures:
    """Pictures of one client."""

    def __init__(self, client, provider=None):
        self.client = client
        self.provider = provider

    async def generate(self, prompt, model=None, **extra):
        model, provider = best_provider(model, self.provider, False)
        messages = [{"role": "user", "content": f"draw {prompt}"}]
        async for piece in provider.create_async_generator(model, messages, proxy=self.client.proxy, **extra):
            if isinstance(piece, Picture):
                return piece
        raise NoPicture(prompt)
