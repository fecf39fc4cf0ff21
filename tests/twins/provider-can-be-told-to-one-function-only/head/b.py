"""Asks a language model, whoever hosts it, without blocking."""

import asyncio
import time

from budgets import within_budget
from caches import cached
from hosts import host_of, host_params
from replies import ModelReply


async def acomplete(
    model,
    messages,
    temperature=None,
    top_p=None,
    stop=None,
    max_tokens=None,
    stream=False,
    api_base=None,
    api_key=None,
    timeout=None,
    **extra,
):
    """The model's reply, or its pieces with `stream`."""
    begun = time.monotonic()
    options = {
        "temperature": temperature,
        "top_p": top_p,
        "stop": stop,
        "max_tokens": max_tokens,
    }
    model, host, key, base = host_of(model, api_base=api_base, api_key=api_key)
    params = host_params(host, model, options)
    if not within_budget(model, messages):
        raise RuntimeError(f"the budget for {model} is spent")
    known = cached(model, messages, params)
    if known is not None and not stream:
        return known
    reply = await host.apost(
        base,
        key,
        model=model,
        messages=messages,
        timeout=timeout or host.default_timeout,
        stream=stream,
        **params,
        **extra,
    )
    if stream:
        return apieces(reply, model, begun)
    return ModelReply.of(reply, model=model, seconds=time.monotonic() - begun)


async def apieces(reply, model, begun):
    index = 0
    async for chunk in reply:
        if chunk.is_empty and index:
            continue
        index += 1
        yield ModelReply.of_chunk(chunk, model=model, seconds=time.monotonic() - begun)


async def acomplete_many(model, conversations, **options):
    return await asyncio.gather(*(acomplete(model, messages, **options) for messages in conversations))
