"""The provider: its description, its keys, and its answers about a person, over HTTP."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import quote, urlencode

import httpx
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.client import OAuth2Client
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from rich_agent.feature import RichAgentError, UpstreamError, UpstreamUnavailableError
from rich_agent.feature.network import service_client
from rich_agent.feature.reach import Target, explain_failure, in_reach, proxy_of
from rich_agent.features.oidc.refusals import SignInRefusedError
from rich_agent.features.oidc.settings import OidcSettings
from rich_agent.features.oidc.verification import ALGORITHMS, Claims, TokenRules, find_claim

_MOST_BYTES: Final = 2_000_000
_TIMEOUT_S: Final = 10.0
_FAILURE_KEPT_S: Final = 10.0
"""Seconds for which a failure counts, so that many who ask do not wait for one after another."""
_OUTAGE_S: Final = 86_400.0
"""Age up to which what was read before counts while it cannot be read again."""
_DESCRIPTION_KEPT_S: Final = 3_600.0
_KEYS_KEPT_S: Final = 600.0
_KEYS_PAUSE_S: Final = 10.0
"""Least time between two readings of the keys, however many tokens name an unknown one."""
_MOST_KEYS: Final = 100
_SERVICE: Final = "OpenID provider"
_HINT: Final = "Check OIDC_ISSUER, and the network of this machine."
_JSON: Final = TypeAdapter(dict[str, Any])
_REFUSED: Final = frozenset({400, 401, 403})
_OF_CLIENT: Final = frozenset({"invalid_client", "unauthorized_client", "no reason"})
"""Errors of the token endpoint about the bot itself."""
_OF_CODE: Final = frozenset({"invalid_grant", "invalid_code"})
"""Errors about what was given to somebody; the second one is Glewlwyd's."""


class Description(BaseModel):
    """Description of the provider by itself. Source: OpenID Connect Discovery 1.0, section 3."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    id_token_signing_alg_values_supported: list[str] = Field(default_factory=lambda: ["RS256"])
    token_endpoint_auth_methods_supported: list[str] = Field(
        default_factory=lambda: ["client_secret_basic"]
    )
    authorization_response_iss_parameter_supported: bool = False
    backchannel_logout_supported: bool = False

    @property
    def algorithms(self) -> frozenset[str]:
        """The algorithms with which tokens may be signed: announced, and asymmetric."""
        return frozenset(ALGORITHMS) & frozenset(self.id_token_signing_alg_values_supported)


@dataclass(frozen=True, slots=True)
class ProviderTokens:
    """The tokens with which the provider is asked about a person again; "" for none.

    `are_groups_inside` tells that groups came with the ID token alone, and not with the userinfo.
    """

    access: str
    refresh: str = ""
    are_groups_inside: bool = False

    def to_json(self) -> str:
        """The tokens as a text to be sealed."""
        return json.dumps([self.access, self.refresh, self.are_groups_inside])

    @classmethod
    def from_json(cls, text: str) -> "ProviderTokens":
        """The tokens in a text of `to_json`."""
        return cls(*json.loads(text))


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A person whom the provider has vouched for: the claims about them, and tokens for later.

    Without `tells_groups` it said nothing about groups, and what it said before counts.
    """

    claims: Claims
    tokens: ProviderTokens
    tells_groups: bool = True


@dataclass(slots=True)
class _Kept:
    """Something that was read from the provider, when, and how the last reading failed."""

    clock: Callable[[], float]
    value: Any = None
    read_at: float = float("-inf")
    failure: UpstreamError | None = None
    failed_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def age_s(self) -> float:
        """The seconds since it was read."""
        return self.clock() - self.read_at

    async def current(
        self, read: Callable[[], Awaitable[Any]], kept_s: float, *, needs_new: bool = False
    ) -> Any:  # noqa: ANN401 - whatever was read
        """The value that was read, at most `kept_s` old, or older while the provider is away.

        If it `needs_new`, nothing older will do. Raises: UpstreamError, also one of just before.
        """
        if self.lock.locked() and self._is_enough(needs_new=needs_new):
            return self.value
        async with self.lock:
            if self.age_s <= kept_s:
                return self.value
            if self.clock() - self.failed_at > _FAILURE_KEPT_S:
                try:
                    self.value, self.failure = await read(), None
                    self.read_at = self.clock()
                except UpstreamError as error:
                    self.failure, self.failed_at = error, self.clock()
        if self.failure is not None and not self._is_enough(needs_new=needs_new):
            raise self.failure.with_traceback(None)
        return self.value

    def _is_enough(self, *, needs_new: bool) -> bool:
        return not needs_new and self.age_s <= _OUTAGE_S


