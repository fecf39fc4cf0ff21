"""What the fake GitHub answers, route by route."""

from typing import Any

from fake_github import (
    LONGEST_COMMENT,
    LONGEST_LABEL,
    LONGEST_STATUS,
    MOST_ANNOTATIONS,
    NOW,
    Account,
    Answer,
    FakeGitHub,
    Handler,
    Pull,
)
from github_description import Json
from werkzeug.wrappers import Request

NOT_FOUND: Answer = (404, {"message": "Not Found", "documentation_url": "x"})


def _invalid(message: str) -> Answer:
    errors = [{"resource": "x", "code": "unprocessable", "field": "data", "message": message}]
    return 422, {"message": "Validation Failed", "documentation_url": "x", "errors": errors}


def _public(comment: Json) -> Json:
    return {name: value for name, value in comment.items() if not name.startswith("_")}


def _end(fake: FakeGitHub, shown: Json, repository: str | None, ref: str, sha: str) -> Json:
    end: Json = {**shown, "ref": ref, "sha": sha}
    if repository is None:
        return end | {"repo": None}
    owner, _, name = repository.partition("/")
    repo = dict(end.get("repo") or {})
    repo |= {"full_name": repository, "name": name, "fork": repository != "o/r"}
    repo["owner"] = {**repo.get("owner", {}), "login": owner}
    return end | {"repo": repo, "label": f"{owner}:{ref}"}


def _pull(fake: FakeGitHub, pull: Pull, *examples: str, index: int | None = None) -> Json:
    shown: Json = fake.description.example(*examples, index=index)
    author = fake.accounts.get(pull.author) or Account(pull.author)
    address = f"{fake.address}/repos/o/r"
    shown |= {"number": pull.number, "state": pull.state, "body": pull.body, "user": fake.user(author)}
    shown |= {"url": f"{address}/pulls/{pull.number}", "draft": False}
    for team in shown.get("requested_teams", []):
        team.setdefault("type", "organization")
    label = (shown.get("labels") or [{}])[0]
    shown["labels"] = [{**label, "name": name} for name in pull.labels]
    shown["head"] = _end(fake, shown.get("head", {}), pull.head_repository, pull.branch, pull.head)
    shown["base"] = _end(fake, shown.get("base", {}), "o/r", pull.base_ref, pull.base)
    return shown


def get_pull(fake: FakeGitHub, request: Request, account: Account, number: int) -> Answer:
    pull = fake.pulls.get(number)
    return (200, _pull(fake, pull, "pull-request")) if pull is not None else NOT_FOUND


def list_pulls(fake: FakeGitHub, request: Request, account: Account) -> Answer:
    wanted = request.args.get("head")
    state = request.args.get("state", "open")
    found = [
        _pull(fake, pull, "pull-request-simple-items", index=0)
        for pull in fake.pulls.values()
        if state in ("all", pull.state)
        and wanted in (None, f"{(pull.head_repository or '/').partition('/')[0]}:{pull.branch}")
    ]
    return fake.page(request, found)


def pulls_with(fake: FakeGitHub, request: Request, account: Account, sha: str) -> Answer:
    """As GitHub does: those whose head it is, open and closed; and those that have it among others."""
    found = [pull for pull in fake.pulls.values() if sha in (pull.head, *pull.commits)]
    return fake.page(request, [_pull(fake, pull, "pull-request-simple-items", index=0) for pull in found])


def list_comments(fake: FakeGitHub, request: Request, account: Account, number: int) -> Answer:
    return fake.page(request, [_public(each) for each in fake.comments.values() if each["_number"] == number])


def create_comment(fake: FakeGitHub, request: Request, account: Account, number: int) -> Answer:
    body: str = request.get_json()["body"]
    if len(body) > LONGEST_COMMENT:
        return _invalid("Body is too long (maximum is 65536 characters)")
    return 201, _public(fake.add_comment(number, account.login, body))


def edit_comment(fake: FakeGitHub, request: Request, account: Account, comment: int) -> Answer:
    body: str = request.get_json()["body"]
    if comment not in fake.comments:
        return NOT_FOUND
    if len(body) > LONGEST_COMMENT:
        return _invalid("Body is too long (maximum is 65536 characters)")
    fake.edit(fake.comments[comment], body)
    return 200, _public(fake.comments[comment])


def delete_comment(fake: FakeGitHub, request: Request, account: Account, comment: int) -> Answer:
    return (204, None) if fake.comments.pop(comment, None) is not None else NOT_FOUND


def react(fake: FakeGitHub, request: Request, account: Account, comment: int) -> Answer:
    content: str = request.get_json()["content"]
    fake.reactions.append((comment, content))
    return 201, fake.description.example("reaction") | {"content": content, "user": fake.user(account)}


def _labels(fake: FakeGitHub, number: int) -> Answer:
    label: Any = fake.description.example("label-items")
    label = label[0] if isinstance(label, list) else label
    return 200, [{**label, "name": name} for name in sorted(fake.labels.get(number, ()))]


def list_labels(fake: FakeGitHub, request: Request, account: Account, number: int) -> Answer:
    return _labels(fake, number)


def add_labels(fake: FakeGitHub, request: Request, account: Account, number: int) -> Answer:
    given = request.get_json()
    if any(len(each) > LONGEST_LABEL for each in (given["labels"] if isinstance(given, dict) else given)):
        return _invalid("name is too long (maximum is 50 characters)")
    fake.labels.setdefault(number, set()).update(given["labels"] if isinstance(given, dict) else given)
    return _labels(fake, number)


def remove_label(fake: FakeGitHub, request: Request, account: Account, number: int, name: str) -> Answer:
    if name not in fake.labels.get(number, ()):
        return NOT_FOUND
    fake.labels[number].discard(name)
    return _labels(fake, number)


