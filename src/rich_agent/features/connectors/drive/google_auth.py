"""Access tokens of Google, for the key of a service account or for the sign-in of a user.

Source: https://developers.google.com/identity/protocols/oauth2/service-account and .../web-server,
"Refreshing an access token".
"""

import json
import time
from collections.abc import AsyncGenerator, Sequence
from typing import Final, Literal, Self

import httpx
from pydantic import BaseModel, ValidationError
from typing_extensions import override

from rich_agent.feature.connectors import ConnectorError, wait_from

_LIFETIME_S: Final = 3_600
_MARGIN_S: Final = 60.0
_BY_KEY: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_HINT: Final = (
    "Make a new key for the service account, or sign in again, and connect again with the new file."
)


class GoogleCredentials(BaseModel):
    """A file of Google: the key of a service account, or a sign-in that `gcloud` stored."""

    type: Literal["service_account", "authorized_user"]
    client_email: str = ""
    private_key: str = ""
    private_key_id: str = ""
    client_id: str = ""
    client_secret: str = ""
    refresh_token: str = ""
    token_uri: str = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address

    @classmethod
    def read(cls, secret: str) -> Self:
        """Read the content of a credentials file. Raises: ConnectorError for other content."""
        try:
            return cls.model_validate_json(secret)
        except ValidationError as error:
            raise ConnectorError(
                "Google Drive: this is no key of a service account",
                hint="Give the JSON file that Google Cloud made for the key with --secret-file.",
                is_refused=True,
            ) from error

    def grant(self, scopes: Sequence[str], subject: str) -> dict[str, str]:
        """The form of a request for an access token. A service account may act as `subject`.

        Raises: ConnectorError for a key that cannot sign.
        """
        if self.type == "authorized_user":
            return {
                "grant_type": "refresh_token",
                "client_id": self.client_id,
                "client_secret": self.client_secret,
                "refresh_token": self.refresh_token,
            }
        import jwt  # noqa: PLC0415 - heavy, and only for this

        now = int(time.time())
        claims = {
            "iss": self.client_email,
            "scope": " ".join(scopes),
            "aud": self.token_uri,
            "iat": now,
            "exp": now + _LIFETIME_S,
            **({"sub": subject} if subject else {}),
        }
        headers = {"kid": self.private_key_id}
        try:
            assertion = jwt.encode(claims, self.private_key, algorithm="RS256", headers=headers)
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise ConnectorError(
                "Google Drive: the private key is damaged", hint=_HINT, is_refused=True
            ) from error
        return {"grant_type": _BY_KEY, "assertion": assertion}


class GoogleAuth(httpx.Auth):
    """Adds an access token to requests, and gets a new token after the old one has expired."""

    def __init__(
        self, credentials: GoogleCredentials, scopes: Sequence[str], subject: str = ""
    ) -> None:
        self._credentials = credentials
        self._scopes = scopes
        self._subject = subject
        self._token = ""
        self._ends_at = 0.0

    @override
    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        for is_last in (False, True):
            if time.monotonic() > self._ends_at:
                grant = self._credentials.grant(self._scopes, self._subject)
                answer = yield httpx.Request("POST", self._credentials.token_uri, data=grant)
                self._keep(answer.status_code, answer.headers, await answer.aread())
            request.headers["Authorization"] = f"Bearer {self._token}"
            response = yield request
            if response.status_code != httpx.codes.UNAUTHORIZED or is_last:
                return
            self._ends_at = 0.0  # revoked before its time

    def _keep(self, status: int, headers: httpx.Headers, body: bytes) -> None:
        """Keep the token in an answer. Raises: ConnectorError for an answer without a token."""
        try:
            answer = json.loads(body)
            if status == httpx.codes.OK:
                self._token = str(answer["access_token"])
                self._ends_at = time.monotonic() + float(answer["expires_in"]) - _MARGIN_S
                return
            reason = f"{answer.get('error')}: {answer.get('error_description', '')}"
        except (ValueError, KeyError, TypeError, AttributeError):
            reason = "an answer that cannot be read"
        is_passing = status == httpx.codes.TOO_MANY_REQUESTS or status >= 500
        raise ConnectorError(
            f"Google Drive: no access token: {reason[:300]} (HTTP {status})",
            hint="" if is_passing else _HINT,
            after_s=wait_from(headers.get("Retry-After"), time.time()),
            is_refused=not is_passing,
        )
