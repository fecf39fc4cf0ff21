"""A client for text models, on an event loop."""

import asyncio
import os

import aioweb
from text_errors import ApiFailure, ConnectionFailure, NotJson
from text_replies import Embeddings, Generations

BASE = "https://models.invalid"


class AsyncClient:
    """Generates, embeds, and checks its key when it is entered."""

    def __init__(self, key=None, at_once=64, max_retries=3, timeout=120, check_key=True):
        self.key = key or os.environ.get("MODEL_KEY")
        self.base = os.environ.get("MODEL_BASE", BASE)
        self.max_retries = max_retries
        self.timeout = timeout
        self.batch_size = 96
        self.slots = asyncio.Semaphore(at_once)
        self.check_on_enter = check_key
        self.session = None

    def headers(self):
        return {"Authorization": f"BEARER {self.key}", "Content-Type": "application/json", "Source": "sdk"}

    async def request(self, path, body=None, method="POST", stream=False):
        """The decoded reply; raises ApiFailure where the server refuses."""
        url = f"{self.base}/{path}"
        session = await self.open()
        async with self.slots:
            try:
                response = await session.request(
                    method, url, headers=self.headers(), json=body, timeout=self.timeout
                )
            except aioweb.ClientConnectionError as error:
                raise ConnectionFailure(str(error)) from error
        if stream:
            return response
        try:
            decoded = await response.json()
        except ValueError as error:
            raise NotJson(await response.text()) from error
        self.check(decoded, response.headers, response.status)
        return decoded

    async def open(self):
        if self.session is None:
            retries = aioweb.Retries(total=self.max_retries, factor=2.0, statuses=(429, 500, 502, 503, 504))
            self.session = aioweb.Session(retries=retries)
        return self.session

    def check(self, decoded, headers, status):
        if headers.get("X-API-Warning"):
            self.log.warning(headers["X-API-Warning"])
        if "message" in decoded:
            raise ApiFailure(decoded["message"], status, headers)
        if 400 <= status < 500:
            raise ApiFailure(f"unexpected reply {status}: {decoded}", status, headers)

    async def check_key(self):
        return await self.request("check-api-key")

    async def generate(self, prompt, model=None, most_tokens=None, temperature=None, stream=False):
        body = {"prompt": prompt, "model": model, "max_tokens": most_tokens, "temperature": temperature}
        reply = await self.request("generate", body, stream=stream)
        return Generations.of(reply)

    async def embed(self, texts, model=None, truncate=None):
        parts = [texts[start : start + self.batch_size] for start in range(0, len(texts), self.batch_size)]
        bodies = [{"model": model, "texts": part, "truncate": truncate} for part in parts]
        replies = await asyncio.gather(*(self.request("embed", body) for body in bodies))
        return Embeddings([each for reply in replies for each in reply["embeddings"]])

    async def __aenter__(self):
        if self.check_on_enter:
            await self.check_key()
        return self

    async def __aexit__(self, kind, error, trace):
        if self.session is not None:
            await self.session.close()
