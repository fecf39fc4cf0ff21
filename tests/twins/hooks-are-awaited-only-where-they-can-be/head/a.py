"""Spans around blocking requests."""

from span_parts import ERROR, OK, attributes_of, inject, metric_attributes, stopwatch, tracer_of


class TracedTransport:
    """A transport that opens a span for each request."""

    def __init__(self, inner, provider=None, meter=None, request_hook=None, response_hook=None, excluded=()):
        self.inner = inner
        self.tracer = tracer_of(__name__, provider)
        self.duration = meter.histogram("client.duration") if meter else None
        self.request_hook = request_hook
        self.response_hook = response_hook
        self.excluded = excluded

    def handle_request(self, request):
        """The inner transport's response."""
        if any(each in str(request.url) for each in self.excluded):
            return self.inner.handle_request(request)
        attributes = attributes_of(request)
        error = None
        with self.tracer.span(request.method, kind="client", attributes=attributes) as span:
            if callable(self.request_hook):
                self.request_hook(span, request)
            inject(request.headers)
            with stopwatch() as elapsed:
                try:
                    response = self.inner.handle_request(request)
                except Exception as raised:
                    error = raised
                    response = getattr(raised, "response", None)
            if response is not None:
                span.set_attribute("http.status", response.status)
                span.set_status(OK if response.status < 400 else ERROR)
                if callable(self.response_hook):
                    self.response_hook(span, request, response)
            if error is not None and span.is_recording():
                span.set_attribute("error.type", type(error).__qualname__)
                span.set_status(ERROR)
        if self.duration is not None:
            self.duration.record(elapsed.seconds, metric_attributes(request, response))
        if error is not None:
            raise error.with_traceback(error.__traceback__)
        return response

    def close(self):
        self.inner.close()

    def __enter__(self):
        self.inner.__enter__()
        return self

    def __exit__(self, kind, error, trace):
        self.inner.__exit__(kind, error, trace)
