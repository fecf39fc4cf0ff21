"""Who we are on GitHub: without knowing, a comment of ours could not be told from anybody's, and none is written."""

from typing import Protocol

BOT = "[bot]"


class Viewer(Protocol):
    """Whose token it is, as GitHub tells."""

    def viewer(self) -> str:
        """A login, empty where GitHub does not tell."""


def identity(configured: str, app: str, hub: Viewer) -> str:
    """The login that our comments have: the one configured, else the App's, else the token's; empty where unknown.

    Only a bot's login counts: what a person's token writes looks like what that person writes.
    """
    login = configured or (f"{app}{BOT}" if app else "") or hub.viewer()
    return login if login.endswith(BOT) else ""
