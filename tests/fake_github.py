"""A GitHub in the test process: stateful, over HTTP, with tokens, pages, limits and faults.

Every request and every answer is held against GitHub's own description of its API, where that is at hand
(`github_description`); what breaks it is in `violations`, which a fixture asserts to be empty.
"""

import itertools
import json
import re
import threading
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import msgspec
from github_description import Description, Json
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

NOW = "2026-01-01T00:00:00Z"
LATER = "2026-01-02T00:00:00Z"
LONGEST_COMMENT = 65_536
LONGEST_STATUS = 140
LONGEST_LABEL = 50
MOST_ANNOTATIONS = 50


class Account(msgspec.Struct):
    """Who a token or a comment belongs to. `scopes` are what the token may do; `type` is User or Bot."""

    login: str
    type: str = "User"
    permission: str = "read"
    scopes: dict[str, str] = {}
    is_app: bool = False


class Pull(msgspec.Struct):
    """A pull request. `head_repository` is another one than `o/r` for a fork's, None when the fork is deleted."""

    number: int
    head: str
    base: str
    author: str = "alice"
    head_repository: str | None = "o/r"
    branch: str = "topic"
    base_ref: str = "main"
    body: str | None = None
    state: str = "open"
    commits: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class Fault(msgspec.Struct):
    """What goes wrong with the next `times` requests that match; `after_commit` lets the server do its work first."""

    match: str
    status: int = 502
    times: int = 1
    headers: dict[str, str] = {}
    message: str = "Server Error"
    after_commit: bool = False
    before: Callable[[], None] | None = None


Answer = tuple[int, Any] | tuple[int, Any, dict[str, str]]
Handler = Callable[..., Answer]

WRITES_COMMENTS = ("pull_requests", "issues")
NEEDS = {
    "create_comment": WRITES_COMMENTS,
    "edit_comment": WRITES_COMMENTS,
    "delete_comment": WRITES_COMMENTS,
    "react": WRITES_COMMENTS,
    "add_labels": WRITES_COMMENTS,
    "remove_label": WRITES_COMMENTS,
    "create_status": ("statuses",),
    "start_workflow": ("actions",),
    "create_check": ("checks",),
    "update_check": ("checks",),
}


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


