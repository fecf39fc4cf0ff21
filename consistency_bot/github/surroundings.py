"""What GitHub's environment tells a job about itself."""

from collections.abc import Mapping

import msgspec

from consistency_bot.errors import UsageError

TOKEN = "GITHUB_TOKEN"
LOGIN = "CONSISTENCY_BOT_LOGIN"
APP = "CONSISTENCY_BOT_APP"


class Surroundings(msgspec.Struct, frozen=True):
    """`token` is empty where the job has none: then nothing is asked and nothing written.

    `login` and `app` say whose token it is, empty where that is to be found out.
    """

    event: str
    repository: str
    run: int
    attempt: int
    api: str
    server: str
    token: str
    login: str
    app: str

    @property
    def address(self) -> str:
        """The repository on the web."""
        return f"{self.server}/{self.repository}"

    @property
    def run_address(self) -> str:
        """This run on the web."""
        return f"{self.address}/actions/runs/{self.run}"


def read_surroundings(environ: Mapping[str, str]) -> Surroundings:
    """Raises UsageError with all variables that are missing: GitHub sets them in every job."""
    needed = ("GITHUB_EVENT_NAME", "GITHUB_REPOSITORY")
    missing = [name for name in needed if not environ.get(name)]
    if missing:
        raise UsageError(f"expected {' and '.join(missing)} in the environment, as GitHub Actions sets it in every job")
    return Surroundings(
        event=environ["GITHUB_EVENT_NAME"],
        repository=environ["GITHUB_REPOSITORY"],
        run=_number(environ, "GITHUB_RUN_ID"),
        attempt=_number(environ, "GITHUB_RUN_ATTEMPT"),
        api=environ.get("GITHUB_API_URL") or "https://api.github.com",
        server=environ.get("GITHUB_SERVER_URL") or "https://github.com",
        token=environ.get(TOKEN, ""),
        login=environ.get(LOGIN, ""),
        app=environ.get(APP, ""),
    )


def _number(environ: Mapping[str, str], name: str) -> int:
    given = environ.get(name) or "0"
    if not (given.isascii() and given.isdigit()):
        raise UsageError(f"{name}={given}: expected a number")
    return int(given)
