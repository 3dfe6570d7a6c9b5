"""Decodes the headers of mails, and the names of attached files (RFC 2047)."""

from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header
from typing import Final

from rich_agent.documents.extract.plain import decode, visible

_MOST_CHARS: Final = 2_000


def header_text(value: object) -> str:
    """The text of a header; at most 2,000 characters are read."""
    # Bytes beyond ASCII are kept as surrogates.
    text = decode(str(value).encode("utf-8", "surrogateescape"), None, is_html=False)
    # `decode_header` drops the space at the beginning of a folded line.
    text = "".join(text.splitlines())
    is_cut, text = len(text) > _MOST_CHARS, text[:_MOST_CHARS]
    with suppress(HeaderParseError, ValueError):
        text = "".join(
            piece if isinstance(piece, str) else decode(piece, charset, is_html=False)
            for piece, charset in decode_header(text)
        )
    return " ".join(visible(text).split()) + " …" * is_cut
