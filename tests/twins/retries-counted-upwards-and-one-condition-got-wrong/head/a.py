"""The blocking half of the API client."""

import time

import web
from api_errors import ConnectionFailed, RequestTimedOut, StatusError


class Client:
    """Sends requests and tries again where that may help."""

    max_retries = 2

    def __init__(self, base_url, key, timeout=600.0):
        self.base_url = base_url
        self.key = key
        self.http = web.Client(timeout=timeout)

    def request(self, kind, options, taken=0):
        """The decoded reply; raises what the last attempt raised."""
        remaining = options.max_retries(self.max_retries) - taken
        request = self.build(options)
        try:
            reply = self.http.send(request, stream=options.stream)
        except web.Timeout as error:
            if remaining > 0:
                return self.request_again(kind, options, taken, None)
            raise RequestTimedOut(request) from error
        except web.TransportError as error:
            if remaining > 0:
                return self.request_again(kind, options, taken, None)
            raise ConnectionFailed(request) from error
        if reply.status_code >= 400:
            if remaining > 0 and self.worth_another_try(reply):
                reply.close()
                return self.request_again(kind, options, taken, reply.headers)
            reply.read()
            raise StatusError(reply)
        return kind.of(reply)

    def request_again(self, kind, options, taken, headers):
        time.sleep(self.pause(taken, headers))
        return self.request(kind, options, taken + 1)

    def worth_another_try(self, reply):
        told = reply.headers.get("x-should-retry")
        if told is not None:
            return told == "true"
        return reply.status_code in (408, 409, 429) or reply.status_code >= 500

    def pause(self, taken, headers):
        if headers is not None and "retry-after" in headers:
            return min(float(headers["retry-after"]), 60.0)
        return min(0.5 * 2.0**taken, 8.0)

    def build(self, options):
        headers = {"Authorization": f"Bearer {self.key}", **options.headers}
        return web.Request(options.method, self.base_url + options.path, headers=headers, json=options.body)
