"""Explains why no connection to a server came about: its proxy, its certificate, or itself."""

import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx
import httpx2

from rich_agent.errors import Target, UpstreamUnavailableError

_WANTS_PASSWORD = re.compile(r"\b407\b")
_DATES = {9: "is not valid yet", 10: "has expired"}
"""Codes of OpenSSL: X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED."""
_PROXY_ERRORS = (httpx.ProxyError, httpx2.ProxyError)
_DEAD_PROXY_HINT = (
    "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, and that the proxy is running. NO_PROXY lists "
    "the hosts that need none."
)


@dataclass(frozen=True, slots=True)
class ConnectionFailure:
    """A target that could not be reached, the problem in a sentence, and a hint."""

    target: Target
    problem: str
    hint: str

    def of_service(self, service: str) -> UpstreamUnavailableError:
        """The failure as an error of a service."""
        return UpstreamUnavailableError(service, self.problem, hint=self.hint)


def proxy_of(url: str) -> Target | None:
    """The proxy of the environment for this address, without its password; None without one."""
    parts, proxies = urlsplit(url), getproxies()
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address or proxy_bypass(parts.hostname or ""):
        return None
    return Target.at("proxy", address)


def explain_failure(
    error: BaseException, target: Target, hint: str, proxy: Target | None = None
) -> ConnectionFailure:
    """Explain the failure of a library for HTTP to connect to the target, through any `proxy`.

    `hint` is for a target that is simply not there.
    """
    if certificate := next(_certificate_errors(error), None):
        return _explain_certificate(certificate, target)
    if proxy is not None:
        answer = str(error) if isinstance(error, _PROXY_ERRORS) else ""
        return explain_proxy(proxy, answer)
    return ConnectionFailure(target, f"{target.address} cannot be reached", hint)


def explain_proxy(proxy: Target, answer: str) -> ConnectionFailure:
    """Explain why a proxy does not lead on; `answer` is its status, "" if it is not there."""
    if _WANTS_PASSWORD.search(answer):
        return ConnectionFailure(
            proxy,
            f"the proxy {proxy.address} asks for a name and a password ({answer})",
            "Write them into its address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT.",
        )
    if answer:
        return ConnectionFailure(
            proxy,
            f"the proxy {proxy.address} does not connect ({answer})",
            "Its log has the reason. NO_PROXY lists the hosts that need no proxy.",
        )
    return ConnectionFailure(
        proxy, f"the proxy {proxy.address} cannot be reached", _DEAD_PROXY_HINT
    )


def _certificate_errors(error: BaseException) -> Iterator[ssl.SSLCertVerificationError]:
    """The errors of certificates among an error and its causes."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            yield cause
        cause = cause.__cause__ or cause.__context__


def _explain_certificate(error: ssl.SSLCertVerificationError, target: Target) -> ConnectionFailure:
    if flaw := _DATES.get(error.verify_code):
        problem = f"the certificate of {target.address} {flaw}"
        hint = (
            f"Renew it, or set the clock of this machine, which says {datetime.now(UTC):%Y-%m-%d}."
        )
        return ConnectionFailure(target, problem, hint)
    problem = f"the certificate of {target.address} is not trusted: {error.verify_message}"
    hint = (
        "Check the host in the address. For a certificate of your own, name its authority: "
        "SSL_CERT_FILE=/path/to/ca.pem."
    )
    return ConnectionFailure(target, problem, hint)
