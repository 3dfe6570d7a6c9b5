"""A site on the loopback for tests of fetching, and how they fetch: soon tired, let in there."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rich_agent.documents.fetch.fetching import FetchOptions
from rich_agent.domain.intranet import Intranet
from tests.integration.sandbox_openai.serving import served

QUICK = FetchOptions(
    timeout_s=5,
    deadline_s=10,
    first_wait_s=0.01,
    max_wait_s=1,
    gone_wait_s=0,
    intranet=Intranet.parse(["127.0.0.1"]),
)
Answer = Callable[[Request], Response]


@dataclass
class Site:
    """A site that answers in turn what it was given, the last answer for ever.

    What is in `pages` (by path) is answered from there, and is not counted among the requests.
    """

    answers: list[Answer]
    pages: dict[str, Response]
    requests: list[Request] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        """The page of that path, or the next answer."""
        if request.url.path in self.pages:
            return self.pages[request.url.path]
        self.requests.append(request)
        at = min(len(self.requests), len(self.answers)) - 1
        return self.answers[at](request)


@contextmanager
def site(
    *answers: Answer | Response, pages: Mapping[str, Response] | None = None
) -> Iterator[tuple[Site, str]]:
    """A running site and its address; it has no robots.txt unless `pages` holds one."""
    known = {"/robots.txt": Response(status_code=404), **(pages or {})}
    made = Site([_always(a) if isinstance(a, Response) else a for a in answers], known)
    if not made.answers:
        made.answers.append(_always(Response(status_code=404)))
    with served(Starlette(routes=[Route("/{path:path}", made.answer)])) as url:
        yield made, url


def _always(response: Response) -> Answer:
    return lambda _: response