class FakeGitHub:
    """The repository `o/r`. `prefix` is `/api/v3` for an Enterprise server."""

    def __init__(self, file: Path | None, prefix: str = "") -> None:
        from fake_github_routes import ROUTES

        self.prefix = prefix
        graphql = prefix.replace("/v3", "/graphql") or "/graphql"
        rules = [Rule(prefix + path, endpoint=handler, methods=[verb]) for verb, path, handler in ROUTES]
        rules.append(Rule(graphql, endpoint=ROUTES[-1][2], methods=["POST"]))
        self._map = Map(rules, strict_slashes=False)
        self.server = make_server("127.0.0.1", 0, self._app, threaded=True, request_handler=_Quiet)
        host = f"http://127.0.0.1:{self.server.server_port}"
        self.address, self.graphql_address = host + prefix, host + graphql
        self.description = Description(file, self.address)
        self._lock = threading.RLock()
        self.reset()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()

    def reset(self) -> None:
        """Forget everything: the server goes on, for the next test."""
        self.tokens: dict[str, Account] = {}
        self.accounts: dict[str, Account] = {}
        self.violations: list[tuple[object, ...]] = []
        self.log: list[tuple[str, str]] = []
        self.faults: list[Fault] = []
        self.pulls: dict[int, Pull] = {}
        self.comments: dict[int, Json] = {}
        self.reactions: list[tuple[int, str]] = []
        self.labels: dict[int, set[str]] = {}
        self.statuses: list[tuple[str, Json]] = []
        self.started: list[tuple[str, Json]] = []
        self.checks: dict[int, Json] = {}
        self.ids = itertools.count(1000)

    # What tests put in and look at.

    def add_token(self, token: str, account: Account) -> None:
        self.tokens[token] = self.accounts[account.login] = account

    def add_user(self, login: str, permission: str = "read") -> None:
        self.accounts[login] = Account(login, permission=permission)

    def add_pull(self, pull: Pull) -> Pull:
        self.pulls[pull.number] = pull
        return pull

    def add_comment(self, number: int, login: str, body: str) -> Json:
        """A comment as its author writes it."""
        comment_id = next(self.ids)
        comment: Json = self.description.example("issue-comment-items", index=0)
        comment |= {"id": comment_id, "body": body, "user": self.user(self.accounts[login]), "node_id": f"{comment_id}"}
        comment |= {
            "created_at": NOW,
            "updated_at": NOW,
            "url": f"{self.address}/repos/o/r/issues/comments/{comment_id}",
        }
        comment |= {"author_association": "NONE", "_number": number}
        comment |= {"html_url": f"https://github.com/o/r/pull/{number}#issuecomment-{comment_id}"}
        comment.pop("performed_via_github_app", None)
        self.comments[comment_id] = comment
        return comment

    def edit(self, comment: Json, body: str) -> None:
        comment |= {"body": body, "updated_at": LATER}

    def user(self, account: Account) -> Json:
        user: Json = dict(self.description.example("issue-comment-items", index=0).get("user", {}))
        return user | {"login": account.login, "type": account.type, "id": abs(hash(account.login)) % 10**6}

    def bodies(self, login: str = "github-actions[bot]") -> list[str]:
        """The comments of an account, in the order in which they were made."""
        return [each["body"] for each in self.comments.values() if each["user"]["login"] == login]

    def status(self, sha: str) -> Json | None:
        """The last commit status of ours."""
        found = [each for of, each in self.statuses if of == sha and each["context"] == "consistency-bot"]
        return found[-1] if found else None

    def writes(self) -> list[tuple[str, str]]:
        return [(verb, path) for verb, path in self.log if verb != "GET" and "graphql" not in path]

    # The server.

    def _app(self, environ: Any, start_response: Any) -> Any:
        request = Request(environ)
        with self._lock:
            answer = self._answer(request)
        return answer(environ, start_response)

    def _answer(self, request: Request) -> Response:
        try:
            handler, arguments = self._map.bind_to_environ(request.environ).match()
        except HTTPException:
            self.violations.append(("unknown route", request.method, request.path))
            return self._json((404, {"message": "Not Found"}))
        self.log.append((request.method, request.full_path.rstrip("?")))
        fault = self._fault(request)
        if fault is not None and fault.before is not None:
            fault.before()
            fault = None
        if fault is not None and not fault.after_commit:
            return self._failed(fault)
        answer = self._handled(request, handler, dict(arguments))
        return self._failed(fault) if fault is not None else answer

    def _handled(self, request: Request, handler: Handler, arguments: Json) -> Response:
        account = self.tokens.get((request.headers.get("Authorization") or "").split(" ")[-1])
        if account is None:
            return self._json((401, {"message": "Bad credentials", "documentation_url": "x"}))
        scopes = NEEDS.get(handler.__name__)
        if scopes is not None and not any(account.scopes.get(each) == "write" for each in scopes):
            return self._json((403, {"message": "Resource not accessible by integration", "documentation_url": "x"}))
        is_described = handler.__name__ != "graphql"
        if is_described and (faults := self.description.faults_of_request(request)):
            self.violations.append(("request", request.method, request.full_path, faults))
            return self._json((422, {"message": "Invalid request.", "documentation_url": "x"}))
        arguments = {name: value for name, value in arguments.items() if name not in ("owner", "repo")}
        answer = self._json(handler(self, request, account, **arguments))
        if is_described and (faults := self.description.faults_of_answer(request, answer)):
            self.violations.append(("answer", request.method, request.path, answer.status_code, faults))
        return answer

    def _fault(self, request: Request) -> Fault | None:
        for fault in self.faults:
            if fault.times > 0 and re.search(fault.match, f"{request.method} {request.path}"):
                fault.times -= 1
                return fault
        return None

    def _failed(self, fault: Fault) -> Response:
        return self._json((fault.status, {"message": fault.message, "documentation_url": "x"}, fault.headers))

    def _json(self, answer: Answer) -> Response:
        status, body, *more = answer
        headers = {"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4000"}
        headers |= {"X-RateLimit-Reset": str(int(time.time()) + 3600), **(more[0] if more else {})}
        if body is None:
            return Response(b"", status, headers)
        return Response(json.dumps(body), status, headers, content_type="application/json")

    def page(self, request: Request, items: list[Json], wrap: str = "") -> Answer:
        """One page of a list, with GitHub's `Link` header."""
        size = min(int(request.args.get("per_page", 30)), 100)
        number = int(request.args.get("page", 1))
        last = max(1, -(-len(items) // size))
        shown = items[(number - 1) * size : number * size]
        links = []
        for rel, to in (("next", number + 1), ("last", last), ("prev", number - 1), ("first", 1)):
            if 1 <= to <= last and (number < last if rel in ("next", "last") else number > 1):
                query = urllib.parse.urlencode({**request.args.to_dict(), "per_page": size, "page": to})
                path = request.path.removeprefix(self.prefix)
                links.append(f'<{self.address}{path}?{query}>; rel="{rel}"')
        body = {"total_count": len(items), wrap: shown} if wrap else shown
        return 200, body, ({"Link": ", ".join(links)} if links else {})
