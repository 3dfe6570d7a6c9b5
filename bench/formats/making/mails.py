"""Mails, written by Python's own email."""

from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Final

from bench.formats.making.facts import Draft, Make


def _mail(draft: Draft) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["Subject"] = draft.shown(draft["subject"])
    message["From"] = f"{draft['fields'][0][1]} <sender@example.org>"
    message["To"] = "reader@example.org"
    message["Date"] = "Fri, 13 Mar 2026 10:15:00 +0100"
    return message


def _body(draft: Draft) -> str:
    return "\n\n".join(
        f"{draft.shown(heading)}\n{draft.shown(first)}. {draft.shown(second)}."
        for heading, first, second in draft["clauses"]
    )


def plain(draft: Draft, target: Path) -> None:
    """A mail of plain text with letters beyond ASCII in head and body."""
    message = _mail(draft)
    message.set_content(_body(draft), cte="base64")
    target.write_bytes(message.as_bytes())


def quoted(draft: Draft, target: Path) -> None:
    """A mail in quoted-printable, in a character set of its own."""
    message = _mail(draft)
    charset = {"ru": "koi8-r", "ja": "iso-2022-jp"}.get(draft.language, "iso-8859-1")
    cte = "7bit" if draft.language == "ja" else "quoted-printable"
    message.set_content(_body(draft), charset=charset, cte=cte)
    target.write_bytes(message.as_bytes())


def both(draft: Draft, target: Path) -> None:
    """A mail as text and as HTML that say the same, with a picture that only the HTML shows."""
    message = _mail(draft)
    words = _body(draft)
    message.set_content(words)
    paragraphs = "".join(f"<p>{line}</p>" for line in words.split("\n\n"))
    hidden = f'<div style="display:none">{draft.hidden()}</div>'
    message.add_alternative(f"<html><body>{hidden}{paragraphs}</body></html>", subtype="html")
    target.write_bytes(message.as_bytes())


def page(draft: Draft, target: Path) -> None:
    """A mail that is a page only, with a table."""
    message = _mail(draft)
    head, rows = draft.table()
    lines = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in [head, *rows]
    )
    message.set_content(f"<html><body><table>{lines}</table></body></html>", subtype="html")
    target.write_bytes(message.as_bytes())


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "plain": (plain, ("en", "de", "ja", "hi")),
    "quoted": (quoted, ("de", "ru", "ja")),
    "both": (both, ("en", "fr")),
    "page": (page, ("en", "es")),
}