class Provider:
    """Asks the provider; closed at the end of its `async with` block.

    Every method may raise UpstreamError, if the provider cannot be reached or fails.
    """

    def __init__(
        self,
        settings: OidcSettings,
        redirect_uri: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        issuer = settings.issuer or ""
        self._settings, self._redirect_uri = settings, redirect_uri
        self._issuer = issuer
        self._http = service_client(issuer, _MOST_BYTES, _TIMEOUT_S)
        self._target = Target.at("sign-in", issuer)
        self._description, self._keys = _Kept(clock), _Kept(clock)
        self._are_names_encoded = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self._http.aclose()

    async def describe(self) -> Description:
        """The description, at most an hour old while the provider can be reached.

        Raises: SignInRefusedError if the provider calls itself otherwise.
        """
        description: Description = await self._description.current(
            self._read_description, _DESCRIPTION_KEPT_S
        )
        return description

    async def _read_description(self) -> Description:
        return self._checked(await self._get(f"{self._issuer}/.well-known/openid-configuration"))

    def _checked(self, value: Mapping[str, Any]) -> Description:
        try:
            description = Description.model_validate(value)
        except ValidationError as error:
            raise UpstreamUnavailableError(_SERVICE, "its description is malformed") from error
        if description.issuer.rstrip("/") != self._issuer:
            raise SignInRefusedError(
                "issuer", f"the provider calls itself {description.issuer}, not {self._issuer}"
            )
        endpoints = (
            description.authorization_endpoint,
            description.token_endpoint,
            description.jwks_uri,
            description.userinfo_endpoint or description.token_endpoint,
        )
        schemes = ("https://",) if self._issuer.startswith("https://") else ("https://", "http://")
        if not all(endpoint.startswith(schemes) for endpoint in endpoints):
            raise UpstreamUnavailableError(_SERVICE, "one of its addresses is not https://")
        return description

    async def authorization_url(self, state: str, nonce: str, verifier: str) -> str:
        """The address at which the person signs in, with the challenge of PKCE."""
        description = await self.describe()
        client = OAuth2Client(
            session=None,
            client_id=self._settings.client_id,
            scope=self._settings.scopes,
            redirect_uri=self._redirect_uri,
            code_challenge_method="S256",
        )
        url, _ = client.create_authorization_url(
            description.authorization_endpoint, state, verifier, nonce=nonce
        )
        return str(url)

    async def exchange(self, code: str, verifier: str, nonce: str) -> SignedIn:
        """The person for whom a code was given. Raises: SignInRefusedError."""
        values = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect_uri,
            "code_verifier": verifier,
        }
        answer = await self._ask_for_token(values)
        access_token, id_token = answer.get("access_token"), answer.get("id_token")
        if not isinstance(access_token, str) or not isinstance(id_token, str):
            raise SignInRefusedError("token", "the provider sent no ID token")
        rules = await self.rules()
        claims = await rules.read_id_token(id_token, nonce=nonce, access_token=access_token)
        tokens = ProviderTokens(access_token, _refresh_token(answer))
        info = await self._info(claims["sub"], tokens) or {}
        are_inside = self._has_groups(claims) and not self._has_groups(info)
        return SignedIn({**claims, **info}, replace(tokens, are_groups_inside=are_inside))

    async def look_again(self, subject: str, tokens: ProviderTokens) -> SignedIn:
        """The person as the provider knows them now. Raises: SignInRefusedError if it does not."""
        info = await self._info(subject, tokens)
        if info is not None:
            tells_groups = not tokens.are_groups_inside or self._has_groups(info)
            if tells_groups or not tokens.refresh:
                return SignedIn(info, tokens, tells_groups)
        if not tokens.refresh:
            raise SignInRefusedError("denied", "the token is not accepted any more")
        values = {"grant_type": "refresh_token", "refresh_token": tokens.refresh}
        answer = await self._ask_for_token(values)
        access_token, id_token = answer.get("access_token"), answer.get("id_token")
        if not isinstance(access_token, str):
            raise SignInRefusedError("token", "the provider sent no access token")
        refresh_token = _refresh_token(answer) or tokens.refresh
        tokens = replace(tokens, access=access_token, refresh=refresh_token)
        claims = {"sub": subject}
        if isinstance(id_token, str):
            rules = await self.rules()
            claims = dict(await rules.read_id_token(id_token, access_token=access_token))
        if info is None:
            info = await self._info(subject, tokens) or {}
        tells_groups = isinstance(id_token, str) or not tokens.are_groups_inside
        return SignedIn({**_about(subject, claims), **info}, tokens, tells_groups)

    async def rules(self) -> TokenRules:
        """The rules for tokens of this provider."""
        description = await self.describe()
        return TokenRules(
            description.issuer,
            self._settings.client_id,
            description.algorithms,
            self.keys,
            lambda: datetime.now(UTC),
        )

    async def keys(self, key_id: str | None) -> Sequence[Key]:
        """The keys with this id, or all; an unknown one has them read again, within limits."""
        is_known = bool(_with_id(self._keys.value or (), key_id))
        kept_s = _KEYS_KEPT_S if is_known else _KEYS_PAUSE_S
        keys = await self._keys.current(self._read_keys, kept_s, needs_new=not is_known)
        return _with_id(keys, key_id)

    async def _read_keys(self) -> Sequence[Key]:
        description = await self.describe()
        return _keys_in(await self._get(description.jwks_uri))

    async def time_difference_s(self) -> float | None:
        """Seconds by which the clock of the provider is ahead; None if it tells no time."""
        address = f"{self._issuer}/.well-known/openid-configuration"
        response = await self._send("GET", address)
        try:
            told_at = parsedate_to_datetime(response.headers.get("Date", ""))
        except ValueError:
            return None
        return told_at.timestamp() - datetime.now(UTC).timestamp()

    async def _info(self, subject: str, tokens: ProviderTokens) -> Claims | None:
        """The claims of the userinfo; None if there is none, or it does not accept the token."""
        description = await self.describe()
        if description.userinfo_endpoint is None:
            return None
        info = await self._userinfo(description.userinfo_endpoint, tokens.access)
        return None if info is None else _about(subject, info)

    def _has_groups(self, claims: Claims) -> bool:
        return find_claim(claims, self._settings.groups_claim) is not None

    async def _userinfo(self, address: str, access_token: str) -> Claims | None:
        """The claims of the userinfo; None if the token is not accepted there."""
        headers = {"Authorization": f"Bearer {access_token}"}
        response = await self._send("GET", address, headers=headers)
        if response.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return None
        return self._json_of(response)

    async def _ask_for_token(self, values: Mapping[str, str]) -> Mapping[str, Any]:
        """The answer of the token endpoint. Raises: SignInRefusedError for what it refuses.

        A provider that refuses the bot as its client is asked again with the other way to write
        names in a header, which is the first one from then on.
        """
        description, secret = await self.describe(), self._secret
        method = _auth_method(secret, description.token_endpoint_auth_methods_supported)
        response = await self._send_for_token(values, method)
        has_two_ways = method == "client_secret_basic" and self._are_names_special()
        if has_two_ways and _error_code(response) in _OF_CLIENT:
            self._are_names_encoded = not self._are_names_encoded
            response = await self._send_for_token(values, method)
        if error := _error_code(response):
            raise _refusal(error)
        return self._json_of(response)

    async def _send_for_token(self, values: Mapping[str, str], method: str) -> httpx.Response:
        description = await self.describe()
        is_encoded = method == "client_secret_basic" and self._are_names_encoded
        encode = quote if is_encoded else str
        client = ClientAuth(encode(self._settings.client_id), encode(self._secret), method)
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        url, headers, body = client.prepare(
            "POST", description.token_endpoint, headers, urlencode(values)
        )
        return await self._send("POST", url, headers=headers, content=body)

    def _are_names_special(self) -> bool:
        """Whether RFC 6749, section 2.3.1, encodes the names; not every provider decodes them.

        What is not of ASCII can be in a header in no other way.
        """
        names = self._settings.client_id + self._secret
        return names.isascii() and quote(names) != names

    @property
    def _secret(self) -> str:
        secret = self._settings.client_secret
        return secret.get_secret_value() if secret else ""

    async def _get(self, address: str) -> Mapping[str, Any]:
        return self._json_of(await self._send("GET", address))

    def _json_of(self, response: httpx.Response) -> dict[str, Any]:
        if response.status_code != HTTPStatus.OK:
            message = f"{response.url.path} answers with status {response.status_code}"
            raise UpstreamUnavailableError(_SERVICE, message, hint=_HINT)
        try:
            return _JSON.validate_json(response.content)
        except ValidationError as error:
            message = f"{response.url.path} is no JSON object"
            raise UpstreamUnavailableError(_SERVICE, message, hint=_HINT) from error

    async def _send(self, method: str, url: str, **options: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                response = await self._http.request(method, url, **options)
        except UpstreamError:
            raise
        except RichAgentError as error:  # the network's own refusals
            raise UpstreamUnavailableError(_SERVICE, str(error), hint=error.hint) from error
        except (httpx.TransportError, TimeoutError) as error:
            failure = explain_failure(error, self._target, _HINT, proxy_of(self._issuer))
            raise failure.of_service(_SERVICE) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UpstreamUnavailableError(_SERVICE, str(error), hint=_HINT) from error
        in_reach(self._target)
        return response


def _auth_method(secret: str, supported: Sequence[str]) -> str:
    """The way in which the bot proves who it is at the token endpoint."""
    if not secret:
        return "none"
    return "client_secret_basic" if "client_secret_basic" in supported else "client_secret_post"


def _error_code(response: httpx.Response) -> str:
    """The error for which a token was refused, "" if it was not. Source: RFC 6749, section 5.2."""
    if response.status_code not in _REFUSED:
        return ""
    try:
        return str(_JSON.validate_json(response.content).get("error"))
    except ValidationError:
        return "no reason"


def _refusal(error: str) -> RichAgentError:
    if error in _OF_CODE:
        return SignInRefusedError("code", "the provider does not accept the code or the token")
    hint = "Check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and the redirect address at the provider."
    message = f"it refuses the bot as its client: {error:.100}"
    return UpstreamUnavailableError(_SERVICE, message, hint=hint)


def _refresh_token(answer: Mapping[str, Any]) -> str:
    token = answer.get("refresh_token")
    return token if isinstance(token, str) else ""


def _about(subject: str, claims: Claims) -> Claims:
    """The claims, if they are about this person. Raises: SignInRefusedError."""
    if claims.get("sub") != subject:
        raise SignInRefusedError("token", "the answer is about somebody else")
    return claims


def _keys_in(key_set: Mapping[str, Any]) -> Sequence[Key]:
    """The public keys for signatures that can be read."""
    keys: list[Key] = []
    key_values = key_set.get("keys")
    for value in key_values[:_MOST_KEYS] if isinstance(key_values, list) else ():
        try:
            if value["kty"] != "oct":
                keys.append(JWKRegistry.import_key(value))
        except (JoseError, KeyError, TypeError, ValueError):
            continue
    return keys


def _with_id(keys: Sequence[Key], key_id: str | None) -> Sequence[Key]:
    return [key for key in keys if key_id is None or key.kid == key_id]
