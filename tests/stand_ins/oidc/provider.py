"""The hostile provider: discovery, keys, codes, tokens and userinfo, each bent as a test wants."""

import asyncio
import hmac
import json
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from rich_agent.runtime.lifetime import listening, serve_http

CLIENT, SECRET = "rich agent", "s3cret of the client: é%"
LOGOUT = "http://schemas.openid.net/event/backchannel-logout"
Json = dict[str, Any]


def unsigned(claims: Mapping[str, Any]) -> str:
    """A token that claims to need no signature."""
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    encoded = [_base64(json.dumps(part).encode()) for part in parts]
    return ".".join([*encoded, ""])


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass(slots=True)
class HostileProvider:
    """A provider whose answers a test may bend; `bent` replaces claims, None leaves one out."""

    url: str = ""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    published: list[RSAKey] = field(default_factory=list)
    person: Json = field(default_factory=lambda: {"sub": "anna", "name": "Anna Berg"})
    groups: list[str] = field(default_factory=list)
    bent: Json = field(default_factory=dict)
    sign: Any = None
    described: Json = field(default_factory=dict)
    answer: Json = field(default_factory=dict)
    codes: dict[str, Json] = field(default_factory=dict)
    client: str = ""
    """The name and the secret of its client, as they have to be in a header; "" for any."""
    code_error: str = ""
    """What it says, with a status as Glewlwyd's, of every code; "" where they are accepted."""
    calls: list[str] = field(default_factory=list)
    token_works: bool = True
    refresh_works: bool = True
    is_away: bool = False
    tells_groups_as_info: bool = True
    gives_refresh_token: bool = True
    pause: asyncio.Event | None = None

    def id_token(self, **values: Any) -> str:
        """A token about the person; `values` are claims."""
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            **self.person,
            **({"groups": self.groups} if self.groups else {}),
            **values,
            **self.bent,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.sign is not None:
            return str(self.sign(claims))
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)

    def signed_with_public_key(self, claims: Mapping[str, Any]) -> str:
        """A token whose signature is a hash with the public key as the secret."""
        parts = ({"alg": "HS256", "kid": self.key.kid}, dict(claims))
        signed = ".".join(_base64(json.dumps(part).encode()) for part in parts)
        signature = hmac.digest(self.key.as_pem(private=False), signed.encode(), "sha256")
        return f"{signed}.{_base64(signature)}"

    def logout_token(self, **values: Any) -> str:
        """A notice that the person has signed out; `values` are claims."""
        claims = {"jti": str(time.monotonic_ns()), "events": {LOGOUT: {}}, **values}
        return self.id_token(**{"name": None, "groups": None, **claims})

    async def discovery(self, _request: Request) -> Response:
        """The description."""
        self.calls.append("discovery")
        description = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            "authorization_response_iss_parameter_supported": True,
            "backchannel_logout_supported": True,
        }
        return self._reply({**description, **self.described})

    async def jwks(self, _request: Request) -> Response:
        """The public keys."""
        self.calls.append("jwks")
        keys = self.published or [self.key]
        return self._reply({"keys": [key.as_dict(private=False) for key in keys]})

    async def authorize(self, request: Request) -> Response:
        """Sign in without a question, and lead back."""
        self.calls.append("authorize")
        asked = dict(request.query_params)
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        answer = {"code": code, "state": asked["state"], "iss": self.url, **self.answer}
        answer = {name: value for name, value in answer.items() if value is not None}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}", 303)

    async def token(self, request: Request) -> Response:
        """Exchange a code once, for whom it was given, or a token for a new one."""
        self.calls.append("token")
        values = {name: one[0] for name, one in parse_qs((await request.body()).decode()).items()}
        header = request.headers.get("authorization", "")
        self.calls.append(header)
        if self.client and b64decode(header.removeprefix("Basic ")).decode() != self.client:
            return JSONResponse({"error": "unauthorized_client"}, 403)  # as Glewlwyd says it
        if self.code_error:
            return JSONResponse({"error": self.code_error}, 403)
        if values["grant_type"] == "refresh_token":
            if not self.refresh_works:
                return JSONResponse({"error": "invalid_grant"}, 400)
            return self._reply({"access_token": "access-2", "id_token": self.id_token()})
        asked = self.codes.pop(values["code"], None)
        if asked is None or not _proves(values.get("code_verifier", ""), asked):
            return JSONResponse({"error": "invalid_grant"}, 400)
        return self._reply(
            {
                "access_token": "access-1",
                **({"refresh_token": "refresh-1"} if self.gives_refresh_token else {}),
                "token_type": "Bearer",
                "id_token": self.id_token(nonce=asked["nonce"]),
            }
        )

    async def userinfo(self, _request: Request) -> Response:
        """The person's name now, and their groups, once the pause is over."""
        self.calls.append("userinfo")
        if self.pause is not None:
            await self.pause.wait()
        if not self.token_works:
            return JSONResponse({"error": "invalid_token"}, 401)
        groups = {"groups": self.groups} if self.tells_groups_as_info else {}
        return self._reply({**self.person, **groups})

    def _reply(self, value: Json) -> Response:
        return JSONResponse({"error": "away"}, 503) if self.is_away else JSONResponse(value)

    def app(self) -> Starlette:
        """Its addresses."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.discovery),
                Route("/jwks", self.jwks),
                Route("/authorize", self.authorize),
                Route("/token", self.token, methods=["POST"]),
                Route("/userinfo", self.userinfo),
            ]
        )


def _proves(verifier: str, asked: Mapping[str, str]) -> bool:
    """Whether the verifier fits the challenge of PKCE."""
    challenge = _base64(sha256(verifier.encode()).digest())
    return asked["code_challenge_method"] == "S256" and asked["code_challenge"] == challenge


@asynccontextmanager
async def hostile_provider() -> AsyncIterator[HostileProvider]:
    """A provider that is reached over HTTP while the block runs."""
    provider, stop = HostileProvider(), asyncio.Event()
    with listening("127.0.0.1", 0) as listener:
        provider.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with asyncio.TaskGroup() as group:
            group.create_task(serve_http(provider.app(), listener, stop))
            try:
                yield provider
            finally:
                stop.set()
