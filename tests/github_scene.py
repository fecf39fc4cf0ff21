"""A pull request that drifts, on a fake GitHub and in a real repository, and what jobs about it do."""

from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from checks import CODE, MOVED, RULES
from fake_github import Account, FakeGitHub, Pull
from github_description import Json

from consistency_bot.github import tasks
from consistency_bot.github.client import Client
from consistency_bot.github.command import command
from consistency_bot.github.event import read_event
from consistency_bot.github.judging import Clone
from consistency_bot.github.surroundings import Surroundings
from consistency_bot.github.tasks import Given, Outcome
from repositories import Repository

BOT = "github-actions[bot]"
WRITES = {"pull_requests": "write", "statuses": "write"}
TODAY = date(2026, 1, 1)


class Scene:
    """`o/r` with agreeing twins on `main`; #7, by alice who may write, moves one side on the branch `topic`."""

    def __init__(self, hub: FakeGitHub, folder: Path) -> None:
        self.hub = hub
        self.runs = 0
        self.repository = Repository(folder / "repository")
        self.repository.write("rules.yaml", RULES)
        self.base = self.repository.commit(a=CODE, b=CODE)
        self.repository.git("checkout", "-q", "-b", "topic")
        head = self.repository.commit(a=MOVED)
        hub.add_token("bot", Account(BOT, "Bot", "write", dict(WRITES)))
        hub.add_token("reader", Account("reader[bot]", "Bot", "read", {}))
        for login, permission in (("alice", "write"), ("bob", "maintain"), ("mallory", "read"), ("tim", "triage")):
            hub.add_user(login, permission)
        self.pull = hub.add_pull(Pull(7, head, self.base))

    def push(self, **files: str) -> str:
        """Another commit on the pull request; its id."""
        self.pull.head = self.repository.commit(**files)
        return self.pull.head

    def pull_event(self, action: str = "synchronize", **changes: Any) -> Json:
        """What `pull_request` brings: the pull request as it is when the event is made."""
        repo = {"full_name": self.pull.head_repository} if self.pull.head_repository else None
        shown = {
            "number": self.pull.number,
            "head": {"ref": self.pull.branch, "sha": self.pull.head, "repo": repo},
            "base": {"ref": self.pull.base_ref, "sha": self.pull.base, "repo": {"full_name": "o/r"}},
            "user": {"login": self.pull.author, "type": "User"},
            "body": self.pull.body,
        }
        return {"action": action, "number": self.pull.number, "pull_request": shown | changes}

    def run_event(self, **changes: Any) -> Json:
        """What `workflow_run` brings when zone 1 has ended."""
        owner = (self.pull.head_repository or "/").partition("/")[0]
        run = {
            "id": 1,
            "event": "pull_request",
            "conclusion": "success",
            "head_sha": self.pull.head,
            "head_branch": self.pull.branch,
            "head_repository": {"full_name": self.pull.head_repository, "owner": {"login": owner}},
            "pull_requests": [],
        }
        return {"action": "completed", "workflow_run": run | changes}

    def comment_event(self, comment: Json, action: str = "created") -> Json:
        """What `issue_comment` brings."""
        shown = {name: value for name, value in comment.items() if not name.startswith("_")}
        return {"action": action, "issue": {"number": self.pull.number, "pull_request": {}}, "comment": shown}

    def check_event(self, action: str, identifier: str = "", login: str = "alice", **changes: Any) -> Json:
        """What `check_run` brings to the App whose check run it is."""
        check = {"id": 1, "name": "consistency-bot findings", "head_sha": self.pull.head, "pull_requests": []}
        event = {"action": action, "check_run": check | {"app": {"slug": "consistency-bot"}} | changes}
        pressed = {"requested_action": {"identifier": identifier}} if identifier else {}
        return event | pressed | {"sender": {"login": login, "type": "User"}}

    def given(self, name: str, event: Json, token: str = "bot", **changes: Any) -> Given:
        """What a job gets; each is a newer run, unless `run` says otherwise."""
        self.runs += 1
        surroundings = Surroundings(
            event=name,
            repository="o/r",
            run=changes.pop("run", self.runs),
            attempt=1,
            api=self.hub.address,
            server="https://github.com",
            token=token,
            login=changes.pop("login", ""),
            app=changes.pop("app", ""),
        )
        clone = Clone(str(self.repository), "", "https://github.com/o/r")
        hub = Client(self.hub.address, "o/r", token, pause=0) if token else None
        read = read_event(msgspec.json.encode(event), "event.json")
        given = Given(clone, surroundings, read, hub, fail_on="block", label="", today=TODAY)
        return msgspec.structs.replace(given, **changes)

    def report(
        self, event: Json | None = None, token: str = "bot", name: str = "pull_request", **changes: Any
    ) -> Outcome:
        """`github report` for the pull request as it is, or for an event."""
        return tasks.report(self.given(name, event if event is not None else self.pull_event(), token, **changes))

    def comment(self, login: str, body: str) -> Outcome:
        """Somebody writes a comment, and `github command` runs for it."""
        return self.command(self.hub.add_comment(7, login, body))

    def command(self, comment: Json, action: str = "created") -> Outcome:
        return command(self.given("issue_comment", self.comment_event(comment, action)))

    def fingerprint(self) -> str:
        """The one finding's."""
        (finding,) = self.report(token="").judged[0].report.findings
        return finding.fingerprint

    @property
    def state(self) -> str | None:
        """What the required status of the pull request's head says."""
        status = self.hub.status(self.pull.head)
        return status["state"] if status is not None else None
