"""Guards the links in one line of Markdown, piece by piece; what is open is held back."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import quote

from tld.utils import is_tld

from rich_agent.domain.answer.links import AllowedLinks, FoundLink, find_links, is_web

_TOKEN = re.compile(
    r"""
    (?P<escaped>\\[`<>\[\]!])
    |(?P<ticks>`++)
    |(?P<tag><)
    |(?P<image>!(?=\[))
    |(?P<closing>\])
    |(?P<run>(?:[^\s`<>\[\]!\\\u3000-\u303f\uff01-\uff0c\uff1a-\uff20]
        |!(?!\[)|\\(?![`<>\[\]!\\])|\\\\)++)
    |(?P<other>\s++|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_TICKS = re.compile("`+")
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
_MARK = re.compile(r"(?P<before>[\s>*+.)\d-]*+)(?P<mark>`{3,}+|~{3,}+)")
_OPEN_MARK = re.compile(r"[\s>*+.)\d-]*+(?:`{3}|~{3}|[`~]{0,2}\Z)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_STYLE = re.compile(r"[*_~|]++")
_ANY_SCHEME = re.compile(r"(?<![:/\w])//[\w\[]")
_ANY_HOST = re.compile(r"(?<=[^\s.])\.(xn--[a-z0-9-]++|[^\W\d_]{2,24}+)", re.IGNORECASE)
_JOINED = tuple("\\/:@.%#?&+-")
"""Before a code span, a client may read these and the span as one address."""
_LEAD, _TRAIL = "(*_~|\"'“‘「『（【《", ")*_~|\"'.,;:!?”’」』）】》、。！？"
_SPLITS = re.compile(r"[\s`|$\\\[\]<>]")
_FORMULA = re.compile(r"\$|\\[(\[]")
_UNSEEN = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]++")
_LONGEST_SPAN_MARK = 2
"""A longer run may close a block that a client takes for a part of the paragraph."""


def has_open_formula(line: str) -> bool:
    """Whether a formula of several lines begins or ends here, for clients that know any."""
    blocks = line.count("$$") + (line.strip() == "$") + line.count("\\[") + line.count("\\]")
    return blocks % 2 == 1


def guard_line(
    line: str,
    allowed: AllowedLinks,
    *,
    is_growing: bool = False,
    is_ambiguous: bool = False,
    is_mark: bool = False,
) -> str:
    """The line with links to allowed places only; if it grows, what cannot change any more.

    `is_ambiguous`: a client may read what looks like code as text. `is_mark`: marks of a block of
    code that begin it stay.
    """
    if is_growing and _OPEN_MARK.match(line):
        return ""
    start = ""
    if is_mark and (mark := _MARK.match(line)):
        start, line = mark[0], line[mark.end() :]
    guard = _Line(line, allowed, is_growing=is_growing, is_ambiguous=is_ambiguous)
    return start + guard.guarded()


@dataclass(slots=True)
class _Line:
    line: str
    allowed: AllowedLinks
    is_growing: bool = False
    is_ambiguous: bool = False
    _last: str = ""
    _formula_from: int | None = None

    def guarded(self) -> str:
        closings = _closing_ticks(self.line)
        words = [found.start() for found in re.finditer(r"[^\W\d_]", self.line)][:2]
        parts: list[str] = []
        position = 0
        while position < len(self.line):
            found = _TOKEN.match(self.line, position)
            if found is None:  # pragma: no cover - `other` takes any character
                break
            if found["ticks"]:
                shown, end = self._code(found, closings)
            elif found["tag"]:
                shown, end = self._tag(position)
            elif found["closing"]:
                shown, end = self._closing(position, words)
            else:
                shown, end = self._plain(found), found.end()
            if shown is None:
                break
            parts.append(self._apart(shown))
            position = end
        return "".join(parts)

    def _apart(self, shown: str) -> str:
        """Two code spans side by side would be read as other ones."""
        apart = f" {shown}" if self._last == "`" and shown.startswith("`") else shown
        self._last = shown[-1:]
        return apart

    def _plain(self, found: re.Match[str]) -> str | None:
        is_open = self.is_growing and found.end() == len(self.line)
        if is_open and not found["escaped"]:
            return None
        if found["image"]:
            return "! "
        return _without_links(found[0], self.allowed) if found["run"] else found[0]

    def _code(
        self, opening: re.Match[str], closings: Mapping[int, re.Match[str]]
    ) -> tuple[str | None, int]:
        size, begin = len(opening[0]), opening.end()
        closing = closings.get(opening.start())
        if self.is_growing and (closing is None or closing.end() == len(self.line)):
            return None, begin
        escaped = "\\`" * size
        if closing is None or size > _LONGEST_SPAN_MARK:
            return escaped, begin
        code = self.line[begin : closing.start()]
        if "```" in code or (self._is_doubtful(opening.start(), code) and self._is_harmful(code)):
            return escaped, begin
        return self.line[opening.start() : closing.end()], closing.end()

    def _is_doubtful(self, start: int, code: str) -> bool:
        """Whether a client may read it as two cells of a table, or as a part of a formula."""
        if self._formula_from is None:
            found = _FORMULA.search(self.line)
            self._formula_from = found.start() if found else len(self.line)
        return self.is_ambiguous or "|" in code or self._formula_from < start + 2 + len(code)

    def _is_harmful(self, code: str) -> bool:
        return _Line(code, self.allowed, is_ambiguous=True).guarded() != code

    def _tag(self, position: int) -> tuple[str | None, int]:
        if self.is_growing and _OPEN_TAG.match(self.line, position):
            return None, position
        found = _AUTOLINK.match(self.line, position)
        if found and is_web(found[1]) and self.allowed.permit(found[1]):
            return found[0], found.end()
        return "<" if _NO_TAG.match(self.line, position) else "\\<", position + 1

    def _closing(self, position: int, words: list[int]) -> tuple[str | None, int]:
        """What may be the end of a label: a link follows it, another label, or a definition."""
        end = position + 1
        found = _TARGET.match(self.line, position)
        if found and is_web(found["link"]) and self.allowed.permit(unescape(found["link"])):
            return found[0], found.end()
        if not found and self.is_growing and _OPEN_TARGET.match(self.line, position):
            return None, position
        following = self.line[end : end + 1]
        if following in ("(", "["):
            return "] ", end
        if following == ":" and not self._ends_marker(position, words):
            return "]\\:", end + 1
        return "]", end

    def _ends_marker(self, position: int, words: list[int]) -> bool:
        """Whether it is `[1]` in a sentence, and defines nothing."""
        marker = _MARKER_END.search(self.line, max(0, position - 5), position)
        return marker is not None and len(words) > 1 and words[1] < marker.start()


def _closing_ticks(line: str) -> Mapping[int, re.Match[str]]:
    """The next run of as many ticks for each run, by where it starts."""
    closings: dict[int, re.Match[str]] = {}
    last: dict[int, int] = {}
    for run in _TICKS.finditer(line):
        size = len(run[0])
        if size in last:
            closings[last[size]] = run
        last[size] = run.start()
    return closings


def _without_links(run: str, allowed: AllowedLinks) -> str:
    """A text without spaces, its addresses as code unless they are allowed."""
    parts: list[str] = []
    position = 0
    for link in _separate(find_links(run)):
        if link.start < position:
            continue
        before = run[position : link.start]
        is_beside = parts and not before
        if is_beside or before.endswith(_JOINED) or _leads_anywhere(before, allowed):
            return _as_code(run)
        shown, end = _shown(link, allowed)
        parts += [before, shown]
        position = link.start + end
    if _leads_anywhere(run[position:], allowed):
        return _as_code(run)
    # Read as a whole, styles and escapes removed, it may be an address.
    if not parts and _leads_anywhere(run, allowed):
        return _as_code(run)
    return "".join([*parts, run[position:]])


def _separate(links: Iterator[FoundLink]) -> list[FoundLink]:
    """Links to the web and by mail, in order; mentions and numbers lead nowhere here."""
    return sorted(
        (link for link in links if not link.texts[0].startswith(("@", "+"))),
        key=lambda link: (link.start, -len(link.texts[0])),
    )


def _shown(link: FoundLink, allowed: AllowedLinks) -> tuple[str, int]:
    """What is shown in place of a link, and how many characters that stands for."""
    permitted = next(filter(allowed.permit, link.texts), None)
    if permitted is None:
        return _code_of(link.texts[0]), len(link.texts[0])
    if is_web(permitted):
        return f"<{permitted}>", len(permitted)
    return permitted, len(permitted)


def _leads_anywhere(text: str, allowed: AllowedLinks) -> bool:
    read = unescape(_ESCAPE.sub(r"\1", text))
    seen = _UNSEEN.sub("", read)
    readings = {text, read, seen, _STYLE.sub("", seen), *_STYLE.split(seen)}
    return any(_leads_away(reading, allowed) for reading in readings)


def _leads_away(reading: str, allowed: AllowedLinks) -> bool:
    rest, position = [], 0
    for link in _separate(find_links(reading)):
        permitted = next(filter(allowed.permit, link.texts), None)
        if permitted is None:
            return True
        rest.append(reading[position : link.start])
        position = max(position, link.start + len(permitted))
    left = " ".join([*rest, reading[position:]])
    return bool(_ANY_SCHEME.search(left)) or any(
        is_tld(found[1].lower()) or found[1].lower().startswith("xn--")
        for found in _ANY_HOST.finditer(left)
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
    shown = unescape(_ESCAPE.sub(r"\1", address))
    return f"`{_SPLITS.sub(lambda found: quote(found[0], safe=''), shown)}`"
