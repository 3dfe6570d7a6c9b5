"""Checks the tokens of the provider: signature, issuer, audience, time, nonce.

Only asymmetric algorithms that the provider announces are accepted, so a token is never checked
with a secret that is public. Sources: OpenID Connect Core 1.0, section 3.1.3.7; OpenID Connect
Back-Channel Logout 1.0, section 2.6.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc import jws
from joserfc.errors import ClaimError, ExpiredTokenError, JoseError
from joserfc.jwk import ECKey, Key, OKPKey, RSAKey

from rich_agent.features.oidc.refusals import Reason, SignInRefusedError

ALGORITHMS: Final[Mapping[str, type]] = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), RSAKey),
    **dict.fromkeys(("ES256", "ES384", "ES512"), ECKey),
    **dict.fromkeys(("EdDSA", "Ed25519"), OKPKey),
}
"""The types of keys by the algorithms that may sign tokens."""
CLOCK_SKEW_S: Final = 60
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
_LONGEST: Final = 50_000
_MOST_KEYS: Final = 20
_LOGOUT_LASTS_S: Final = 600
_REASONS: Final[Mapping[str, Reason]] = {
    "iss": "issuer",
    "aud": "audience",
    "azp": "audience",
    "nonce": "nonce",
    "exp": "expired",
    "iat": "expired",
    "nbf": "expired",
}
Claims = Mapping[str, Any]
FindKeys = Callable[[str | None], Awaitable[Sequence[Key]]]
"""Returns the provider's keys with an id, or all if no id is given."""


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Rules for a token: from this issuer, for this client, signed in one of these ways."""

    issuer: str
    client_id: str
    algorithms: frozenset[str]
    keys: FindKeys
    now: Callable[[], datetime]

    async def read_id_token(self, token: str, *, nonce: str = "", access_token: str = "") -> Claims:
        """The claims of an ID token; without `nonce`, of one that came with a refreshed token.

        Raises: SignInRefusedError, UpstreamError if the keys cannot be read.
        """
        header, claims = await self._open(token)
        checked = CodeIDToken(
            claims,
            header,
            {
                "iss": {"essential": True, "value": self.issuer},
                "aud": {"essential": True, "value": self.client_id},
                "sub": {"essential": True},
            },
            {"client_id": self.client_id, "nonce": nonce, "access_token": access_token},
        )
        self._validate(checked)
        return dict(checked)

    async def read_logout_token(self, token: str) -> Claims:
        """The claims of a logout token. Raises: as `read_id_token`."""
        header, claims = await self._open(token)
        if str(header.get("typ", "JWT")).lower() not in {"jwt", "logout+jwt"}:
            raise SignInRefusedError("token", "the token is of another type")
        claims.setdefault("exp", _end_of(claims))
        checked = CodeIDToken(
            claims,
            header,
            {
                "iss": {"essential": True, "value": self.issuer},
                "aud": {"essential": True, "value": self.client_id},
                "jti": {"essential": True},
            },
            {"client_id": self.client_id},
        )
        checked.setdefault("sub", "")
        self._validate(checked)
        events = claims.get("events")
        if not isinstance(events, dict) or not isinstance(events.get(LOGOUT_EVENT), dict):
            raise SignInRefusedError("token", "the token is about no logout")
        if "nonce" in claims:
            raise SignInRefusedError("token", "a logout token has no nonce")
        if not (claims.get("sub") or claims.get("sid")):
            raise SignInRefusedError("token", "the token names neither a person nor a session")
        return dict(checked)

    def _validate(self, claims: CodeIDToken) -> None:
        try:
            claims.validate(int(self.now().timestamp()), CLOCK_SKEW_S)
        except ExpiredTokenError as error:
            raise SignInRefusedError("expired", "the token has expired") from error
        except ClaimError as error:
            reason = _REASONS.get(error.claim, "token")
            raise SignInRefusedError(reason, f"the claim {error.claim} is wrong") from error
        except (JoseError, TypeError, ValueError) as error:
            raise SignInRefusedError("token", "its claims are malformed") from error

    async def _open(self, token: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The header and the claims of a token that one of the provider's keys signed."""
        if len(token) > _LONGEST:
            raise SignInRefusedError("token", "the token is too long")
        try:
            header = dict(jws.extract_compact(token.encode()).headers())
        except (JoseError, AttributeError, TypeError, ValueError) as error:
            raise SignInRefusedError("token", "this is no signed token") from error
        algorithm, key_id = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in self.algorithms:
            raise SignInRefusedError("signature", f"the algorithm {algorithm!r} is not accepted")
        keys = await self.keys(key_id if isinstance(key_id, str) else None)
        for key in keys[:_MOST_KEYS]:
            if isinstance(key, ALGORITHMS[algorithm]) and _fits(key, algorithm):
                try:
                    payload = jws.deserialize_compact(token, key, [algorithm], _REGISTRY).payload
                except (JoseError, TypeError, ValueError):
                    continue
                return header, _claims_in(payload)
        raise SignInRefusedError("signature", "none of the provider's keys signed it")


class _OpenRegistry(jws.JWSRegistry):
    """Accepts header fields that it does not know, except those that a token calls critical."""

    def __init__(self, algorithms: Sequence[str]) -> None:
        super().__init__(algorithms=[*algorithms], strict_check_header=False)


_REGISTRY = _OpenRegistry([*ALGORITHMS])


def _fits(key: Key, algorithm: str) -> bool:
    """Whether the key may check signatures with the algorithm."""
    return key.get("use", "sig") == "sig" and key.get("alg", algorithm) == algorithm


def _claims_in(payload: bytes) -> dict[str, Any]:
    try:
        claims = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise SignInRefusedError("token", "the token holds no JSON") from error
    if not isinstance(claims, dict):
        raise SignInRefusedError("token", "the token holds no claims")
    return claims


def find_claim(claims: Claims, name: str) -> object:
    """The value of a claim, None without it; `realm_access.roles` is one of an object."""
    value: object = claims.get(name) if name else None
    if value is None and "." in name:
        value = claims
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _end_of(claims: Claims) -> object:
    """The end of a logout token without one: providers of before its final version write none."""
    issued_at = claims.get("iat")
    return issued_at + _LOGOUT_LASTS_S if isinstance(issued_at, int | float) else None