def create_status(fake: FakeGitHub, request: Request, account: Account, sha: str) -> Answer:
    given: Json = request.get_json()
    if len(given.get("description") or "") > LONGEST_STATUS:
        return _invalid("description is too long (maximum is 140 characters)")
    status: Json = fake.description.example("status")
    status |= {name: given.get(name) for name in ("state", "target_url", "description")}
    status |= {"context": given.get("context", "default"), "creator": fake.user(account)}
    fake.statuses.append((sha, status))
    return 201, status


def list_statuses(fake: FakeGitHub, request: Request, account: Account, sha: str) -> Answer:
    return fake.page(request, [status for of, status in reversed(fake.statuses) if of == sha])


def start_workflow(fake: FakeGitHub, request: Request, account: Account, workflow: str) -> Answer:
    fake.started.append((workflow, request.get_json()))
    return 204, None


def get_permission(fake: FakeGitHub, request: Request, account: Account, login: str) -> Answer:
    asked = fake.accounts.get(login)
    if asked is None:
        return NOT_FOUND
    told: Json = fake.description.example("repository-collaborator-permission-response-if-user-has-admin-permissions")
    # As GitHub folds roles: `triage` reads as read, `maintain` as write.
    folded = {"triage": "read", "maintain": "write"}.get(asked.permission, asked.permission)
    told |= {"permission": folded, "role_name": asked.permission}
    told["user"] = {**told.get("user", {}), "login": login, "role_name": asked.permission}
    return 200, told


def _actions_fault(given: Json) -> str:
    actions = given.get("actions", ())
    if len(actions) > 3:
        return "No more than 3 actions"
    longest = {"label": 20, "identifier": 20, "description": 40}
    return next((f"{key} is too long" for each in actions for key in longest if len(each[key]) > longest[key]), "")


def _check(fake: FakeGitHub, check_id: int) -> Json:
    made = fake.checks[check_id]
    check: Json = fake.description.example("check-run-example-of-completed-conclusion", "check-run")
    check |= {name: made.get(name) for name in ("id", "name", "head_sha", "status", "conclusion")}
    check |= {"url": f"{fake.address}/repos/o/r/check-runs/{check_id}", "started_at": NOW, "pull_requests": []}
    check |= {"completed_at": NOW if made.get("conclusion") else None}
    output = made.get("output") or {}
    told = {name: output.get(name) for name in ("title", "summary", "text")}
    count = {"annotations_count": len(made["_annotations"]), "annotations_url": f"{check['url']}/annotations"}
    return check | {"output": {**check.get("output", {}), **told, **count}}


def create_check(fake: FakeGitHub, request: Request, account: Account) -> Answer:
    given: Json = request.get_json()
    annotations = (given.get("output") or {}).get("annotations", [])
    if len(annotations) > MOST_ANNOTATIONS:
        return _invalid("No more than 50 annotations")
    if fault := _actions_fault(given):
        return _invalid(fault)
    check_id = next(fake.ids)
    status = "completed" if given.get("conclusion") else given.get("status", "queued")
    fake.checks[check_id] = {**given, "id": check_id, "status": status, "_annotations": list(annotations)}
    return 201, _check(fake, check_id)


def update_check(fake: FakeGitHub, request: Request, account: Account, check: int) -> Answer:
    given: Json = request.get_json()
    annotations = (given.get("output") or {}).get("annotations", [])
    if len(annotations) > MOST_ANNOTATIONS:
        return _invalid("No more than 50 annotations")
    if fault := _actions_fault(given):
        return _invalid(fault)
    fake.checks[check]["_annotations"] += annotations
    fake.checks[check] |= given
    if given.get("conclusion"):
        fake.checks[check]["status"] = "completed"
    return 200, _check(fake, check)


def graphql(fake: FakeGitHub, request: Request, account: Account) -> Answer:
    assert "viewer" in request.get_json()["query"]
    return 200, {"data": {"viewer": {"login": account.login}}}


_REPOSITORY = "/repos/<owner>/<repo>"
ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", f"{_REPOSITORY}/pulls", list_pulls),
    ("GET", f"{_REPOSITORY}/pulls/<int:number>", get_pull),
    ("GET", f"{_REPOSITORY}/commits/<sha>/pulls", pulls_with),
    ("GET", f"{_REPOSITORY}/issues/<int:number>/comments", list_comments),
    ("POST", f"{_REPOSITORY}/issues/<int:number>/comments", create_comment),
    ("PATCH", f"{_REPOSITORY}/issues/comments/<int:comment>", edit_comment),
    ("DELETE", f"{_REPOSITORY}/issues/comments/<int:comment>", delete_comment),
    ("POST", f"{_REPOSITORY}/issues/comments/<int:comment>/reactions", react),
    ("GET", f"{_REPOSITORY}/issues/<int:number>/labels", list_labels),
    ("POST", f"{_REPOSITORY}/issues/<int:number>/labels", add_labels),
    ("DELETE", f"{_REPOSITORY}/issues/<int:number>/labels/<path:name>", remove_label),
    ("POST", f"{_REPOSITORY}/statuses/<sha>", create_status),
    ("GET", f"{_REPOSITORY}/commits/<sha>/statuses", list_statuses),
    ("POST", f"{_REPOSITORY}/actions/workflows/<workflow>/dispatches", start_workflow),
    ("GET", f"{_REPOSITORY}/collaborators/<login>/permission", get_permission),
    ("POST", f"{_REPOSITORY}/check-runs", create_check),
    ("PATCH", f"{_REPOSITORY}/check-runs/<int:check>", update_check),
    ("POST", "/graphql", graphql),
]
"""The last one is found at the server's own place for it, too."""
