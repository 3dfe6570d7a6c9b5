"""Guards the links in one line of Markdown piece by piece; incomplete tokens are held back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import quote

from tld.utils import is_tld

from rich_agent.domain.answer.links import AllowedLinks, FoundLink, find_links, is_web

_TOKEN = re.compile(
    r"""
    (?P<plain>(?:[\w,;'"()-]{1,40}+[ ]){1,100}(?=\w))
    |(?P<escaped>\\[`<>\[\]!])
    |(?P<ticks>`++)
    |(?P<tag><)
    |(?P<image>!(?=\[))
    |(?P<closing>\])
    |(?P<run>(?:[^\s`<>\[\]!\\\u3000-\u303f\uff01-\uff0c\uff1a-\uff20]
        |!(?!\[)|\\(?![`<>\[\]!\\])|\\\\){1,2000}+)
    |(?P<other>\s{1,2000}+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSING_TICKS = {1: re.compile("(?<!`)`(?!`)"), 2: re.compile("(?<!`)``(?!`)")}
"""Longer runs are no code spans here, because some clients may read them as the end of a block."""
_TARGET = re.compile(
    r"\]\((?P<link>[^\s()<>\[\]`\\]*+(?:\([^\s()<>\[\]`\\]*+\)[^\s()<>\[\]`\\]*+)*+)"
    r'(?:[ ]++"[^"<>`\\]*+")?+\)'
)
_OPEN_TARGET = re.compile(
    r"\](?:\([^\s()<>\[\]`\\]*+(?:\([^\s()<>\[\]`\\]*+(?:\)[^\s()<>\[\]`\\]*+|\Z))*+"
    r'(?:[ ]++(?:"[^"<>`\\]*+(?:"|\Z))?+)?+)?+\Z'
)
_AUTOLINK = re.compile(r"<([^\s<>`\\]*+)>")
_OPEN_TAG = re.compile(r"<[^\s<>`\\]*+\Z")
_NO_TAG = re.compile(r"<(?:[\s\d=<-]|\Z)")
_MARKER_END = re.compile(r"\[\d{1,4}\Z")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_STYLE = re.compile(r"[*_~|]++")
_ANY_SCHEME = re.compile(r"(?<![:/\w])//[\w\[]|://")
"""Also matches incomplete addresses: a client may continue them over a tag, a mark or code."""
_ANY_HOST = re.compile(r"(?<=[^\s.])\.(xn--[a-z0-9-]++|[^\W\d_]{2,24}+)", re.IGNORECASE)
_JOINED = tuple("\\/:@.%#?&+-")
"""A client may read one of these before a code span as one address with the span."""
_LEAD, _TRAIL = "(*_~|\"'“‘「『（【《", ")*_~|\"'.,;:!?”’」』）】》、。！？"
_SPLITS = re.compile(r"[\s`|$\\\[\]<>]")
_FORMULA = re.compile(r"\$|\\[(\[]")
_UNSEEN = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]++")
_MAY_LEAD = re.compile(r"[./:@&\\．｡]")
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST = 2_000
"""Most characters of a code span, an address or a text without spaces that are read at once."""


@dataclass(slots=True)
class GuardedLine:
    """One growing line of Markdown, with links to allowed addresses only.

    `is_ambiguous`: a client may read apparent code as text. Text that may still change is held
    back, and an endless token is cut, so the time depends only on the piece.
    """

    links: AllowedLinks
    is_ambiguous: bool = False
    _rest: str = ""
    _before: str = ""
    _last: str = ""
    _letters: int = 0
    _has_formula: bool = False
    _is_cut: bool = False

    def feed(self, piece: str) -> str:
        """Read a piece; return the text that has become final."""
        return self._read(self._rest + piece, is_growing=True)

    def end(self) -> str:
        """The rest of the line."""
        return self._read(self._rest, is_growing=False)

    def _read(self, text: str, *, is_growing: bool) -> str:
        parts: list[str] = []
        position = 0
        while token := _TOKEN.match(text, position):
            is_open = is_growing and token.end() == len(text)
            if token["run"]:
                output, end = None if is_open else self._run(token), token.end()
            elif token["ticks"]:
                output, end = self._code(text, token, is_growing=is_growing)
            elif token["tag"]:
                output, end = self._tag(text, position, is_growing=is_growing)
            elif token["closing"]:
                output, end = self._closing(text, position, is_growing=is_growing)
            else:
                output, end = self._plain(token, is_open=is_open), token.end()
            if output is None:
                break
            parts.append(self._apart(output))
            self._leave(text[position:end])
            self._is_cut = bool(token["run"]) and end - position >= _LONGEST
            position = end
        self._rest = text[position:]
        return "".join(parts)

    def _apart(self, text: str) -> str:
        """Separate two adjacent code spans, which would be read as one run of ticks."""
        separated_text = f" {text}" if self._last == "`" and text.startswith("`") else text
        self._last = text[-1:]
        return separated_text

    def _leave(self, token_text: str) -> None:
        """Store what matters for later tokens."""
        if self._letters < 2:
            self._letters += len(_LETTER.findall(token_text))
        self._has_formula = self._has_formula or self._begins_formula(token_text)
        self._before = (self._before + token_text[-5:])[-5:]

    def _begins_formula(self, token_text: str) -> bool:
        return _FORMULA.search(self._before[-1:] + token_text) is not None

    def _plain(self, token: re.Match[str], *, is_open: bool) -> str | None:
        if is_open and not token["escaped"]:
            return None
        return "! " if token["image"] else token[0]

    def _run(self, token: re.Match[str]) -> str:
        run = token[0]
        if not _MAY_LEAD.search(run):
            return run
        # A cut token, and the token that continues it, contain no recognizable address.
        if self._is_cut or len(run) >= _LONGEST:
            return _as_code(run)
        return _without_links(run, self.links)

    def _code(
        self, text: str, opening: re.Match[str], *, is_growing: bool
    ) -> tuple[str | None, int]:
        start, code_start = opening.span()
        tick_count, search_end = code_start - start, start + _LONGEST
        escaped_ticks = "\\`" * tick_count
        # The rest of a cut run is not a shorter run.
        if tick_count not in _CLOSING_TICKS or self._before.endswith("`"):
            return escaped_ticks, code_start
        closing = _CLOSING_TICKS[tick_count].search(text, code_start, search_end)
        # A run of ticks at the end may grow.
        if is_growing and closing and closing.end() == min(len(text), search_end):
            closing = None
        if closing is None:
            return (None if is_growing and len(text) < search_end else escaped_ticks), code_start
        code = text[code_start : closing.start()]
        is_doubtful = self._is_doubtful(text[start : closing.end()], code)
        if "```" in code or (is_doubtful and self._is_harmful(code)):
            return escaped_ticks, code_start
        return text[start : closing.end()], closing.end()

    def _is_doubtful(self, span: str, code: str) -> bool:
        """Whether a client may read the span as two cells of a table, or as part of a formula."""
        has_formula = self._has_formula or self._begins_formula(span)
        return self.is_ambiguous or "|" in code or has_formula

    def _is_harmful(self, code: str) -> bool:
        line = GuardedLine(self.links, is_ambiguous=True)
        return line.feed(code) + line.end() != code

    def _tag(self, text: str, position: int, *, is_growing: bool) -> tuple[str | None, int]:
        search_end = position + _LONGEST
        if is_growing and len(text) < search_end and _OPEN_TAG.match(text, position):
            return None, position
        autolink = _AUTOLINK.match(text, position, search_end)
        if autolink and is_web(autolink[1]) and self.links.permit(autolink[1]):
            return autolink[0], autolink.end()
        return "<" if _NO_TAG.match(text, position) else "\\<", position + 1

    def _closing(self, text: str, position: int, *, is_growing: bool) -> tuple[str | None, int]:
        """Read a closing bracket, which a link, another label or a definition may follow."""
        end, search_end = position + 1, position + _LONGEST
        target = _TARGET.match(text, position, search_end)
        if target and is_web(target["link"]) and self.links.permit(unescape(target["link"])):
            return target[0], target.end()
        is_open = is_growing and len(text) < search_end
        if not target and is_open and _OPEN_TARGET.match(text, position):
            return None, position
        next_char = text[end : end + 1]
        if next_char in ("(", "["):
            return "] ", end
        if next_char == ":" and not self._ends_marker():
            return "]\\:", end + 1
        return "]", end

    def _ends_marker(self) -> bool:
        """Whether the bracket ends a marker such as `[1]` in a sentence, and no definition."""
        return self._letters > 1 and _MARKER_END.search(self._before) is not None


def _without_links(run: str, links: AllowedLinks) -> str:
    """A text without spaces; its addresses become code unless they are allowed."""
    parts: list[str] = []
    position = 0
    for link in _separate(find_links(run)):
        if link.start < position:
            continue
        text_before = run[position : link.start]
        is_beside = parts and not text_before
        if is_beside or text_before.endswith(_JOINED) or _leads_anywhere(text_before, links):
            return _as_code(run)
        text, end = _text_of_link(link, links)
        parts += [text_before, text]
        position = link.start + end
    if _leads_anywhere(run[position:], links):
        return _as_code(run)
    # Without styles and escapes, the whole text may be an address.
    if not parts and _leads_anywhere(run, links):
        return _as_code(run)
    return "".join([*parts, run[position:]])


def _separate(links: Iterator[FoundLink]) -> list[FoundLink]:
    """The web links and mail addresses, in order.

    Mentions and phone numbers are left out: they cannot send data to a server.
    """
    return sorted(
        (link for link in links if not link.texts[0].startswith(("@", "+"))),
        key=lambda link: (link.start, -len(link.texts[0])),
    )


def _text_of_link(link: FoundLink, links: AllowedLinks) -> tuple[str, int]:
    """The text to show for a link, and the number of characters that it replaces."""
    allowed_address = next(filter(links.permit, link.texts), None)
    if allowed_address is None:
        return _code_of(link.texts[0]), len(link.texts[0])
    if is_web(allowed_address):
        return f"<{allowed_address}>", len(allowed_address)
    return allowed_address, len(allowed_address)


def _leads_anywhere(text: str, links: AllowedLinks) -> bool:
    unescaped_text = unescape(_ESCAPE.sub(r"\1", text))
    visible = _UNSEEN.sub("", unescaped_text)
    readings = {text, unescaped_text, visible, _STYLE.sub("", visible), *_STYLE.split(visible)}
    return any(_leads_away(reading, links) for reading in readings)


def _leads_away(reading: str, links: AllowedLinks) -> bool:
    texts_between, position = [], 0
    for link in _separate(find_links(reading)):
        allowed_address = next(filter(links.permit, link.texts), None)
        if allowed_address is None:
            return True
        texts_between.append(reading[position : link.start])
        position = max(position, link.start + len(allowed_address))
    remainder = " ".join([*texts_between, reading[position:]])
    return bool(_ANY_SCHEME.search(remainder)) or any(
        is_tld(host[1].lower()) or host[1].lower().startswith("xn--")
        for host in _ANY_HOST.finditer(remainder)
    )


def _as_code(run: str) -> str:
    without_lead = run.lstrip(_LEAD)
    without_trail = without_lead.rstrip(_TRAIL)
    if not without_trail:
        return _code_of(run)
    lead = run[: len(run) - len(without_lead)]
    return f"{lead}{_code_of(without_trail)}{without_lead[len(without_trail) :]}"


def _code_of(address: str) -> str:
    """An address as a code span that neither a table nor a formula can split."""
    text = unescape(_ESCAPE.sub(r"\1", address))
    return f"`{_SPLITS.sub(lambda match: quote(match[0], safe=''), text)}`"
