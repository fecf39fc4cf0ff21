"""Reports failures of applications that block."""

import sys

from report_core import capture, continued_transaction, current_hub, exception_event
from report_requests import RequestData, client_address, filtered, url_of
from report_settings import sends_personal_data

SOURCE_STYLES = ("endpoint", "url")


class BlockingMiddleware:
    """Wraps an application: a scope and a transaction for each request."""

    def __init__(self, app, use_forwarded=False, style="endpoint"):
        if style not in SOURCE_STYLES:
            raise ValueError(f"style must be one of {SOURCE_STYLES}, not {style!r}")
        self.app = app
        self.use_forwarded = use_forwarded
        self.style = style

    def __call__(self, environ, start_response):
        hub = current_hub()
        if hub.in_middleware.get(False):
            return self.app(environ, start_response)
        token = hub.in_middleware.set(True)
        try:
            with hub.scope() as scope:
                scope.clear_breadcrumbs()
                scope.name = "blocking"
                scope.add_processor(self.processor(environ))
                transaction = continued_transaction(filtered(environ), op="http.server")
                transaction.set_tag("style", "blocking")
                with hub.start(transaction, sampling={"environ": environ}):
                    try:
                        return self.app(environ, start_response)
                    except Exception as error:
                        self.capture(hub, error)
                        raise
        finally:
            hub.in_middleware.reset(token)

    def capture(self, hub, error):
        event, hint = exception_event(error, mechanism={"type": "blocking", "handled": False})
        hub.capture(event, hint=hint)

    def processor(self, environ):
        def process(event, hint):
            request = event.setdefault("request", {})
            request["method"] = environ.get("REQUEST_METHOD")
            request["headers"] = filtered(environ)
            request["url"] = url_of(environ, self.use_forwarded)
            request["query"] = environ.get("QUERY_STRING")
            address = client_address(environ)
            if address and sends_personal_data():
                request["env"] = {"REMOTE_ADDR": address}
            if not event.get("transaction"):
                event["transaction"] = environ.get("PATH_INFO") or "unknown request"
            return event

        return process
