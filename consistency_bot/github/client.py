"""The only module that talks to GitHub: one method per question or deed, through PyGithub.

PyGithub's own retry repeats a POST after a server error, and so posts twice what was stored before the error; its waits
have no end. So retries and waits are here.
"""

from time import sleep, time
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
import requests
from github import Auth, Github, GithubException

from consistency_bot.errors import GitHubError, Refused
from consistency_bot.github.answers import WRITING, Comment, CommitStatus, Label, PullRequest

ATTEMPTS = 3
LONGEST_WAIT = 120.0
"""Seconds that one request may wait for a rate limit; beyond, the job fails with a sentence instead of hanging."""

PAGE = 100
MOST_PAGES = 100
PAUSE_AFTER_WRITE = 1.0
"""Seconds between two writes, as GitHub asks for."""

T = TypeVar("T")
Json = dict[str, Any]


class _Permission(msgspec.Struct):
    permission: str


class _Made(msgspec.Struct):
    id: int


class Client:
    """One repository, seen with one token. Raises Refused where the token lacks a right, GitHubError for all else."""

    def __init__(self, api: str, repository: str, token: str, pause: float = PAUSE_AFTER_WRITE) -> None:
        self._path = f"/repos/{quote(repository)}"
        self._hub = Github(
            base_url=api,
            auth=Auth.Token(token),
            timeout=30,
            per_page=PAGE,
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=pause or None,
        )
        self._permissions: dict[str, str] = {}
        self._viewer = ""

    def pull(self, number: int) -> PullRequest:
        """The pull request as it is now."""
        return _decoded(self._ask("GET", f"{self._path}/pulls/{number}"), PullRequest)

    def pulls_of(self, owner: str, branch: str) -> list[PullRequest]:
        """The open pull requests from a branch of an owner's repository. Empty where there is none."""
        return self._list(f"{self._path}/pulls", PullRequest, {"state": "open", "head": f"{owner}:{branch}"})

    def pulls_with(self, commit: str) -> list[PullRequest]:
        """The pull requests, open and closed, that have a commit."""
        return self._list(f"{self._path}/commits/{commit}/pulls", PullRequest, {})

    def comments(self, number: int) -> list[Comment]:
        """All comments on a pull request, the oldest first."""
        return self._list(f"{self._path}/issues/{number}/comments", Comment, {})

    def permission(self, login: str) -> str:
        """What an account may do here: admin, write, read or none, as GitHub folds its roles. Asked once per account."""
        if login not in self._permissions:
            try:
                told = self._ask("GET", f"{self._path}/collaborators/{quote(login, safe='')}/permission")
                self._permissions[login] = _decoded(told, _Permission).permission
            except Refused:
                self._permissions[login] = "none"
        return self._permissions[login]

    def may_write(self, login: str) -> bool:
        """Whether an account may change this repository."""
        return self.permission(login) in WRITING

    def viewer(self) -> str:
        """Whose token this is. Empty where GitHub does not tell: `GET /user` is refused to bots, so GraphQL is asked.

        Asked once, unless it was not told.
        """
        if not self._viewer:
            self._viewer = self._asked_viewer()
        return self._viewer

    def _asked_viewer(self) -> str:
        query = {"query": "query { viewer { login } }"}
        try:
            told = self._ask("POST", self._hub.requester.graphql_url, query)
        except GitHubError:
            return ""
        login = ((told.get("data") or {}).get("viewer") or {}).get("login") if isinstance(told, dict) else None
        return login if isinstance(login, str) else ""

    def create_comment(self, number: int, body: str) -> int:
        """The new comment's id. Never repeated by itself: after an error nobody knows whether it is there."""
        return _decoded(self._ask("POST", f"{self._path}/issues/{number}/comments", {"body": body}), _Made).id

    def edit_comment(self, comment: int, body: str) -> None:
        """Give a comment another text."""
        self._ask("PATCH", f"{self._path}/issues/comments/{comment}", {"body": body})

    def delete_comment(self, comment: int) -> None:
        """Take a comment away; nothing where somebody else was faster."""
        try:
            self._ask("DELETE", f"{self._path}/issues/comments/{comment}")
        except Refused as error:
            if error.args[0].startswith("404"):
                return
            raise

    def react(self, comment: int, content: str) -> None:
        """Put a reaction under a comment; a second of the same is one."""
        self._ask("POST", f"{self._path}/issues/comments/{comment}/reactions", {"content": content})

    def set_status(self, sha: str, context: str, state: str, description: str, target: str) -> None:
        """Give a commit a status; `description` has at most 140 characters, `target` is an address or empty.

        Tried again after a server error, unlike other posts: the same status twice says what it says once, and a pull
        request without the required one cannot be merged.
        """
        status = {"context": context, "state": state, "description": description}
        body = status | ({"target_url": target} if target else {})
        try:
            self._ask("POST", f"{self._path}/statuses/{sha}", body)
        except Refused:
            raise
        except GitHubError:
            sleep(_backoff(1))
            self._ask("POST", f"{self._path}/statuses/{sha}", body)

    def statuses(self, sha: str) -> list[CommitStatus]:
        """All statuses of a commit, the newest first."""
        return self._list(f"{self._path}/commits/{sha}/statuses", CommitStatus, {})

    def start_workflow(self, file: str, branch: str, inputs: dict[str, str]) -> None:
        """Start the branch's version of a workflow by hand, as it were."""
        self._ask("POST", f"{self._path}/actions/workflows/{file}/dispatches", {"ref": branch, "inputs": inputs})

    def add_label(self, number: int, label: str) -> None:
        """Put a label on a pull request; GitHub makes the label where the repository has none of that name."""
        self._ask("POST", f"{self._path}/issues/{number}/labels", {"labels": [label]})

    def labels(self, number: int) -> list[str]:
        """The names of a pull request's labels."""
        return [each.name for each in self._list(f"{self._path}/issues/{number}/labels", Label, {})]

    def remove_label(self, number: int, label: str) -> None:
        """Take a label off a pull request."""
        self._ask("DELETE", f"{self._path}/issues/{number}/labels/{quote(label, safe='')}")

    def create_check(self, check: Json) -> int:
        """The new check run's id. Only an App's token may."""
        return _decoded(self._ask("POST", f"{self._path}/check-runs", check), _Made).id

    def update_check(self, check_id: int, check: Json) -> None:
        """Add to a check run, its annotations included."""
        self._ask("PATCH", f"{self._path}/check-runs/{check_id}", check)

    def _list(self, path: str, kind: type[T], parameters: dict[str, str]) -> list[T]:
        found: list[T] = []
        for number in range(1, MOST_PAGES + 1):
            page = self._ask("GET", path, parameters=parameters | {"per_page": str(PAGE), "page": str(number)})
            found += _decoded(page, list[kind])  # type: ignore[valid-type]
            if len(page) < PAGE:
                break
        return found

    def _ask(self, verb: str, url: str, body: Json | None = None, parameters: dict[str, str] | None = None) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._hub.requester.requestJsonAndCheck(verb, url, parameters=parameters, input=body)[1]
            except GithubException as error:
                wait = _wait_after(error, verb, attempt)
                if wait is None or attempt == ATTEMPTS:
                    raise _told(error, verb, url) from None
            except requests.RequestException as error:
                if verb == "POST" or attempt == ATTEMPTS:
                    raise GitHubError(f"GitHub could not be reached for {verb} {url}: {error}") from None
                wait = _backoff(attempt)
            sleep(wait)
        raise AssertionError("the last attempt returns or raises")


