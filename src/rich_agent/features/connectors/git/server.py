"""The server of a Git repository over HTTP: finds and fetches the newest commit of a branch."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from typing_extensions import override

from rich_agent.feature.connectors import ConnectorError, stays_at

if TYPE_CHECKING:
    import urllib3
    from dulwich.client import HttpGitClient
    from dulwich.objects import ObjectID
    from dulwich.repo import Repo

_TIMEOUT_S: Final = 60.0
_LARGEST: Final = b"blob:limit=128m"
_MOST_BRANCHES: Final = 10
_BRANCHES: Final = b"refs/heads/"
_REFUSALS: Final = (401, 403)


@dataclass(frozen=True, slots=True)
class BranchHead:
    """A branch with its newest commit."""

    branch: str
    commit: "ObjectID"


@dataclass(slots=True)
class _Answers:
    """The status of the last answer, and the seconds to wait if the server asks for a pause."""

    status: int = 0
    after_s: float | None = None


@dataclass(frozen=True, slots=True)
class GitServer:
    """A repository at its server. Calls block, and may raise ConnectorError.

    `token` is "" if none is needed.
    """

    address: str
    username: str
    token: str
    _answers: _Answers = field(default_factory=_Answers)

    def find_head(self, requested_branch: str) -> BranchHead:
        """The newest commit of a branch. "" stands for the server's default branch."""
        from dulwich.refs import Ref  # noqa: PLC0415 - loaded where it is used

        with self._translate_errors():
            answer = self._client().get_refs(self._path)
        head = dict(answer.symrefs).get(Ref(b"HEAD"), Ref(b"")).decode("utf-8", "replace")
        branch = requested_branch or head.removeprefix("refs/heads/")
        commit = answer.refs.get(Ref(b"refs/heads/" + branch.encode()))
        if not branch or commit is None:
            hint = "Connect it again with the branch that is to be read."
            problem = f"there is no branch {branch}" if branch else "it is empty"
            if names := ", ".join(_branches(answer.refs)[:_MOST_BRANCHES]):
                hint = f"Connect it again with -o branch=NAME, one of: {names}."
            raise ConnectorError(f"{self.address}: {problem}", hint=hint, is_refused=True)
        return BranchHead(branch, commit)

    def fetch(self, repo: "Repo", head: BranchHead) -> None:
        """Fetch a commit without history, and without very large files if the server can do so."""
        from dulwich.refs import Ref  # noqa: PLC0415 - loaded where it is used

        def commits_to_fetch(refs: object, depth: object = None) -> "list[ObjectID]":  # noqa: ARG001 - as the library calls it
            return [head.commit]

        with self._translate_errors():
            self._client().fetch(
                self._path, repo, determine_wants=commits_to_fetch, depth=1, filter_spec=_LARGEST
            )
        # With this ref, the server sends only new objects the next time.
        repo.refs[Ref(b"refs/heads/read")] = head.commit

    @property
    def _path(self) -> bytes:
        return urlsplit(self.address).path.encode()

    def _requests(self) -> "urllib3.PoolManager":
        import urllib3  # noqa: PLC0415 - loaded where it is used

        address, answers = self.address, self._answers

        class Watched(urllib3.PoolManager):
            """Remembers the last answer, and asks no other host."""

            @override
            def urlopen(self, method: str, url: str, *args: Any, **kwargs: Any) -> Any:
                # Redirects come by here too.
                _require_home(address, url)
                return super().urlopen(method, url, *args, **kwargs)

            @override
            def request(self, *args: Any, **kwargs: Any) -> urllib3.BaseHTTPResponse:
                retries = urllib3.Retry(2, respect_retry_after_header=False)
                answer = super().request(*args, **{"retries": retries, **kwargs})
                retry_after = answer.headers.get("Retry-After", "")
                answers.status = answer.status
                answers.after_s = float(retry_after) if retry_after.isdecimal() else None
                return answer

        return Watched()

    def _client(self) -> "HttpGitClient":
        from dulwich.client import HttpGitClient  # noqa: PLC0415 - loaded where it is used

        url_parts = urlsplit(self.address)
        return HttpGitClient(
            f"{url_parts.scheme}://{url_parts.netloc}",
            pool_manager=self._requests(),
            username=self.username if self.token else None,
            password=self.token or None,
            timeout=_TIMEOUT_S,
            thin_packs=True,
            quiet=True,
        )

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise ConnectorError, with words for the operator, for errors of the library."""
        from dulwich.client import HTTPUnauthorized  # noqa: PLC0415 - loaded where it is used
        from dulwich.errors import GitProtocolError, NotGitRepository  # noqa: PLC0415 - the same

        self._answers.status, self._answers.after_s = 0, None
        try:
            yield
        except (HTTPUnauthorized, NotGitRepository, GitProtocolError, OSError, ValueError) as error:
            raise self._trouble(error) from error

    def _trouble(self, error: Exception) -> ConnectorError:
        from urllib3.exceptions import MaxRetryError  # noqa: PLC0415 - loaded where it is used

        status, after_s = self._answers.status, self._answers.after_s
        if status in _REFUSALS and after_s is None:
            refusal = "the token has expired or may not read it"
            problem = refusal if self.token else "it asks for a token"
            hint = "Make a token that may read the repository, and connect it again."
            return ConnectorError(f"{self.address}: {problem}", hint=hint, is_refused=True)
        if status == 404:
            problem = f"{self.address}: there is no such repository, or the token may not see it"
            hint = "Check the address, and whether the token may read the repository."
            return ConnectorError(problem, hint=hint, is_refused=True)
        # The text of MaxRetryError is for programmers; its cause is clearer.
        cause = error.reason if isinstance(error, MaxRetryError) and error.reason else error
        problem = f"answers {status}" if status >= 400 else f"cannot be reached ({cause})"
        return ConnectorError(f"{self.address}: {problem}", after_s=after_s)


def _branches(refs: Iterable[bytes]) -> list[str]:
    """The names of branches among refs."""
    return sorted(
        ref.removeprefix(_BRANCHES).decode("utf-8", "replace")
        for ref in refs
        if ref.startswith(_BRANCHES)
    )


def _require_home(address: str, url: str) -> None:
    """Check that a request goes to the configured host.

    Raises: ConnectorError if a redirect leads to another host.
    """
    try:
        is_home = stays_at(address, url)
    except ValueError:
        is_home = False
    if not is_home:
        hint = "If that is right, connect it again with the new address."
        raise ConnectorError(f"{address}: it leads to another host", hint=hint, is_refused=True)
