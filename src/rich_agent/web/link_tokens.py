"""Guards the links in one line of Markdown, piece by piece; what is open is held back."""

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
"""A longer run may close a block that a client takes for a part of the paragraph."""
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
"""Also what is no address yet: a client may read on, over a tag, a mark or the code behind it."""
_ANY_HOST = re.compile(r"(?<=[^\s.])\.(xn--[a-z0-9-]++|[^\W\d_]{2,24}+)", re.IGNORECASE)
_JOINED = tuple("\\/:@.%#?&+-")
"""Before a code span, a client may read these and the span as one address."""
_LEAD, _TRAIL = "(*_~|\"'“‘「『（【《", ")*_~|\"'.,;:!?”’」』）】》、。！？"
_SPLITS = re.compile(r"[\s`|$\\\[\]<>]")
_FORMULA = re.compile(r"\$|\\[(\[]")
_UNSEEN = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]++")
_MAY_LEAD = re.compile(r"[./:@&\\．｡]")
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST = 2_000
"""Characters of a span of code, an address, or a text without spaces that are read at once."""


@dataclass(slots=True)
class GuardedLine:
    """One line of Markdown while it grows, with links to allowed places only.

    `is_ambiguous`: a client may read what looks like code as text. What may still change is held
    back, and a token that does not end is cut, so the work depends on the piece.
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
        """Read a piece; return what is certain now and was not before."""
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
        """Two code spans side by side would be read as other ones."""
        apart = f" {text}" if self._last == "`" and text.startswith("`") else text
        self._last = text[-1:]
        return apart

    def _leave(self, read: str) -> None:
        """Remember what decides about a later token."""
        if self._letters < 2:
            self._letters += len(_LETTER.findall(read))
        self._has_formula = self._has_formula or self._begins_formula(read)
        self._before = (self._before + read[-5:])[-5:]

    def _begins_formula(self, read: str) -> bool:
        return _FORMULA.search(self._before[-1:] + read) is not None

    def _plain(self, token: re.Match[str], *, is_open: bool) -> str | None:
        if is_open and not token["escaped"]:
            return None
        return "! " if token["image"] else token[0]

    def _run(self, token: re.Match[str]) -> str:
        run = token[0]
        if not _MAY_LEAD.search(run):
            return run
        # Of what has no end, no part is an address, nor what goes on with it.
        if self._is_cut or len(run) >= _LONGEST:
            return _as_code(run)
        return _without_links(run, self.links)

    def _code(
        self, text: str, opening: re.Match[str], *, is_growing: bool
    ) -> tuple[str | None, int]:
        start, begin = opening.span()
        size, most = begin - start, start + _LONGEST
        plain = "\\`" * size
        # The rest of a long run is no shorter one.
        if size not in _CLOSING_TICKS or self._before.endswith("`"):
            return plain, begin
        closing = _CLOSING_TICKS[size].search(text, begin, most)
        # A run of ticks at the end may grow.
        if is_growing and closing and closing.end() == min(len(text), most):
            closing = None
        if closing is None:
            return (None if is_growing and len(text) < most else plain), begin
        code = text[begin : closing.start()]
        is_doubtful = self._is_doubtful(text[start : closing.end()], code)
        if "```" in code or (is_doubtful and self._is_harmful(code)):
            return plain, begin
        return text[start : closing.end()], closing.end()

    def _is_doubtful(self, span: str, code: str) -> bool:
        """Whether a client may read it as two cells of a table, or as a part of a formula."""
        has_formula = self._has_formula or self._begins_formula(span)
        return self.is_ambiguous or "|" in code or has_formula

    def _is_harmful(self, code: str) -> bool:
        line = GuardedLine(self.links, is_ambiguous=True)
        return line.feed(code) + line.end() != code

    def _tag(self, text: str, position: int, *, is_growing: bool) -> tuple[str | None, int]:
        most = position + _LONGEST
        if is_growing and len(text) < most and _OPEN_TAG.match(text, position):
            return None, position
        autolink = _AUTOLINK.match(text, position, most)
        if autolink and is_web(autolink[1]) and self.links.permit(autolink[1]):
            return autolink[0], autolink.end()
        return "<" if _NO_TAG.match(text, position) else "\\<", position + 1

    def _closing(self, text: str, position: int, *, is_growing: bool) -> tuple[str | None, int]:
        """Find a possible end of a label: a link follows it, another label, or a definition."""
        end, most = position + 1, position + _LONGEST
        target = _TARGET.match(text, position, most)
        if target and is_web(target["link"]) and self.links.permit(unescape(target["link"])):
            return target[0], target.end()
        is_open = is_growing and len(text) < most
        if not target and is_open and _OPEN_TARGET.match(text, position):
            return None, position
        following = text[end : end + 1]
        if following in ("(", "["):
            return "] ", end
        if following == ":" and not self._ends_marker():
            return "]\\:", end + 1
        return "]", end

    def _ends_marker(self) -> bool:
        """Whether it is `[1]` in a sentence, and defines nothing."""
        return self._letters > 1 and _MARKER_END.search(self._before) is not None


def _without_links(run: str, links: AllowedLinks) -> str:
    """A text without spaces, its addresses as code unless they are allowed."""
    parts: list[str] = []
    position = 0
    for link in _separate(find_links(run)):
        if link.start < position:
            continue
        before = run[position : link.start]
        is_beside = parts and not before
        if is_beside or before.endswith(_JOINED) or _leads_anywhere(before, links):
            return _as_code(run)
        text, end = _text_of_link(link, links)
        parts += [before, text]
        position = link.start + end
    if _leads_anywhere(run[position:], links):
        return _as_code(run)
    # Read as a whole, styles and escapes removed, it may be an address.
    if not parts and _leads_anywhere(run, links):
        return _as_code(run)
    return "".join([*parts, run[position:]])


def _separate(links: Iterator[FoundLink]) -> list[FoundLink]:
    """Links to the web and by mail, in order; mentions and numbers lead nowhere here."""
    return sorted(
        (link for link in links if not link.texts[0].startswith(("@", "+"))),
        key=lambda link: (link.start, -len(link.texts[0])),
    )


def _text_of_link(link: FoundLink, links: AllowedLinks) -> tuple[str, int]:
    """The text that is shown in place of a link, and how many characters that stands for."""
    address = next(filter(links.permit, link.texts), None)
    if address is None:
        return _code_of(link.texts[0]), len(link.texts[0])
    if is_web(address):
        return f"<{address}>", len(address)
    return address, len(address)


def _leads_anywhere(text: str, links: AllowedLinks) -> bool:
    read = unescape(_ESCAPE.sub(r"\1", text))
    visible = _UNSEEN.sub("", read)
    readings = {text, read, visible, _STYLE.sub("", visible), *_STYLE.split(visible)}
    return any(_leads_away(reading, links) for reading in readings)


def _leads_away(reading: str, links: AllowedLinks) -> bool:
    rest, position = [], 0
    for link in _separate(find_links(reading)):
        address = next(filter(links.permit, link.texts), None)
        if address is None:
            return True
        rest.append(reading[position : link.start])
        position = max(position, link.start + len(address))
    remainder = " ".join([*rest, reading[position:]])
    return bool(_ANY_SCHEME.search(remainder)) or any(
        is_tld(host[1].lower()) or host[1].lower().startswith("xn--")
        for host in _ANY_HOST.finditer(remainder)
    )


def _as_code(run: str) -> str:
    core = run.lstrip(_LEAD)
    inner = core.rstrip(_TRAIL)
    if not inner:
        return _code_of(run)
    lead = run[: len(run) - len(core)]
    return f"{lead}{_code_of(inner)}{core[len(inner) :]}"


def _code_of(address: str) -> str:
    """An address as a code span that no table and no formula takes apart."""
    text = unescape(_ESCAPE.sub(r"\1", address))
    return f"`{_SPLITS.sub(lambda match: quote(match[0], safe=''), text)}`"
