"""The web chat of this installation: its files, and signing in."""

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.routing import Route

from rich_agent.composition.repositories import Repositories
from rich_agent.domain.access import Access
from rich_agent.settings.settings import Settings
from rich_agent.web.access import Gate
from rich_agent.web.chat.browser_sessions import PageCookies
from rich_agent.web.chat.page_files import PageServer, read_page_files
from rich_agent.web.chat.sign_in import SignIn
from rich_agent.web.routes import guard


@dataclass(frozen=True, slots=True)
class WebChat:
    """The parts that serve the page; its sessions are bound to its public address."""

    sign_in: SignIn

    @property
    def cookies(self) -> PageCookies:
        """The cookies that tell the gate whose session a request belongs to."""
        return self.sign_in.cookies

    def routes(self, gate: Gate, front: str) -> Iterator[Route]:
        """Everything below /chat; sites that CORS_ORIGINS names have no business there."""
        yield from guard(self.sign_in.routes(), gate, front=front)
        yield from guard(self.sign_in.open_routes(), self.sign_in, front=front)
        yield from PageServer(read_page_files(), self.cookies.is_secure).routes(front)


def make_web_chat(settings: Settings, repositories: Repositories, access: Access) -> WebChat | None:
    """The web chat, None if nobody said under which address the page is reached."""
    public, token = settings.web.public_address, settings.telegram.bot_token
    if public is None or token is None:
        return None
    stored = repositories.programs.web_sessions
    cookies = PageCookies(stored, public)
    hears = settings.models.transcription.model is not None
    secret = token.get_secret_value()
    return WebChat(SignIn(cookies, repositories.accounts, access.permits, secret, hears=hears))
