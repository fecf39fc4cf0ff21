"""One client for the tables, the accounts and the files of a project."""

import re

from accounts import SyncAccounts
from files import SyncFiles
from options import Options
from tables import SyncTables


class Client:
    """Blocking access to a project."""

    def __init__(self, url, key, options=None):
        if not url:
            raise ValueError("the project's address is missing")
        if not re.match(r"^https?://.+", url):
            raise ValueError("the project's address is no URL")
        if not key:
            raise ValueError("the project's key is missing")
        self.url = url
        self.key = key
        self.options = options or Options()
        self.options.headers.update(self.auth_headers())
        self.accounts = self.build_accounts()
        self._tables = None
        self._files = None
        self.accounts.on_change(self.forget)

    def table(self, name):
        return self.tables.from_(name)

    @property
    def tables(self):
        if self._tables is None:
            self._tables = self.build_tables()
        return self._tables

    @property
    def files(self):
        if self._files is None:
            self._files = self.build_files()
        return self._files

    def build_accounts(self):
        return SyncAccounts(
            f"{self.url}/auth/v1",
            headers=self.options.headers,
            storage=self.options.storage,
            http_client=self.options.http_client,
        )

    def build_tables(self):
        return SyncTables(
            f"{self.url}/rest/v1",
            headers=self.options.headers,
            schema=self.options.schema,
            timeout=self.options.tables_timeout,
            client=self.options.http_client,
        )

    def build_files(self):
        return SyncFiles(
            f"{self.url}/storage/v1",
            headers=self.options.headers,
            timeout=self.options.files_timeout,
            http_client=self.options.http_client,
        )

    def auth_headers(self, token=None):
        return {"apikey": self.key, "Authorization": token or f"Bearer {self.key}"}

    def forget(self, event, session):
        if event in ("SIGNED_IN", "TOKEN_REFRESHED", "SIGNED_OUT"):
            self._tables = None
            self._files = None
            token = session.access_token if session else self.key
            self.options.headers["Authorization"] = f"Bearer {token}"
