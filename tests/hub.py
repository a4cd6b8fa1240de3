"""A small stand-in for the Hugging Face Hub, which remembers what it was sent."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.serving import Answer, Request, serving

TOKEN = "hf_not_a_real_token_of_anyone"


@dataclass
class Repository:
    private: bool = False
    files: dict[str, bytes] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    commits: int = 0

    @property
    def head(self) -> str:
        return f"{self.commits:040x}"


@dataclass
class Hub:
    """``repositories`` by name; ``refuses`` makes it answer all requests of that method and path with 403."""

    url: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)
    refuses: str = "-"

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        if re.fullmatch(self.refuses, f"{method} {path}"):
            return 403, {"error": "you may not write here"}
        if path == "/api/repos/create":
            return self._create(json.loads(body))
        if path == "/api/validate-yaml":
            return 200, {"warnings": [], "errors": []}
        match = re.fullmatch(r"/api/datasets/([\w.-]+/[\w.-]+)(?:/(\w+))?(?:/.*)?", path)
        if not match or match[1] not in self.repositories:
            return 404, {"error": "Repository not found"}
        return self._answer_repository(method, match[1], self.repositories[match[1]], match[2], body)

    def _create(self, asked: dict[str, Any]) -> tuple[int, Any]:
        assert asked["type"] == "dataset"
        name = f"{asked['organization']}/{asked['name']}"
        private = asked.get("private") or asked.get("visibility") == "private"
        self.repositories[name] = Repository(bool(private))
        return 200, {"url": f"{self.url}/datasets/{name}"}

    def _answer_repository(
        self, method: str, name: str, repository: Repository, what: str | None, body: bytes
    ) -> tuple[int, Any]:
        if what is None or what == "revision":
            siblings = [{"rfilename": path} for path in repository.files]
            return 200, {"id": name, "private": repository.private, "sha": repository.head, "siblings": siblings}
        if what == "refs":
            tags = [
                {"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": oid} for tag, oid in repository.tags.items()
            ]
            return 200, {"branches": [], "converts": [], "tags": tags}
        if what == "tree":
            files = repository.files.items()
            return 200, [{"type": "file", "path": path, "size": len(data), "oid": "0" * 40} for path, data in files]
        asked = [json.loads(line) for line in body.splitlines()]
        if what == "preupload":
            return 200, {
                "files": [
                    {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False} for file in asked[0]["files"]
                ]
            }
        if what == "commit":
            return self._commit(name, repository, asked)
        assert (method, what) == ("POST", "tag")
        if asked[0]["tag"] in repository.tags:
            return 409, {"error": "Tag reference exists already"}
        repository.tags[asked[0]["tag"]] = repository.head
        return 200, {}

    def _commit(self, name: str, repository: Repository, asked: list[dict[str, Any]]) -> tuple[int, Any]:
        for line in asked:
            value = line["value"]
            if line["key"] == "file":
                repository.files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "deletedFile":
                del repository.files[value["path"]]
        repository.commits += 1
        return 200, {"commitUrl": f"{self.url}/datasets/{name}/commit/{repository.head}", "commitOid": repository.head}


@contextmanager
def running_hub() -> Iterator[Hub]:
    """The stand-in at ``url``, a port of this machine."""
    hub = Hub()

    def answer(request: Request) -> Answer:
        hub.requests.append(f"{request.method} {request.path}")
        hub.tokens.add(request.headers.get("Authorization"))
        status, content = hub.answer(request.method, request.path, request.body)
        return Answer(status, content, {"X-Error-Code": "RepoNotFound"} if status == 404 else {})

    with serving(answer) as hub.url:
        yield hub
