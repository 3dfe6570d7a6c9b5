"""Debian's Glewlwyd as the provider, with one person, and who signs in there without a screen."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from tests.acceptance.world import wait_until

_COMMAND = shutil.which("glewlwyd")
_TABLES = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
_LIBRARIES = Path("/usr/lib/glewlwyd")
_ON = (
    "auth-type-code-enabled",
    "auth-type-id-token-enabled",
    "auth-type-refresh-enabled",
    "refresh-token-rolling",
    "pkce-allowed",
    "jwks-show",
)
_OFF = (
    "allow-non-oidc",
    "auth-type-token-enabled",
    "auth-type-none-enabled",
    "auth-type-password-enabled",
    "auth-type-client-enabled",
    "request-parameter-allow",
)
_PERSON, _PASSWORD = "anna", "Password-123"
Json = dict[str, Any]

with_glewlwyd = pytest.mark.skipif(
    not _COMMAND and not os.environ.get("RICH_AGENT_REQUIRE_GLEWLWYD"),
    reason="Glewlwyd is not installed",
)


@dataclass(frozen=True, slots=True)
class Glewlwyd:
    """A running provider; `operator` is signed in as its administrator."""

    url: str
    operator: httpx.Client

    @property
    def issuer(self) -> str:
        """The address under which it is known."""
        return f"{self.url}/api/oidc"

    def group(self, groups: Sequence[str]) -> None:
        """Have the person be in these groups alone."""
        person = self.operator.get(f"/user/{_PERSON}").raise_for_status().json()
        self.operator.put(f"/user/{_PERSON}", json={**person, "groups": groups}).raise_for_status()

    def sign_in(self, browser: httpx.Client, client: str, link: str) -> httpx.Response:
        """Sign in there, agree, and follow a link of the client: its last answer.

        Its page for passwords is a program, which calls the same addresses and then goes back.
        """
        login = {"username": _PERSON, "password": _PASSWORD}
        browser.post(f"{self.url}/api/auth/", json=login).raise_for_status()
        consent = {"scope": "openid"}
        browser.put(f"{self.url}/api/auth/grant/{client}", json=consent).raise_for_status()
        answer = browser.get(link)
        while answer.has_redirect_location:
            place = answer.headers["location"]
            if "/login.html" in place:
                (back,) = parse_qs(urlsplit(place).query)["callback_url"]
                place = f"{back}&g_continue"
            answer = browser.get(answer.url.join(place))
        return answer


@contextmanager
def running_glewlwyd(folder: Path, port: int, client: Json) -> Iterator[Glewlwyd]:
    """The provider with a client, in a folder of its own."""
    url = f"http://localhost:{port}"
    with sqlite3.connect(folder / "db") as database:
        database.executescript(_TABLES.read_text("utf-8"))
    settings = folder / "glewlwyd.conf"
    settings.write_text(_settings(folder, port))
    line = [_COMMAND or "glewlwyd", f"--config-file={settings}"]
    with (
        subprocess.Popen(line) as process,
        httpx.Client(base_url=f"{url}/api", trust_env=False) as operator,
    ):
        try:
            wait_until(lambda: _is_up(url) or None, "the provider starts")
            _set_up(operator, f"{url}/api/oidc", client)
            yield Glewlwyd(url, operator)
        finally:
            process.terminate()


def _settings(folder: Path, port: int) -> str:
    return f"""
port = {port}
external_url = "http://localhost:{port}"
login_url = "login.html"
api_prefix = "api"
log_mode = "file"
log_level = "WARNING"
log_file = "{folder / "log"}"
cookie_secure = 0
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
hash_algorithm = "SHA512"
user_module_path = "{_LIBRARIES / "user"}"
client_module_path = "{_LIBRARIES / "client"}"
user_auth_scheme_module_path = "{_LIBRARIES / "scheme"}"
plugin_module_path = "{_LIBRARIES / "plugin"}"
database = {{ type = "sqlite3"; path = "{folder / "db"}"; }};
"""


def _is_up(url: str) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(f"{url}/config", trust_env=False).status_code == 200
    return False


def _set_up(operator: httpx.Client, issuer: str, client: Json) -> None:
    """OpenID Connect with groups, a client, and a person, as its page for administrators does."""
    operator.post("/auth/", json={"username": "admin", "password": "password"}).raise_for_status()
    people = operator.get("/mod/user/database").raise_for_status().json()
    rights = dict.fromkeys(("multiple", "read", "write", "profile-read"), True)
    people["parameters"]["data-format"]["groups"] = {**rights, "profile-write": False}
    operator.put("/mod/user/database", json=people).raise_for_status()
    operator.put("/mod/user/database/reset/").raise_for_status()
    protocol = {"module": "oidc", "name": "oidc", "parameters": _protocol(issuer)}
    operator.post("/mod/plugin/", json={**protocol, "display_name": "OIDC"}).raise_for_status()
    ways = ["code", "refresh_token"]
    options = {
        "confidential": True,
        "authorization_type": ways,
        "scope": ["openid"],
        "enabled": True,
    }
    operator.post("/client/", json={**client, **options, "scope": ["openid"]}).raise_for_status()
    person = {"username": _PERSON, "password": _PASSWORD, "name": "Anna Berg", "groups": []}
    scopes = {"scope": ["openid", "g_profile"], "enabled": True}
    operator.post("/user/", json={**person, **scopes}).raise_for_status()


def _protocol(issuer: str) -> Json:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    groups = {"name": "groups", "user-property": "groups", "type": "string", "mandatory": True}
    return {
        **dict.fromkeys(_ON, True),
        **dict.fromkeys(_OFF, False),
        "iss": issuer,
        "jwt-type": "rsa",
        "jwt-key-size": "256",
        "key": private.decode(),
        "cert": public.decode(),
        "access-token-duration": 3_600,
        "refresh-token-duration": 1_209_600,
        "code-duration": 600,
        "scope": [],
        "allowed-scope": ["openid"],
        "additional-parameters": [],
        "claims": [{**groups, "on-demand": False, "scope": []}],
        "subject-type": "public",
        "address-claim": {"type": "no"},
        "name-claim": "mandatory",
        "email-claim": "no",
        "scope-claim": "no",
    }
