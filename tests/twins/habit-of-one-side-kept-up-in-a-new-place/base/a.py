"""Exports reports as documents."""

from exports import open_sink, rows_of
from metrics import count


class DocumentExport:
    """Counts what it writes, which the other export does not."""

    def __init__(self, settings):
        self.settings = settings

    def monthly(self, month):
        sink = open_sink(self.settings.target, name=f"monthly-{month}")
        for row in rows_of("monthly", month):
            sink.write(row.as_text())
            count("rows", kind=self.settings.kind)
        sink.close()

    def yearly(self, year):
        sink = open_sink(self.settings.target, name=f"yearly-{year}")
        for row in rows_of("yearly", year):
            sink.write(row.as_text())
        sink.close()