def _decoded(data: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise GitHubError(f"GitHub answered something else than was expected: {error}") from None


def _backoff(attempt: int) -> float:
    return 0.5 * 2.0 ** (attempt - 1)


def _wait_after(error: GithubException, verb: str, attempt: int) -> float | None:
    """Seconds after which a request may be repeated, None where it must not be. Raises GitHubError for a wait too long.

    What was refused for a limit was not done, so that even a POST may be repeated; what failed with 5xx may have been.
    """
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    if error.status in (403, 429) and ("retry-after" in headers or "rate limit" in str(error.data).lower()):
        wait = _seconds(headers)
        if wait > LONGEST_WAIT:
            raise GitHubError(
                f"GitHub's rate limit is used up for {wait:.0f} seconds, and at most {LONGEST_WAIT:.0f} are waited for:"
                " run this job again later"
            )
        return wait
    return _backoff(attempt) if error.status >= 500 and verb != "POST" else None


def _seconds(headers: dict[str, str]) -> float:
    if headers.get("retry-after", "").isdigit():
        return float(headers["retry-after"])
    if headers.get("x-ratelimit-remaining") == "0" and headers.get("x-ratelimit-reset", "").isdigit():
        return max(0.0, float(headers["x-ratelimit-reset"]) - time()) + 1
    return 60.0  # as GitHub's documentation asks for where it names no time


def _told(error: GithubException, verb: str, url: str) -> GitHubError:
    message = error.data.get("message") if isinstance(error.data, dict) else None
    kind = Refused if error.status in (401, 403, 404) else GitHubError
    return kind(f"{error.status} from GitHub for {verb} {url}: {message or 'no reason given'}")
