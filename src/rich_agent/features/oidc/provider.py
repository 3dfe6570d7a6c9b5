"""The provider: its description, its keys, and its answers about a person, over HTTP."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
from rich_agent.features.oidc.verification import ALGORITHMS, Claims, TokenRules

_MOST_BYTES: Final = 2_000_000
_TIMEOUT_S: Final = 10.0
_DESCRIPTION_KEPT_S: Final = 3_600.0
_KEYS_KEPT_S: Final = 600.0
_KEYS_PAUSE_S: Final = 10.0
"""Least time between two readings of the keys, however many tokens name an unknown one."""
_MOST_KEYS: Final = 100
_SERVICE: Final = "OpenID provider"
_HINT: Final = "Check OIDC_ISSUER, and the network of this machine."
_JSON: Final = TypeAdapter(dict[str, Any])


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
    """The tokens with which the provider is asked about a person again; "" for none."""

    access: str
    refresh: str = ""

    def to_json(self) -> str:
        """The tokens as a text to be sealed."""
        return json.dumps([self.access, self.refresh])

    @classmethod
    def from_json(cls, text: str) -> "ProviderTokens":
        """The tokens in a text of `to_json`."""
        access, refresh = json.loads(text)
        return cls(access, refresh)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A person whom the provider has vouched for: the claims about them, and tokens for later."""

    claims: Claims
    tokens: ProviderTokens


@dataclass(slots=True)
class _Kept:
    """Something that was read from the provider, and when."""

    value: Any = None
    read_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


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
        self._settings, self._redirect_uri, self._clock = settings, redirect_uri, clock
        self._issuer = issuer
        self._http = service_client(issuer, _MOST_BYTES, _TIMEOUT_S)
        self._target = Target.at("sign-in", issuer)
        self._description, self._keys = _Kept(), _Kept()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self._http.aclose()

    async def describe(self) -> Description:
        """The description, at most an hour old.

        Raises: SignInRefusedError if the provider calls itself otherwise.
        """
        async with self._description.lock:
            if self._clock() - self._description.read_at > _DESCRIPTION_KEPT_S:
                value = await self._get(f"{self._issuer}/.well-known/openid-configuration")
                self._description.value = self._checked(value)
                self._description.read_at = self._clock()
        description: Description = self._description.value
        return description

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
        return SignedIn(await self._with_userinfo(claims, tokens), tokens)

    async def look_again(self, subject: str, tokens: ProviderTokens) -> SignedIn:
        """The person as the provider knows them now. Raises: SignInRefusedError if it does not."""
        description = await self.describe()
        if description.userinfo_endpoint:
            claims = await self._userinfo(description.userinfo_endpoint, tokens.access)
            if claims is not None:
                return SignedIn(_about(subject, claims), tokens)
        if not tokens.refresh:
            raise SignInRefusedError("denied", "the token is not accepted any more")
        values = {"grant_type": "refresh_token", "refresh_token": tokens.refresh}
        answer = await self._ask_for_token(values)
        access_token, id_token = answer.get("access_token"), answer.get("id_token")
        if not isinstance(access_token, str):
            raise SignInRefusedError("token", "the provider sent no access token")
        tokens = ProviderTokens(access_token, _refresh_token(answer) or tokens.refresh)
        claims = {"sub": subject}
        if isinstance(id_token, str):
            rules = await self.rules()
            claims = dict(await rules.read_id_token(id_token, access_token=access_token))
        return SignedIn(await self._with_userinfo(_about(subject, claims), tokens), tokens)

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
        async with self._keys.lock:
            age_s = self._clock() - self._keys.read_at
            keys = _with_id(self._keys.value or (), key_id)
            if age_s > _KEYS_KEPT_S or (not keys and age_s > _KEYS_PAUSE_S):
                description = await self.describe()
                self._keys.value = _keys_in(await self._get(description.jwks_uri))
                self._keys.read_at = self._clock()
                keys = _with_id(self._keys.value, key_id)
        return keys

    async def time_difference_s(self) -> float | None:
        """Seconds by which the clock of the provider is ahead; None if it tells no time."""
        address = f"{self._issuer}/.well-known/openid-configuration"
        response = await self._send("GET", address)
        try:
            told_at = parsedate_to_datetime(response.headers.get("Date", ""))
        except ValueError:
            return None
        return told_at.timestamp() - datetime.now(UTC).timestamp()

    async def _with_userinfo(self, claims: Claims, tokens: ProviderTokens) -> Claims:
        """The claims, with those that only the userinfo has."""
        description = await self.describe()
        if description.userinfo_endpoint is None:
            return claims
        info = await self._userinfo(description.userinfo_endpoint, tokens.access)
        return {**claims, **_about(claims["sub"], info)} if info is not None else claims

    async def _userinfo(self, address: str, access_token: str) -> Claims | None:
        """The claims of the userinfo; None if the token is not accepted there."""
        headers = {"Authorization": f"Bearer {access_token}"}
        response = await self._send("GET", address, headers=headers)
        if response.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return None
        return self._json_of(response)

    async def _ask_for_token(self, values: Mapping[str, str]) -> Mapping[str, Any]:
        """The answer of the token endpoint. Raises: SignInRefusedError for what it refuses."""
        description, settings = await self.describe(), self._settings
        secret = settings.client_secret.get_secret_value() if settings.client_secret else ""
        method = _auth_method(secret, description.token_endpoint_auth_methods_supported)
        encode = quote if method == "client_secret_basic" else str
        client = ClientAuth(encode(settings.client_id), encode(secret), method)
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        url, headers, body = client.prepare(
            "POST", description.token_endpoint, headers, urlencode(values)
        )
        response = await self._send("POST", url, headers=headers, content=body)
        if response.status_code in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED}:
            raise _refusal(response)
        return self._json_of(response)

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


def _refusal(response: httpx.Response) -> RichAgentError:
    """The error of a refused token. Source: RFC 6749, section 5.2."""
    try:
        code = _JSON.validate_json(response.content).get("error")
    except ValidationError:
        code = None
    if code == "invalid_grant":
        return SignInRefusedError("code", "the provider does not accept the code or the token")
    hint = "Check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and the redirect address at the provider."
    message = f"it refuses the bot as its client: {code}"
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
    listed = key_set.get("keys")
    for value in listed[:_MOST_KEYS] if isinstance(listed, list) else ():
        try:
            if value["kty"] != "oct":
                keys.append(JWKRegistry.import_key(value))
        except (JoseError, KeyError, TypeError, ValueError):
            continue
    return keys


def _with_id(keys: Sequence[Key], key_id: str | None) -> Sequence[Key]:
    return [key for key in keys if key_id is None or key.kid == key_id]
