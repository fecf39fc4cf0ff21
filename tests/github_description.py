"""GitHub's own description of its API, where it is at hand: what it demands of requests and answers, and its examples.

It is looked for where `GITHUB_OPENAPI` says, else in `../shared` beside the repository. It is not part of this project.
"""

import copy
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from openapi_core import Config, OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse
from openapi_core.exceptions import OpenAPIError
from werkzeug.wrappers import Request, Response

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data" / "github"

Json = dict[str, Any]
LABELS = "/repos/{owner}/{repo}/issues/{issue_number}/labels"


def found(name: str = "openapi.json") -> Path | None:
    """The description's file; None where it is not at hand. `name` is that of one product's."""
    named = os.environ.get("GITHUB_OPENAPI")
    if named is not None:
        return Path(named).with_name(name)
    return SHARED / name if (SHARED / name).exists() else None


@cache
def _read(path: Path) -> Json:
    described: Json = json.loads(path.read_bytes())
    _allow_null(described)
    body = described["paths"][LABELS]["post"]["requestBody"]["content"]["application/json"]["schema"]
    # The live API takes a plain list, which is what every client sends; the description forgets it.
    (body.get("oneOf") or body["anyOf"]).append({"type": "array", "items": {"type": "string"}})
    # A fork that was deleted: its pull requests have no `head.repo`.
    head = described["components"]["schemas"]["pull-request"]["properties"]["head"]["properties"]
    head["repo"] = {"type": "object", "nullable": True}
    return described


def _allow_null(node: Any) -> None:
    """OpenAPI 3.0.3 does not let `nullable` add null to an `enum`; GitHub means that it does."""
    if isinstance(node, dict):
        if node.get("nullable") and "enum" in node and None not in node["enum"]:
            node["enum"] = [*node["enum"], None]
        for value in node.values():
            _allow_null(value)
    elif isinstance(node, list):
        for value in node:
            _allow_null(value)


class Description:
    """The description, for a server at one address. `None` for the file leaves everything valid, and no examples."""

    def __init__(self, file: Path | None, address: str) -> None:
        self.is_at_hand = file is not None
        self._examples: Json = {}
        self._described: OpenAPI | None = None
        if file is not None:
            described = {**_read(file), "servers": [{"url": address}]}
            text = json.dumps(described["components"]["examples"])
            for host in ("https://api.github.com", "https://HOSTNAME"):
                text = text.replace(host, address)
            self._examples = json.loads(text)
            self._described = OpenAPI.from_dict(described, config=Config(spec_validator_cls=None))  # type: ignore[arg-type]  # as its documentation says

    def example(self, *names: str, index: int | None = None) -> Any:
        """The first of these examples that there is; an empty object where the description is not at hand."""
        for name in names:
            if name in self._examples:
                value = copy.deepcopy(self._examples[name]["value"])
                return value[index] if index is not None else value
        assert not self.is_at_hand, names
        return {}

    def faults_of_request(self, request: Request) -> list[str]:
        """What is wrong with a request, empty where nothing is."""
        if self._described is None:
            return []
        try:
            self._described.validate_request(WerkzeugOpenAPIRequest(request))
        except OpenAPIError as error:
            return _told(error)
        return []

    def faults_of_answer(self, request: Request, answer: Response) -> list[str]:
        """What is wrong with an answer, empty where nothing is."""
        if self._described is None or answer.status_code == 404:  # which not every route is described to have
            return []
        try:
            self._described.validate_response(WerkzeugOpenAPIRequest(request), WerkzeugOpenAPIResponse(answer))
        except OpenAPIError as error:
            return _told(error)
        return []


def _told(error: OpenAPIError) -> list[str]:
    causes = getattr(error.__cause__, "schema_errors", None) or ()
    return [f"{'/'.join(map(str, each.absolute_path))}: {each.message[:160]}" for each in causes] or [repr(error)]
