"""Reports failures of applications on an event loop."""

import inspect

from report_core import capture, continued_transaction, current_hub, exception_event
from report_requests import RequestData, client_address, filtered, url_of
from report_settings import sends_personal_data

SOURCE_STYLES = ("endpoint", "url")


class LoopMiddleware:
    """Wraps an application: a scope and a transaction for each request."""

    def __init__(self, app, use_forwarded=False, style="endpoint"):
        if style not in SOURCE_STYLES:
            raise ValueError(f"style must be one of {SOURCE_STYLES}, not {style!r}")
        self.app = app
        self.use_forwarded = use_forwarded
        self.style = style

    async def __call__(self, environ, receive, send):
        hub = current_hub()
        if hub.in_middleware.get(False):
            return await self.app(environ, receive, send)
        token = hub.in_middleware.set(True)
        try:
            with hub.scope() as scope:
                scope.clear_breadcrumbs()
                scope.name = "loop"
                scope.add_processor(self.processor(environ))
                kind = environ["type"]
                headers = filtered(environ)
                transaction = continued_transaction(headers, op=f"{kind}.server")
                transaction.set_tag("style", "loop")
                with hub.start(transaction, sampling={"environ": environ}):
                    try:
                        return await self.app(environ, receive, send)
                    except Exception as error:
                        self.capture(hub, error)
                        raise
        finally:
            hub.in_middleware.reset(token)

    def capture(self, hub, error):
        event, hint = exception_event(error, mechanism={"type": "loop", "handled": False})
        hub.capture(event, hint=hint)

    def processor(self, environ):
        def process(event, hint):
            self.fill_request(event.setdefault("request", {}), environ)
            if event.get("transaction"):
                return event
            event["transaction"] = environ.get("path") or "unknown request"
            return event

        return process

    def fill_request(self, request, environ):
        """Puts what is known of the request into the event's part for it."""
        if environ["type"] in ("http", "websocket"):
            request["method"] = environ.get("method")
            request["headers"] = filtered(environ)
            request["url"] = url_of(environ, self.use_forwarded)
            request["query"] = environ.get("query_string")
        address = client_address(environ)
        if address and sends_personal_data():
            request["env"] = {"REMOTE_ADDR": address}
