"""Proofs that an event was sent by a service that knows the secret of its source.

Sources: GitHub, "Validating webhook deliveries"; GitLab, "Webhooks", secret token; Gitea and
Forgejo, "Webhooks"; Confluence Data Center, "Managing Webhooks".
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

_SIGNATURES = (
    "x-hub-signature-256",  # GitHub, and Gitea and Forgejo too
    "x-hub-signature",  # Confluence Data Center; GitHub's is SHA-1, which never matches
    "x-gitea-signature",
    "x-forgejo-signature",
)
_TOKEN = "x-gitlab-token"  # noqa: S105 - the name of a header
_BEARER = "bearer "


@dataclass(slots=True)
class EventProof:
    """Compares an event with a secret in constant time.

    The body is fed in parts, which are not kept.
    """

    secret: str
    headers: Mapping[str, str]
    _mac: hmac.HMAC = field(init=False)

    def __post_init__(self) -> None:
        self._mac = hmac.new(self.secret.encode(), digestmod=sha256)

    def feed(self, part: bytes) -> None:
        """Take the next part of the body."""
        self._mac.update(part)

    @property
    def is_genuine(self) -> bool:
        """Whether the event has the secret, or a signature of its body made with the secret."""
        tokens = (self.headers.get(_TOKEN, ""), self._bearer())
        signature = self._mac.hexdigest().encode()
        signatures = [
            self.headers.get(name, "").removeprefix("sha256=").encode() for name in _SIGNATURES
        ]
        # As bytes: a header may contain any character, and compare_digest takes only ASCII text.
        matches = [hmac.compare_digest(proof.encode(), self.secret.encode()) for proof in tokens]
        matches += [hmac.compare_digest(proof, signature) for proof in signatures]
        return any(matches)

    def _bearer(self) -> str:
        header = self.headers.get("authorization", "")
        is_bearer = header[: len(_BEARER)].lower() == _BEARER
        return header[len(_BEARER) :].strip() if is_bearer else ""
