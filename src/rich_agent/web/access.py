"""Access over HTTP: a caller is admitted before the body of their request is read.

An unknown token costs one short query, and the number of such queries per address is limited.
"""

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

import structlog
from starlette.requests import Request

from rich_agent.domain.tokens import Scope, TokenHolder, hash_token
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.runtime.concurrency import happens_within, survived
from rich_agent.runtime.memberships import Prepare, prepare_nothing
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.refusals import RequestRefusedError, retry_after

_MOST_KEYS = 10_000


@dataclass(slots=True)
class RateLimit:
    """Admits `most` requests per key at once, and as many more per `per_s` seconds; 0 is no limit.

    Only the most recent keys are stored. Source: the generic cell rate algorithm.
    """

    most: int
    per_s: float = 60.0
    keys: int = _MOST_KEYS
    now: Callable[[], float] = time.monotonic
    _filled_until: OrderedDict[Hashable, float] = field(default_factory=OrderedDict)

    def admit(self, most: int) -> None:
        """Admit so many requests from now on; what a key has used so far counts by the new rate."""
        self.most = most

    def remembers(self, key: Hashable) -> bool:
        """Whether the key is among the most recent keys."""
        return key in self._filled_until

    def wait_s(self, key: Hashable) -> float:
        """The seconds that the next request has to wait."""
        now = self.now()
        filled_until = max(self._filled_until.get(key, now), now) + self._step_s
        return max(0.0, filled_until - now - self.per_s) if self.most else 0.0

    def take(self, key: Hashable) -> float:
        """Count a request, and return 0.0.

        If the request has to wait, return the seconds, and do not count it.
        """
        if wait_s := self.wait_s(key):
            return wait_s
        now = self.now()
        self._filled_until[key] = max(self._filled_until.get(key, now), now) + self._step_s
        self._filled_until.move_to_end(key)
        if len(self._filled_until) > self.keys:
            self._filled_until.popitem(last=False)
        return 0.0

    @property
    def _step_s(self) -> float:
        return self.per_s / self.most if self.most else 0.0


GUESSES_A_MINUTE = 20
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Caller:
    """The user in whose name a request is made; `token_id` is None for the session of a page."""

    user_id: int
    scopes: frozenset[Scope]
    token_id: int | None


class SignIn(Protocol):
    """A way of proving the identity of a caller, such as a token in a header, or a cookie.

    `comes_from_browsers`: browsers also send it with requests of other sites' pages, so it is
    accepted only from the bot's own pages.

    `hint` says how a program can sign in.
    """

    @property
    def comes_from_browsers(self) -> bool:
        """Whether browsers send it automatically."""
        ...

    @property
    def hint(self) -> str:
        """A sentence for callers that are refused, "" for none."""
        ...

    def secret_of(self, request: Request, /) -> str | None:
        """The secret of a request, None if it has none.

        Raises: RequestRefusedError if it is malformed. Only the hash of the secret is stored.
        """

    async def holder(self, secret: str, /) -> TokenHolder | None:
        """The holder of a secret, None if it is not valid. Raises: DatabaseUnavailableError."""


def caller_of(request: Request) -> Caller:
    """The caller who was admitted with this request."""
    caller: Caller = request.state.caller
    return caller


_SETTLED_S = 0.5
_LOOK_AGAIN_S, _CLOCK_STEP_S, _LONGEST_S = 1.0, 0.05, 86_400.0


@asynccontextmanager
async def _hear_nothing(_user_id: int) -> AsyncIterator[asyncio.Event]:
    yield asyncio.Event()


