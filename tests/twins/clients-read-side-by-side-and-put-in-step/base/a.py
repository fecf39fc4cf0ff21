"""A client that blocks."""

import time
import warnings
from contextlib import contextmanager

from web_auth import build_auth
from web_base import DEFAULT, BaseClient, TooManyRedirects, build_redirect
from web_transport import Transport


class Client(BaseClient):
    """Keeps connections, cookies and settings from one request to the next.

    May be shared between threads.
    """

    def __init__(self, auth=None, cookies=None, timeout=5.0, follow_redirects=False, transport=None, hooks=None):
        super().__init__(auth=auth, cookies=cookies, timeout=timeout, follow_redirects=follow_redirects, hooks=hooks)
        self.transport = transport or Transport()

    def request(self, method, url, content=None, params=None, headers=None, cookies=None, auth=DEFAULT,
                follow_redirects=DEFAULT, timeout=DEFAULT):
        """Builds and sends a request."""
        if cookies is not None:
            message = "cookies of one request are going away; set them on the client"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
        request = self.build_request(
            method, url, content=content, params=params, headers=headers, cookies=cookies, timeout=timeout
        )
        return self.send(request, auth=auth, follow_redirects=follow_redirects)

    @contextmanager
    def stream(self, method, url, **options):
        request = self.build_request(method, url, **options)
        response = self.send(request, stream=True)
        try:
            yield response
        finally:
            response.close()

    def send(self, request, stream=False, auth=DEFAULT, follow_redirects=DEFAULT):
        if self.is_closed:
            raise RuntimeError("the client is closed")
        follow = self.follow_redirects if follow_redirects is DEFAULT else follow_redirects
        response = self.send_with_auth(request, build_auth(self, request, auth), follow)
        try:
            if not stream:
                response.read()
            return response
        except BaseException:
            response.close()
            raise

    def send_with_auth(self, request, auth, follow):
        flow = auth.sync_flow(request)
        request = next(flow)
        while True:
            response = self.send_with_redirects(request, follow)
            try:
                request = flow.send(response)
            except StopIteration:
                return response
            response.read()

    def send_with_redirects(self, request, follow):
        history = []
        while True:
            if len(history) > self.most_redirects:
                raise TooManyRedirects(request)
            for hook in self.hooks["request"]:
                hook(request)
            response = self.send_once(request)
            for hook in self.hooks["response"]:
                hook(response)
            response.history = list(history)
            if not response.has_redirect:
                return response
            request = build_redirect(request, response)
            history.append(response)
            if not follow:
                response.next_request = request
                return response
            response.read()

    def send_once(self, request):
        begun = time.perf_counter()
        response = self.transport.handle(request)
        response.elapsed = time.perf_counter() - begun
        self.cookies.extract(response)
        return response
