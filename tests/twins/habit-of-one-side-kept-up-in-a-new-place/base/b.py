"""Exports reports as tables."""

from exports import open_sink, rows_of


class TableExport:
    """Writes rows as they are."""

    def __init__(self, settings):
        self.settings = settings

    def monthly(self, month):
        sink = open_sink(self.settings.target, name=f"monthly-{month}")
        for row in rows_of("monthly", month):
            sink.write(row.as_cells())
        sink.close()

    def yearly(self, year):
        sink = open_sink(self.settings.target, name=f"yearly-{year}")
        for row in rows_of("yearly", year):
            sink.write(row.as_cells())
        sink.close()
