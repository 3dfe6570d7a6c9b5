"""Dovecot with mailboxes of its own, and another program that changes them."""

import getpass
import imaplib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.acceptance.world import free_port, wait_until

_PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
_USER = 65_534  # nobody: Dovecot serves no mail of root
_CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
first_valid_uid = 1
first_valid_gid = 1
mail_location = mdbox:{folder}/mail/%u
mail_uid = {uid}
mail_gid = {gid}
passdb {{
  driver = passwd-file
  args = scheme=plain {folder}/users/%u
}}
userdb {{
  driver = static
  args = home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Dovecot:
    """A running server."""

    folder: Path
    port: int

    def add_user(self, name: str, password: str) -> None:
        """A user with an empty mailbox."""
        (self.folder / "users" / name).write_text(f"{name}:{password}\n")

    def client(self, user: str, password: str) -> imaplib.IMAP4:
        """A connection of another program."""
        client = imaplib.IMAP4("127.0.0.1", self.port)
        client.login(user, password)
        return client


def mail(subject: str, text: str = "text", **headers: str) -> EmailMessage:
    """A mail with plain text."""
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, "bob@example.org", "anna@example.org"
    for name, value in headers.items():
        made[name] = value
    made.set_content(text)
    return made


@contextmanager
def running_dovecot() -> Iterator[Dovecot]:
    """A server with empty mailboxes."""
    if _PROGRAM is None:
        if os.environ.get("RICH_AGENT_REQUIRE_DOVECOT"):
            pytest.fail("dovecot is not installed")
        pytest.skip("dovecot is not installed (Debian: apt install dovecot-imapd)")
    is_root = os.geteuid() == 0
    me = getpass.getuser()
    with tempfile.TemporaryDirectory(prefix="dovecot") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for inner in ("run", "mail", "users"):
            (folder / inner).mkdir()
        if is_root:
            os.chown(folder / "mail", _USER, _USER)
        server = Dovecot(folder, free_port())
        (folder / "dovecot.conf").write_text(
            _CONFIGURATION.format(
                folder=folder,
                port=server.port,
                internal="dovecot" if is_root else me,
                group="dovecot" if is_root else "",
                login="dovenull" if is_root else me,
                uid=_USER if is_root else os.getuid(),
                gid=_USER if is_root else os.getgid(),
            )
        )
        with subprocess.Popen([_PROGRAM, "-F", "-c", folder / "dovecot.conf"]) as running:
            try:
                wait_until(lambda: _greets(server, running), "Dovecot answers")
                yield server
            finally:
                running.terminate()


def _greets(server: Dovecot, running: subprocess.Popen[bytes]) -> bool:
    log = server.folder / "log"
    assert running.poll() is None, log.read_text() if log.exists() else "Dovecot ended"
    with suppress(OSError, imaplib.IMAP4.error):
        imaplib.IMAP4("127.0.0.1", server.port).logout()
        return True
    return False
