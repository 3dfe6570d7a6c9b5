"""A connection to a mailbox over IMAP, with blocking calls. Nothing in the mailbox is changed."""

import imaplib
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from rich_agent.feature.connectors import ConnectorError
from rich_agent.features.connectors.imap.mail_structure import Parsed, fields_of, parse_responses

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

Security = Literal["tls", "starttls", "none"]
_Result = TypeVar("_Result")
_TIMEOUT_S: Final = 60.0
# RFC 5530: codes of refusals that pass.
_PASSING: Final = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")
_LOGIN_HINT: Final = "Make a new app password, and connect the source again with it."
_FOLDER_HINT: Final = "Write the folder as the server names it, such as Archive/2026."
_TLS_HINT: Final = "Use the name that is in the certificate, or a certificate that is trusted."


@dataclass(frozen=True, slots=True)
class FolderStatus:
    """The state of a folder."""

    validity: int
    """Number of the numbering.

    When it changes, the numbers of mails stand for other mails than before.
    """
    mark: str
    """Text that changes when mails are added or removed."""


@dataclass
class MailboxSession:
    """A login. The connection is opened on demand, and again after it broke."""

    host: str
    port: int
    security: Security
    user: str
    secret: str
    _mailbox: "BaseMailBox | None" = None
    _selected: str = ""
    _validity: int = 0

    def status(self, folder: str) -> FolderStatus:
        """The state of a folder. Raises: ConnectorError."""

        def ask(mailbox: "BaseMailBox") -> FolderStatus:
            if self._selected:
                # For an open folder, a server may repeat an old status, so it is closed. Nothing is
                # deleted by this, because the folder was opened read-only.
                self._selected = ""
                mailbox.client.close()
            return _status(mailbox, folder)

        return self._call(folder, ask)

    def uids(self, folder: str) -> list[int]:
        """The numbers of the mails in a folder, without deleted mails. Raises: ConnectorError."""

        def search(mailbox: "BaseMailBox") -> list[int]:
            # In a folder that is open already, a search finds only mails of that time.
            self._selected = ""
            self._select(mailbox, folder)
            return sorted(map(int, mailbox.uids("UNDELETED", charset=None)))

        return self._call(folder, search)

    def validity(self, folder: str) -> int:
        """The validity of the folder when it was last searched or read. Raises: ConnectorError."""

        def select(mailbox: "BaseMailBox") -> int:
            self._select(mailbox, folder)
            return self._validity

        return self._call(folder, select)

    def fetch(self, folder: str, uids: Sequence[int], items: str) -> dict[int, dict[str, Parsed]]:
        """The requested fields of mails by number; missing mails are left out.

        Raises: ConnectorError.
        """

        def fetch(mailbox: "BaseMailBox") -> dict[int, dict[str, Parsed]]:
            self._select(mailbox, folder)
            uid_list = ",".join(map(str, uids))
            status, response_data = mailbox.client.uid("FETCH", uid_list, f"(UID {items})")
            if status != "OK":
                # A server refuses mails that were deleted while the folder was open.
                self._selected = ""
                if _is_passing(_words(response_data)):
                    raise imaplib.IMAP4.abort(_words(response_data))
            responses = [fields_of(response) for response in parse_responses(response_data)]
            return {
                int(str(response["UID"])): response for response in responses if "UID" in response
            }

        return self._call(folder, fetch)

    def close(self) -> None:
        """Close the connection, if it is open."""
        mailbox, self._mailbox, self._selected = self._mailbox, None, ""
        if mailbox is not None:
            with suppress(imaplib.IMAP4.error, OSError):
                mailbox.client.shutdown()

    def _call(self, folder: str, work: "Callable[[BaseMailBox], _Result]") -> _Result:
        """The result of `work`. If an idle connection broke, reconnect and try once more."""
        with self._translate_errors(folder):
            was_open = self._mailbox is not None
            try:
                return work(self._open())
            except (imaplib.IMAP4.abort, OSError):
                self.close()
                if not was_open:
                    raise
            return work(self._open())

    def _open(self) -> "BaseMailBox":
        if self._mailbox is None:
            try:
                self._mailbox = self._connect()
            except imaplib.IMAP4.error as error:
                # Busy servers refuse connections in the greeting.
                raise imaplib.IMAP4.abort(str(error)) from error
            self._mailbox.login_utf8(self.user, self.secret, initial_folder=None)
        return self._mailbox

    def _connect(self) -> "BaseMailBox":
        from imap_tools import (  # noqa: PLC0415 - loaded where it is used
            MailBox,
            MailBoxStartTls,
            MailBoxUnencrypted,
        )

        # imaplib alone would accept any certificate.
        certificates = ssl.create_default_context()
        if self.security == "tls":
            return MailBox(self.host, self.port, timeout=_TIMEOUT_S, ssl_context=certificates)
        if self.security == "starttls":
            return MailBoxStartTls(
                self.host, self.port, timeout=_TIMEOUT_S, ssl_context=certificates
            )
        return MailBoxUnencrypted(self.host, self.port, timeout=_TIMEOUT_S)

    def _select(self, mailbox: "BaseMailBox", folder: str) -> None:
        if self._selected != folder:
            self._selected = ""
            mailbox.folder.set(folder, readonly=True)
            validity = mailbox.client.response("UIDVALIDITY")[1][0]
            self._validity = int(validity.decode()) if isinstance(validity, bytes) else 0
            self._selected = folder

    @contextmanager
    def _translate_errors(self, folder: str) -> Iterator[None]:
        from imap_tools.errors import UnexpectedCommandStatusError  # noqa: PLC0415 - as above

        try:
            yield
        except UnexpectedCommandStatusError as error:
            server_text = _words(error.command_result[1])
            reason = f"{self.host}: the folder {folder} cannot be opened: {server_text}"
            self.close()
            raise _error(reason, server_text, _FOLDER_HINT) from error
        except ssl.SSLCertVerificationError as error:
            self.close()
            reason = f"{self.host}: its certificate is not trusted: {error.verify_message}"
            raise ConnectorError(reason, hint=_TLS_HINT, is_refused=True) from error
        except (imaplib.IMAP4.abort, OSError) as error:
            self.close()
            raise ConnectorError(f"{self.host}: {error}") from error
        except imaplib.IMAP4.error as error:
            self.close()
            server_text = str(error)
            raise _error(f"{self.host} refuses: {server_text}", server_text, _LOGIN_HINT) from error


def _status(mailbox: "BaseMailBox", folder: str) -> FolderStatus:
    items = ["MESSAGES", "UIDNEXT", "UIDVALIDITY"]
    if "CONDSTORE" in mailbox.client.capabilities:
        items.append("HIGHESTMODSEQ")
    status = mailbox.folder.status(folder, items)
    mark = ":".join(str(status.get(name, "")) for name in sorted(items))
    return FolderStatus(status.get("UIDVALIDITY", 0), mark)


def _error(reason: str, server_text: str, hint: str) -> ConnectorError:
    is_passing = _is_passing(server_text)
    return ConnectorError(reason[:500], hint="" if is_passing else hint, is_refused=not is_passing)


def _is_passing(server_text: str) -> bool:
    return any(code in server_text.upper() for code in _PASSING)


def _words(response_data: Sequence[object]) -> str:
    """The text of a server's answer."""
    texts = (item.decode("utf-8", "replace") for item in response_data if isinstance(item, bytes))
    return " ".join(texts)[:300]
