"""Chunks of an answer, traced."""

import time

from span_reply import fill_span, handle_failure, read_chunk


class TracedStream:
    """Passes chunks on and tells a span about them."""

    def __init__(self, wrapped, span, arguments, address, port, capture_content=False):
        self.wrapped = wrapped
        self.span = span
        self.arguments = arguments
        self.address = address
        self.port = port
        self.capture_content = capture_content
        self.response = ""
        self.reason = ""
        self.input_tokens = 0
        self.output_tokens = 0
        self.times = []
        self.started = time.time()
        self.first_token = None
        self.finished = False

    def __getattr__(self, name):
        return getattr(self.wrapped, name)

    def __enter__(self):
        self.wrapped.__enter__()
        return self

    def __exit__(self, kind, error, trace):
        try:
            self.wrapped.__exit__(kind, error, trace)
        finally:
            self.finish()

    def __iter__(self):
        return self

    def __next__(self):
        try:
            chunk = self.wrapped.__next__()
        except StopIteration:
            self.finish()
            raise
        except Exception as error:
            handle_failure(self.span, error)
            self.finish()
            raise
        self.times.append(time.time())
        if self.first_token is None:
            self.first_token = self.times[0] - self.started
        read_chunk(self, chunk)
        return chunk

    def close(self):
        try:
            self.wrapped.close()
        finally:
            self.finish()

    def finish(self):
        """Ends the span, once."""
        if self.finished:
            return
        self.finished = True
        try:
            fill_span(self.span, self, capture_content=self.capture_content)
        except ValueError as error:
            handle_failure(self.span, error)
        finally:
            self.span.end()