@dataclass(frozen=True, slots=True)
class Gate:
    """Admits callers that sign in in one of several ways; `permits` decides who may use the bot.

    The secrets of programs are preferred to those that browsers send automatically. `requests` are
    counted per secret, `guesses` per address. `hearing` gives an event that is set when the rights
    of a user may have changed. `prepare` finds out what an admitted user may read.
    """

    sign_ins: Sequence[SignIn]
    permits: Callable[[int, bool | None], bool]
    requests: RateLimit
    guesses: RateLimit = field(default_factory=lambda: RateLimit(GUESSES_A_MINUTE))
    pages: OwnPages | None = None
    hearing: Callable[[int], AbstractAsyncContextManager[asyncio.Event]] = _hear_nothing
    prepare: Prepare = prepare_nothing

    async def admit(self, request: Request, scope: Scope | None) -> Caller:
        """Admit the caller; `scope` is the required scope, None if any token is enough.

        Raises: RequestRefusedError, DatabaseUnavailableError.
        """
        holder = await self._holder(request)
        if not self.permits(holder.user_id, holder.is_allowed):
            hint = "Ask an admin of the bot for access."
            raise RequestRefusedError(
                403, "user_not_permitted", "The user of this token may not use the bot.", hint=hint
            )
        if scope is not None and scope not in holder.scopes:
            hint = f"Make a token with the scope {scope}."
            raise RequestRefusedError(
                403, "wrong_scope", f"This token lacks the scope {scope}.", hint=hint
            )
        await self.prepare(holder.user_id)
        return Caller(holder.user_id, holder.scopes, holder.token_id)

    async def wait_for_refusal(self, request: Request, scope: Scope | None) -> None:
        """Return once an admitted caller would be refused; the check does not count as a request.

        The first check is late, because most answers are soon complete. While the database is
        unavailable, no caller is refused.
        """
        await asyncio.sleep(_SETTLED_S)
        async with self.hearing(caller_of(request).user_id) as news_event:
            while True:
                news_event.clear()
                wait_s = _LOOK_AGAIN_S
                with survived("web.admission_unknown", DatabaseUnavailableError):
                    holder = await self._current_holder(request, scope)
                    if holder is None:
                        return
                    wait_s = _LONGEST_S if holder.lasts_s is None else holder.lasts_s
                await happens_within(news_event, min(max(wait_s, _CLOCK_STEP_S), _LONGEST_S))

    async def _current_holder(self, request: Request, scope: Scope | None) -> TokenHolder | None:
        try:
            holder = await _holder(*self._credentials(request))
        except RequestRefusedError:
            return None
        if holder is None or (scope is not None and scope not in holder.scopes):
            return None
        return holder if self.permits(holder.user_id, holder.is_allowed) else None

    def _credentials(self, request: Request) -> tuple[SignIn, str]:
        """The preferred way of signing in that the request has, and its secret.

        What one way refuses may be meant for another one of programs. Raises: RequestRefusedError.
        """
        is_own_page = self.pages is not None and self.pages.ask(request)
        refusal: RequestRefusedError | None = None
        for sign_in_method in sorted(self.sign_ins, key=lambda one: one.comes_from_browsers):
            if sign_in_method.comes_from_browsers and (refusal or not is_own_page):
                continue
            try:
                secret = _secret_of(sign_in_method, request)
            except RequestRefusedError as error:
                refusal = refusal or error
            else:
                if secret is not None:
                    return sign_in_method, secret
        raise refusal or RequestRefusedError(
            401, "missing_token", "A token is needed.", hint=self._hint
        )

    @property
    def _hint(self) -> str:
        return " ".join(filter(None, (sign_in_method.hint for sign_in_method in self.sign_ins)))

    async def _holder(self, request: Request) -> TokenHolder:
        """The holder of a request's secret.

        A secret that was valid before is not limited as a guess.
        """
        sign_in_method, secret = self._credentials(request)
        key, network = hash_token(secret), network_of(request)
        is_known = self.requests.remembers(key)
        # Only wrong tokens are counted: many clients may come from one address, behind a proxy.
        if is_known:
            count(self.requests, key, "too_many_requests")
        else:
            _refuse_for(self.guesses.wait_s(network), "too_many_tries")
        holder = await _holder(sign_in_method, secret)
        if holder is None:
            self.guesses.take(network)
            message = "This token is unknown, revoked or expired."
            raise RequestRefusedError(401, "invalid_token", message, hint=self._hint)
        if not is_known:
            self.requests.take(key)
        return holder


def _secret_of(sign_in_method: SignIn, request: Request) -> str | None:
    try:
        return sign_in_method.secret_of(request)
    except RequestRefusedError:
        raise
    except Exception:  # noqa: BLE001 - a failing way of signing in leaves the others open
        _log.exception("web.sign_in_broke")
        return None


async def _holder(sign_in_method: SignIn, secret: str) -> TokenHolder | None:
    try:
        return await sign_in_method.holder(secret)
    except (DatabaseUnavailableError, RequestRefusedError):
        raise
    except Exception:  # noqa: BLE001 - as in `_secret_of`
        _log.exception("web.sign_in_broke")
        return None


@dataclass(frozen=True, slots=True)
class PageGate:
    """Admits the bot's own pages for users who have not signed in yet."""

    pages: OwnPages | None

    async def admit(self, request: Request, _scope: Scope | None) -> None:
        """Admit a request of an own page, without a caller. Raises: RequestRefusedError."""
        if self.pages is None or not self.pages.ask(request):
            raise RequestRefusedError(
                403,
                "foreign_origin",
                "Another site made this request.",
                hint=f"Open the page at {self.pages.public_url}." if self.pages else "",
            )

    async def wait_for_refusal(self, _request: Request, _scope: Scope | None) -> None:
        """Wait forever, because there is no caller to refuse."""
        await asyncio.Event().wait()


def count(limit: RateLimit, key: Hashable, code: str) -> None:
    """Count a request. Raises: RequestRefusedError if there were too many."""
    _refuse_for(limit.take(key), code)


def _refuse_for(wait_s: float, code: str) -> None:
    """Refuse a request that has to wait. Raises: RequestRefusedError if `wait_s` is not 0."""
    if wait_s:
        hint = f"Try again in {wait_s + 0.5:.0f} s."
        headers = retry_after(wait_s)
        raise RequestRefusedError(429, code, "Too many requests.", hint=hint, headers=headers)


def network_of(request: Request) -> str:
    """The address of a request; for IPv6 its /64 network, as one machine may use all of that."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    ipv4 = address.ipv4_mapped
    return str(ipv4 or ipaddress.ip_network((int(address) >> 64 << 64, 64)))
