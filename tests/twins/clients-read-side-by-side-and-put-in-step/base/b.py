"""A client for event loops."""

import time
import warnings
from contextlib import asynccontextmanager

from web_auth import build_auth
from web_base import DEFAULT, BaseClient, TooManyRedirects, build_redirect
from web_transport import AsyncTransport


class AsyncClient(BaseClient):
    """Keeps connections, cookies and settings from one request to the next."""

    def __init__(self, auth=None, cookies=None, timeout=5.0, follow_redirects=False, transport=None, hooks=None):
        super().__init__(auth=auth, cookies=cookies, timeout=timeout, follow_redirects=follow_redirects, hooks=hooks)
        self.transport = transport or AsyncTransport()

    async def request(self, method, url, content=None, params=None, headers=None, cookies=None, auth=DEFAULT,
                      follow_redirects=DEFAULT, timeout=DEFAULT):
        """Builds and sends a request."""
        request = self.build_request(
            method, url, content=content, params=params, headers=headers, cookies=cookies, timeout=timeout
        )
        response = await self.send(request, auth=auth, follow_redirects=follow_redirects)
        return response

    @asynccontextmanager
    async def stream(self, method, url, **options):
        request = self.build_request(method, url, **options)
        response = await self.send(request, stream=True)
        yield response
        await response.aclose()

    async def send(self, request, stream=False, auth=DEFAULT, follow_redirects=DEFAULT):
        if self.is_closed:
            raise RuntimeError("the client is closed")
        follow = self.follow_redirects if follow_redirects is DEFAULT else follow_redirects
        response = await self.send_with_auth(request, build_auth(self, request, auth), follow)
        try:
            if not stream:
                await response.aread()
            return response
        except BaseException:
            await response.aclose()
            raise

    async def send_with_auth(self, request, auth, follow):
        flow = auth.async_flow(request)
        request = await anext(flow)
        while True:
            response = await self.send_with_redirects(request, follow)
            try:
                request = await flow.asend(response)
            except StopAsyncIteration:
                return response
            await response.aread()

    async def send_with_redirects(self, request, follow):
        history = []
        while True:
            if len(history) > self.most_redirects:
                raise TooManyRedirects(request)
            for hook in self.hooks["request"]:
                await hook(request)
            response = await self.send_once(request)
            for hook in self.hooks["response"]:
                await hook(response)
            response.history = list(history)
            if not response.has_redirect:
                return response
            request = build_redirect(request, response)
            history = history + [response]
            if not follow:
                response.next_request = request
                return response
            await response.aread()

    async def send_once(self, request):
        begun = time.perf_counter()
        response = await self.transport.handle(request)
        response.elapsed = time.perf_counter() - begun
        self.cookies.extract(response)
        return response
