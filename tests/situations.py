"""Broken situations, what `rich-agent doctor` says of each, and whether `rich-agent run` ends."""

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Situation:
    """A thing that is wrong.

    `check` is doctor's name for what it looks at; `says` and `hint` are its words, with … for what
    differs from case to case.
    """

    title: str
    check: str
    says: str
    hint: str
    ends_run: bool = False

    def fits(self, finding: dict[str, str]) -> bool:
        """Whether a finding of doctor is the one that is to be expected."""
        words = ((self.says, finding["detail"]), (self.hint, finding["hint"]))
        is_named = self.check in finding["name"] and finding["level"] == "FAIL"
        return is_named and all(_fits(expected, text) for expected, text in words)

    def row(self) -> str:
        """A row of the table in the documentation."""
        end = "ends" if self.ends_run else "goes on"
        return f"| {self.title} | `{self.check}`: {self.says} | {self.hint} | {end} |"


def _fits(words: str, text: str) -> bool:
    return re.search(".*".join(map(re.escape, words.split("…"))), text, re.DOTALL) is not None


_PROXY_HINT: Final = (
    "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, and that the proxy is running. NO_PROXY lists "
    "the hosts that need none."
)
_SERVER_HINT: Final = (
    "Check that PostgreSQL is running, and that the host, the user, the password and the name of "
    "the database in DATABASE_URL are right."
)
_GRANT: Final = "Grant it SELECT, INSERT, UPDATE and DELETE on them, and USAGE on their sequences."
SITUATIONS: Final = {
    "token": Situation(
        "The token is refused",
        "telegram",
        "Unauthorized",
        "Check TELEGRAM_BOT_TOKEN: @BotFather shows the token of your bot.",
        ends_run=True,
    ),
    "model server": Situation(
        "The model server does not run",
        "model server",
        "… cannot be reached",
        "Check OPENAI_BASE_URL, and that the server is running.",
    ),
    "dead proxy": Situation(
        "The proxy does not run",
        "telegram",
        "the proxy … cannot be reached",
        _PROXY_HINT,
    ),
    "expired": Situation(
        "A certificate has expired, or the clock is far off",
        "model server",
        "the certificate of … has expired",
        "Renew it, or set the clock of this machine, which says …",
    ),
    "proxy password": Situation(
        "The proxy wants a password",
        "telegram",
        "the proxy … asks for a name and a password (407 …",
        "Write them into its address: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT.",
    ),
    "self-signed": Situation(
        "A certificate is signed by nobody you trust",
        "model server",
        "the certificate of … is not trusted: self-signed certificate",
        "… For a certificate of your own, name its authority: SSL_CERT_FILE=/path/to/ca.pem.",
    ),
    "telegram": Situation(
        "Telegram is blocked, or its name is not found",
        "telegram",
        "… cannot be reached",
        "Check the network of this machine. Where Telegram is blocked, set HTTPS_PROXY to a "
        "proxy, or TELEGRAM_API_BASE_URL to a Bot API server within reach.",
    ),
    "portal": Situation(
        "A page to sign in answers instead of the model server",
        "model server",
        "it does not answer like an OpenAI-compatible API",
        "Check OPENAI_BASE_URL: it usually ends in /v1.",
    ),
    "quota": Situation(
        "The account of the model server has no credit left",
        "model server",
        "the account has no credit left (429: …)",
        "Add credit to the account of OPENAI_API_KEY, or raise its limit.",
    ),
    "key": Situation(
        "The key has expired, or is wrong",
        "model server",
        "the account is not accepted (401: …)",
        "Check OPENAI_API_KEY (and OPENAI_BASE_URL); it must be allowed to use …",
        ends_run=True,
    ),
    "model": Situation(
        "The model server has no such model",
        "models",
        "CHAT_MODEL: the server at OPENAI_BASE_URL has no model …",
        "Set CHAT_MODEL to one that it has: …",
        ends_run=True,
    ),
    "embedding size": Situation(
        "The embedding model gives vectors of another size than the stored ones",
        "embeddings",
        "… gives vectors of … numbers, not …",
        "Set EMBEDDING_DIMENSIONS=…, then run `ingest sync`.",
    ),
    "password": Situation(
        "The password of the database is wrong",
        "database",
        'PostgreSQL at …: … password authentication failed for user "…"',
        _SERVER_HINT,
        ends_run=True,
    ),
    "no server": Situation(
        "The database does not run",
        "database",
        "PostgreSQL at …: connection failed: …",
        _SERVER_HINT,
        ends_run=True,
    ),
    "pooler": Situation(
        "A pooler in transaction mode stands before the database",
        "database",
        "a pooler in transaction mode stands before PostgreSQL, where no process hears of new "
        "messages",
        "Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or let the pooler pool "
        "sessions (PgBouncer: pool_mode = session).",
        ends_run=True,
    ),
    "no tables": Situation(
        "The database has no tables",
        "database",
        "the database has no tables of rich-agent yet",
        "Run `rich-agent migrate` with a role that may create tables.",
        ends_run=True,
    ),
    "older": Situation(
        "The tables are older than the program",
        "database",
        "the tables are older than this program (revision …, needed …)",
        "Run `rich-agent migrate` with a role that may create tables.",
        ends_run=True,
    ),
    "newer": Situation(
        "The tables are newer than the program",
        "database",
        "the tables are newer than this program (revision …)",
        "Install the version of rich-agent that created them, or a newer one.",
        ends_run=True,
    ),
    "no rights": Situation(
        "The role of the database may not read the tables",
        "database",
        "this role may not read the tables",
        _GRANT,
        ends_run=True,
    ),
    "place": Situation(
        "`DATA_DIR` is read-only, or the disk has no room",
        "database",
        "DATA_DIR: … cannot be used: …",
        "…",
        ends_run=True,
    ),
    "major version": Situation(
        "`DATA_DIR` is of another version of PostgreSQL",
        "database",
        "DATA_DIR: … holds the data of PostgreSQL 15, and the embedded one is …",
        "Set DATA_DIR to another directory. To take the data along, write them with …",
        ends_run=True,
    ),
    "port": Situation(
        "Another program has the port",
        "port",
        "port … is taken by another program",
        "Stop that program, or choose another port: PORT, …",
        ends_run=True,
    ),
    "file": Situation(
        "The file of a secret cannot be read",
        "settings",
        "OPENAI_API_KEY: its file … (OPENAI_API_KEY_FILE) cannot be read: …",
        "Write the path of a file into OPENAI_API_KEY_FILE that holds the value and nothing else.",
        ends_run=True,
    ),
    "webhook": Situation(
        "`WEBHOOK_URL` is not an address that Telegram calls",
        "settings",
        "WEBHOOK_URL: … is not called by Telegram",
        "Write a public https:// address on port 443, 80, 88 or 8443; without one, leave "
        "WEBHOOK_URL out and the bot polls.",
        ends_run=True,
    ),
    "misspelt": Situation(
        "The name of a setting is misspelt",
        "settings",
        "…: there is no such setting",
        "Write … instead…",
        ends_run=True,
    ),
}
BEGIN: Final = "| What is wrong | `rich-agent doctor` fails with | What you do | `run` |"


def table() -> str:
    """The table of the documentation."""
    rows = (situation.row() for situation in SITUATIONS.values())
    return "\n".join((BEGIN, "|---|---|---|---|", *rows))
