"""A client for text models, blocking."""

import os
from concurrent.futures import ThreadPoolExecutor

import plainweb
from text_errors import ApiFailure, ConnectionFailure, NotJson
from text_replies import Embeddings, Generations

BASE = "https://models.invalid"


class Client:
    """Generates, embeds, and checks its key on the way."""

    def __init__(self, key=None, threads=64, max_retries=3, timeout=120, check_key=True):
        self.key = key or os.environ.get("MODEL_KEY")
        self.base = os.environ.get("MODEL_BASE", BASE)
        self.max_retries = max_retries
        self.timeout = timeout
        self.batch_size = 96
        self.executor = ThreadPoolExecutor(threads)
        if check_key:
            self.check_key()

    def headers(self):
        return {"Authorization": f"BEARER {self.key}", "Content-Type": "application/json", "Source": "sdk"}

    def request(self, path, body=None, method="POST", stream=False):
        """The decoded reply; raises ApiFailure where the server refuses."""
        url = f"{self.base}/{path}"
        with plainweb.Session() as session:
            session.mount(plainweb.Retries(total=self.max_retries, backoff=0.5, statuses=(429, 500, 502, 503, 504)))
            try:
                response = session.request(
                    method, url, headers=self.headers(), json=body, timeout=self.timeout, stream=stream
                )
            except plainweb.ConnectionError as error:
                raise ConnectionFailure(str(error)) from error
        if stream:
            return response
        try:
            decoded = response.json()
        except ValueError as error:
            raise NotJson(response.text) from error
        self.check(decoded, response.headers, response.status_code)
        return decoded

    def check(self, decoded, headers, status):
        if headers.get("X-API-Warning"):
            self.log.warning(headers["X-API-Warning"])
        if "message" in decoded:
            raise ApiFailure(decoded["message"], status, headers)
        if 400 <= status < 500:
            raise ApiFailure(f"unexpected reply {status}: {decoded}", status, headers)

    def check_key(self):
        return self.request("check-api-key")

    def generate(self, prompt, model=None, most_tokens=None, temperature=None, stream=False):
        body = {"prompt": prompt, "model": model, "max_tokens": most_tokens, "temperature": temperature}
        reply = self.request("generate", body, stream=stream)
        return Generations.of(reply)

    def embed(self, texts, model=None, truncate=None):
        parts = [texts[start : start + self.batch_size] for start in range(0, len(texts), self.batch_size)]
        bodies = [{"model": model, "texts": part, "truncate": truncate} for part in parts]
        replies = self.executor.map(lambda body: self.request("embed", body), bodies)
        return Embeddings([each for reply in replies for each in reply["embeddings"]])
