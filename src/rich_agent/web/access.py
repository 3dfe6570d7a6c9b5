"""Access over HTTP: a bearer token is admitted before anything of its request is read.

An unknown token costs one short query, and the query only so often for each address.
"""

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from starlette.requests import Request

from rich_agent.domain.tokens import Scope, hash_token, is_token
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.program_access import ApiTokens, TokenHolder
from rich_agent.runtime.concurrency import happens_within, survived
from rich_agent.web.refusals import RequestRefusedError, retry_after

_MOST_KEYS = 10_000


@dataclass(slots=True)
class RateLimit:
    """At most `most` at once for each key, and as many again in `per_s` seconds; 0: no limit.

    It remembers the keys that were counted last. Source: the generic cell rate algorithm.
    """

    most: int
    per_s: float = 60.0
    keys: int = _MOST_KEYS
    now: Callable[[], float] = time.monotonic
    _filled_until: OrderedDict[Hashable, float] = field(default_factory=OrderedDict)

    def remembers(self, key: Hashable) -> bool:
        """Whether the key was counted, not too many others ago."""
        return key in self._filled_until

    def wait_s(self, key: Hashable) -> float:
        """The number of seconds that the next one has to wait."""
        now = self.now()
        until = max(self._filled_until.get(key, now), now) + self._step_s
        return max(0.0, until - now - self.per_s) if self.most else 0.0

    def take(self, key: Hashable) -> float:
        """Count one: 0.0, or how many seconds it has to wait, and then it is not counted."""
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
_HOW = (
    "Send `Authorization: Bearer` with a token of /tokens in Telegram or `rich-agent tokens add`."
)


@dataclass(frozen=True, slots=True)
class Caller:
    """In whose name a request is made; `token_id` is None for the session of a page."""

    user_id: int
    scopes: frozenset[Scope]
    token_id: int | None


class BrowserSessionCookies(Protocol):
    """The sessions of the page, by the cookie of its requests."""

    def secret_of(self, request: Request) -> str | None:
        """The secret of a request that the page itself makes, None for others.

        A cookie is sent by pages of others as well.
        """

    async def holder(self, secret: str) -> TokenHolder | None:
        """The holder of a session that is open. Raises: DatabaseUnavailableError."""


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
    """Admits callers; `permits` tells whether a user may use the bot.

    `requests` are counted for each token and each session, `guesses` for each address. `hearing`
    gives an event that is set when the rights of a user may have changed.
    """

    tokens: ApiTokens
    permits: Callable[[int, bool | None], bool]
    requests: RateLimit
    guesses: RateLimit = field(default_factory=lambda: RateLimit(GUESSES_A_MINUTE))
    sessions: BrowserSessionCookies | None = None
    hearing: Callable[[int], AbstractAsyncContextManager[asyncio.Event]] = _hear_nothing

    async def admit(self, request: Request, wanted: Scope | None) -> Caller:
        """Admit the caller; `wanted` is the scope that they need, None if any token will do.

        Raises: RequestRefusedError, DatabaseUnavailableError.
        """
        holder = await self._holder(request)
        if not self.permits(holder.user_id, holder.is_allowed):
            hint = "Ask an admin of the bot for access (/allow)."
            raise RequestRefusedError(
                403, "user_not_permitted", "The user of this token may not use the bot.", hint=hint
            )
        if wanted is not None and wanted not in holder.scopes:
            hint = f"Make a token with the scope {wanted}."
            raise RequestRefusedError(
                403, "wrong_scope", f"This token lacks the scope {wanted}.", hint=hint
            )
        return Caller(holder.user_id, holder.scopes, holder.token_id)

    async def until_refused(self, request: Request, wanted: Scope | None) -> None:
        """Return once a caller who was admitted would not be so again; it is not counted.

        Most answers are complete before anybody looks. While the database is away, all stay.
        """
        await asyncio.sleep(_SETTLED_S)
        async with self.hearing(caller_of(request).user_id) as news:
            while True:
                news.clear()
                wait_s = _LOOK_AGAIN_S
                with survived("web.admission_unknown", DatabaseUnavailableError):
                    holder = await self._still_admitted(request, wanted)
                    if holder is None:
                        return
                    wait_s = _LONGEST_S if holder.lasts_s is None else holder.lasts_s
                await happens_within(news, min(max(wait_s, _CLOCK_STEP_S), _LONGEST_S))

    async def _still_admitted(self, request: Request, wanted: Scope | None) -> TokenHolder | None:
        _, _, token = request.headers.get("authorization", "").partition(" ")
        if token:
            holder = await self.tokens.holder(token.strip())
        else:
            secret = self.sessions.secret_of(request) if self.sessions else None
            holder = await self.sessions.holder(secret) if self.sessions and secret else None
        if holder is None or (wanted is not None and wanted not in holder.scopes):
            return None
        return holder if self.permits(holder.user_id, holder.is_allowed) else None

    async def _holder(self, request: Request) -> TokenHolder:
        given = request.headers.get("authorization")
        if given is None:
            secret = self.sessions.secret_of(request) if self.sessions else None
            if self.sessions is None or secret is None:
                raise RequestRefusedError(401, "missing_token", "A token is needed.", hint=_HOW)
            return await self._looked_up(secret, network_of(request), self.sessions.holder)
        scheme, _, token = given.partition(" ")
        token = token.strip()
        if scheme.casefold() != "bearer" or not is_token(token):
            raise RequestRefusedError(401, "invalid_token", "This is no token.", hint=_HOW)
        return await self._looked_up(token, network_of(request), self.tokens.holder)

    async def _looked_up(
        self, token: str, network: str, find: Callable[[str], Awaitable[TokenHolder | None]]
    ) -> TokenHolder:
        """The holder of a token or a session; one that worked here before is no guess."""
        key = hash_token(token)
        is_known = self.requests.remembers(key)
        # Only wrong tokens are counted: many clients may come from one address, behind a proxy.
        if is_known:
            count(self.requests, key, "too_many_requests")
        else:
            _refuse_for(self.guesses.wait_s(network), "too_many_tries")
        holder = await find(token)
        if holder is None:
            self.guesses.take(network)
            message = "This token is unknown, revoked or expired."
            raise RequestRefusedError(401, "invalid_token", message, hint=_HOW)
        if not is_known:
            self.requests.take(key)
        return holder


def count(limit: RateLimit, key: Hashable, code: str) -> None:
    """Count a request. Raises: RequestRefusedError if there were too many."""
    _refuse_for(limit.take(key), code)


def _refuse_for(wait_s: float, code: str) -> None:
    """Raises: RequestRefusedError if a request has to wait."""
    if wait_s:
        hint = f"Try again in {wait_s + 0.5:.0f} s."
        headers = retry_after(wait_s)
        raise RequestRefusedError(429, code, "Too many requests.", hint=hint, headers=headers)


def network_of(request: Request) -> str:
    """The origin of a request: its address, of IPv6 the network, which one machine may fill."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    mapped = address.ipv4_mapped
    return str(mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))
