"""A Git server over HTTP: Git's own `http-backend`, with tokens and failures that a test sets."""

import asyncio
import base64
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.integration.sandbox_openai.serving import served


@dataclass(slots=True)
class GitServer:
    """Bare repositories in a folder; `token` admits, and `failure` is answered instead."""

    folder: Path
    url: str = ""
    token: str = ""
    failure: tuple[int, Mapping[str, str]] | None = None
    requests: int = 0
    delay_s: float = 0.0

    def make(self, name: str, branch: str = "main") -> "GitWork":
        """A new repository, and a copy to work in."""
        bare = self.folder / f"{name}.git"
        _git(self.folder, "init", "--bare", "--initial-branch", branch, str(bare))
        _git(bare, "config", "uploadpack.allowFilter", "true")
        _git(bare, "config", "receive.denyDeleteCurrent", "ignore")
        work = GitWork(self.folder / f"{name}-work", f"{self.url}/{name}.git", branch)
        _git(self.folder, "clone", str(bare), str(work.folder))
        _git(work.folder, "checkout", "-B", branch)
        return work

    async def answer(self, request: Request) -> Response:
        """The answer of Git, if the token is right."""
        self.requests += 1
        await asyncio.sleep(self.delay_s)
        if self.failure is not None:
            return Response("no", self.failure[0], headers=self.failure[1])
        login = request.headers.get("authorization", "")
        wanted = base64.b64encode(f"oauth2:{self.token}".encode()).decode()
        if self.token and login != f"Basic {wanted}":
            return Response("who?", 401, headers={"WWW-Authenticate": "Basic"})
        return await asyncio.to_thread(self._run, request, await request.body())

    def _run(self, request: Request, body: bytes) -> Response:
        variables = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": request.url.path,
            "QUERY_STRING": request.url.query,
            "REQUEST_METHOD": request.method,
            "CONTENT_TYPE": request.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": request.headers.get("content-encoding", ""),
            "GIT_PROTOCOL": request.headers.get("git-protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=variables, capture_output=True, check=True
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        status = int(headers.pop("Status", "200").split()[0])
        return Response(content, status, headers=headers)


@dataclass(frozen=True, slots=True)
class GitWork:
    """A copy of a repository to change and push."""

    folder: Path
    address: str
    branch: str

    def write(self, path: str | bytes, text: str) -> None:
        """Write a file."""
        place = self.folder / os.fsdecode(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    def git(self, *arguments: str) -> None:
        """Run a command of Git here."""
        _git(self.folder, *arguments)

    def push(self, *, force: bool = False) -> None:
        """Commit everything, and push it."""
        self.git("add", "--all")
        self.git("commit", "--allow-empty", "-m", "Change")
        self.git("push", *(["--force"] if force else []), "origin", f"HEAD:{self.branch}")


def _git(folder: Path, *arguments: str) -> None:
    named = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.example"}
    named |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.example"}
    subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **named},
        check=True,
        capture_output=True,
    )


@contextmanager
def serve_git(folder: Path) -> Iterator[GitServer]:
    """A server without repositories on a free port."""
    server = GitServer(folder)
    route = Route("/{path:path}", server.answer, methods=["GET", "POST"])
    with served(Starlette(routes=[route])) as url:
        server.url = url
        yield server
