"""The dialect of Markdown, and LaTeX as readable text (x², ½, ∑ᵢ₌₁ⁿ) or else as code.

Characters that the parser would drop are replaced by private-use characters of one UTF-16 unit
each, so that no offset changes.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import pyromark
from telegramify_markdown.latex_escape.helper import LatexToUnicodeHelper

from rich_agent.domain.text import clean_text

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
)
SPOILER_START, SPOILER_END = "\ue0f3", "\ue0f4"
_SIGNS = {"[": "\ue0f0", "]": "\ue0f1", "<": "\ue0f2", "*": "\ue0f5", "_": "\ue0f6"}
_HIDE = str.maketrans(_SIGNS)
_SHOW = str.maketrans({hidden: sign for sign, hidden in _SIGNS.items()})
_FORGED = re.compile("[\ue0f0-\ue0f6]")
# Citation markers, link definitions and tags, but not <https://…> or [text](<target>).
_SWALLOWED = re.compile(r"\[\d{1,4}\]|\](?=:)|(?<!\]\()<(?!https?://[^\s<>]*>)")
# Marks within an address, or between the factors of a product, are no emphasis.
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>]++")
_IN_ADDRESS = re.compile(r"[*_](?=[*_]{0,8}(?:[./?&=#%~:+-]{0,3}[^\W_]|/))")
_IN_PATH = re.compile(r"(?<=/)_{1,2}(?=\w)|(?<=[A-Za-z])__(?=\.[A-Za-z])")
_TIMES = re.compile(
    r"(?<=[0-9A-Za-z)\]])\*(?=[0-9A-Za-z(\[\\])"
    r"|(?<=[0-9)])\*\*(?=[0-9(])|(?<=\b[A-Za-z])\*\*(?=[0-9(])"
)
_BARS = re.compile(r"(?P<blank>\n(?=[ \t]*+\n))|(?P<line>\n)|(?<![\\|])\|\|(?!\|)")
_ROW = re.compile(r"[ \t>]*+\|(?!\|)")
# Telegram drops direction overrides, which would shift every offset after them.
# Source: TDLib, clean_input_string.
_UNSEEN = re.compile("[\x01-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e]")
# In CommonMark, a mark between punctuation and a letter does not close: **「…」** before a letter
# is not bold. Japanese has no space there, so one is inserted and removed again after parsing.
# Source: CommonMark, "right-flanking".
_LENT_SPACE = "\u1680"
_BOLD = re.compile(r"(?<![*\\])(\*\*)(?=[^\s*])([^\n*]+)(?<=[^\s*\\])\*\*(?!\*)")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x85]")


def protect(markdown: str) -> str:
    """The text for the parser, with the characters replaced that the parser would drop."""
    text = _UNSEEN.sub("", _LINE_ENDS.sub("\n", clean_text(markdown)))
    text = _FORGED.sub("\ufffd", text).replace(_LENT_SPACE, " ")
    if "**" in text and not text.isascii():
        text = _BOLD.sub(rf"{_LENT_SPACE}**\2**{_LENT_SPACE}", text)
    if "||" in text:
        text = _with_spoilers(text)
    if "*" in text or "_" in text:
        text = _ADDRESS.sub(lambda address: _IN_ADDRESS.sub(_hide, address[0]), text)
        text = _TIMES.sub(_hide, _IN_PATH.sub(_hide, text))
    return _SWALLOWED.sub(_hide, text)


def _hide(match: re.Match[str]) -> str:
    """The match with its characters replaced."""
    return match[0].translate(_HIDE)


def _with_spoilers(text: str) -> str:
    """The text with marks for spoilers in place of double bars."""
    text_parts, position, opener = list[str](), 0, -1
    is_row = starts_in_row = bool(_ROW.match(text))
    for sign in _BARS.finditer(text):
        start, end = sign.span()
        if sign["blank"] or sign["line"]:
            is_row = bool(_ROW.match(text, end))
            opener = -1 if sign["blank"] else opener
        elif opener < 0:
            opener, starts_in_row = (start if text[end : end + 1].strip() else -1), is_row
        elif text[start - 1].strip():
            # In a table row, two bars are an empty cell.
            if not starts_in_row:
                spoiler_text = text[opener + 2 : start]
                text_parts += [text[position:opener], SPOILER_START, spoiler_text, SPOILER_END]
                position = end
            opener = -1
    return "".join((*text_parts, text[position:]))


def reveal(text: str) -> str:
    """The text with the original characters; spoiler marks must have been removed."""
    return text.translate(_SHOW)


def without_lent_spaces(text: str) -> str:
    """The text without the spaces that were inserted for the parser."""
    return text.replace(_LENT_SPACE, "")


def verbatim(text: str) -> str:
    """The original text of a part without markup."""
    return reveal(without_lent_spaces(text)).replace(SPOILER_START, "||").replace(SPOILER_END, "||")


_LONGEST = 2000
# The converter adds a mark to every character under a root or a line, including the marks of inner
# ones, so each level doubles the text.
_MOST_LINES = 8
_LINE_OVER = re.compile(r"\\(?:sqrt|over|under|bar|cancel|bcancel|xcancel|sout|widehat|widetilde)")
_BRACKETED = re.compile(
    r"(?<!\\)(?:\\\((?P<inline>(?:[^$\\\n]|\\(?![()])|\n(?![^\S\n]*+\n))++)\\\)"
    r"|\\\[(?P<display>(?:[^$\\\n]|\\(?![\[\]])|\n(?![^\S\n]*+\n))++)\\\])"
)
_SIGN = re.compile(r"\\[a-zA-Z]|[\^_=+<>≤≥±×·/*|]|\d\s*-\s*\d|^\s*[A-Za-z]\s*$")
_WORDS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_OVERLINED = re.compile(r"([√∛∜])((?:[^\u0305]\u0305){2,})")
_SYNONYMS = (
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\(?:boxed|fbox)\{((?:[^{}]|\{[^{}]{0,200}\}){0,200}+)\}"), r"{\1}"),
    (re.compile(r"\\tag\*?\{([^{}]*)\}"), r" (\1)"),
    (re.compile(r"\\(?:displaystyle|textstyle|limits|nolimits)(?![a-zA-Z])"), ""),
)
_ENVIRONMENT = re.compile(r"\\begin\{(\w+)\*?\}")
_ENVIRONMENTS = frozenset(
    (
        *("matrix", "pmatrix", "bmatrix", "vmatrix", "Bmatrix", "Vmatrix", "smallmatrix", "array"),
        *("cases", "align", "aligned", "gather", "gathered", "split", "equation"),
    )
)
_converter = LatexToUnicodeHelper()


def formula_text(latex: str) -> str | None:
    """The formula in Unicode, in several lines for a matrix or cases; None without such a form.

    None also if a command or a brace would be lost.
    """
    if len(latex) > _LONGEST or len(_LINE_OVER.findall(latex)) > _MOST_LINES:
        return None
    if not _ENVIRONMENTS.issuperset(_ENVIRONMENT.findall(latex)):
        return None
    for pattern, replacement in _SYNONYMS:
        latex = pattern.sub(replacement, latex)
    try:
        text = str(_converter.convert(latex))  # type: ignore[no-untyped-call]
    except (ValueError, IndexError, KeyError, RecursionError):
        return None
    # Bars over each character of a longer root are hard to read, so brackets are used.
    text = _OVERLINED.sub(lambda root: f"{root[1]}({root[2].replace(chr(0x305), '')})", text)
    # As a separate character, because Telegram takes "/n" after a bracket for a command.
    text = text.replace("/", "\N{DIVISION SLASH}")
    lines = [" ".join(line.split()) for line in text.strip().splitlines()]
    readable_text = "\n".join(line for line in lines if line)
    return (
        readable_text
        if readable_text and not _COMMAND.search(readable_text) and _is_whole(latex, readable_text)
        else None
    )


def _is_whole(latex: str, text: str) -> bool:
    """Whether the braces come in pairs, and the text is more than the brackets of a fraction."""
    return latex.count("{") == latex.count("}") and bool(re.search(r"[^\s(){}/]", text))


def read_dialect(markdown: str) -> str:
    """The text for the parser: characters protected, formulas marked, other markup written out.

    This other markup is raised and lowered text of HTML (m³), boxed results of LaTeX, and marks of
    footnotes.
    """
    text = mark_formulas(protect(markdown))
    if not _LACKED.search(text):
        return text
    return _outside(_code_ranges(text, with_formulas=True), text, _LACKED, _write_out)


# Markup after `protect`, which has replaced tags and brackets before a colon.
_LACKED = re.compile(
    r"\ue0f2su(?:p>(?P<raised>[^<>\n\\{}]{1,40})\ue0f2/sup|b>(?P<lowered>[^<>\n\\{}]{1,40})\ue0f2/sub)>"
    r"|\\boxed\{(?P<boxed>(?:[^{}\n]|\{[^{}\n]{0,200}\}){1,200}+)\}"
    r"|\[\^(?P<note>[\w-]{1,20})(?:\]|\ue0f1:)",
    re.IGNORECASE,
)


def _write_out(match: re.Match[str]) -> str:
    """The readable text for a match of markup that the parser lacks."""
    if box := match["boxed"]:
        return f"${box}$" if _SIGN.search(verbatim(box)) else box
    if note := match["note"]:
        return (formula_text(f"^{{{note}}}") or note) if note.isdigit() else f"[{note}]"
    sign, text = ("^", match["raised"]) if match["raised"] else ("_", match["lowered"])
    return (formula_text(f"{sign}{{{text}}}") or f"{sign}({text})").translate(_HIDE)


def mark_formulas(markdown: str) -> str:
    """The text with bracketed formulas between dollar signs, and with prices escaped."""
    if "\\(" in markdown or "\\[" in markdown:
        markdown = _with_dollars(markdown)
    while "$" in markdown:
        prices = _prices(markdown)
        if not prices:
            break
        markdown = _escape_at(markdown, prices)
    return markdown


def _with_dollars(markdown: str) -> str:
    """The text with bracketed formulas between dollar signs."""
    return _outside(_code_ranges(markdown), markdown, _BRACKETED, _dollars)


def _outside(
    ranges: Sequence[tuple[int, int]],
    text: str,
    pattern: re.Pattern[str],
    replacement: Callable[[re.Match[str]], str],
) -> str:
    """The text with the matches outside the ranges replaced."""
    text_parts = []
    position = 0
    for start, end in [*ranges, (len(text), len(text))]:
        text_parts += [pattern.sub(replacement, text[position:start]), text[start:end]]
        position = end
    return "".join(text_parts)


def _dollars(match: re.Match[str]) -> str:
    """A bracketed formula between dollar signs; escaped brackets stay."""
    latex = (match["inline"] or match["display"]).strip()
    # "\[1\]" is a bracket escaped for Markdown, not a formula.
    if not _SIGN.search(verbatim(latex)):
        return match[0]
    return f"$${latex}$$" if match["display"] else f"${latex}$"


def _code_ranges(markdown: str, *, with_formulas: bool = False) -> list[tuple[int, int]]:
    """The start and end of each piece of code, in characters."""
    source = markdown.encode()
    ranges = []
    for event, event_range in pyromark.events_with_range(markdown, options=OPTIONS):
        match event:
            case {"InlineMath": _} | {"DisplayMath": _} if not with_formulas:
                continue
            case {"Code": _} | {"Start": {"CodeBlock": _}} | {"InlineMath": _} | {"DisplayMath": _}:
                start = len(source[: event_range["start"]].decode())
                ranges.append(
                    (start, start + len(source[event_range["start"] : event_range["end"]].decode()))
                )
    return ranges


def _prices(markdown: str) -> list[int]:
    """UTF-8 offsets of the dollar signs of prices that would be read as a formula."""
    source = markdown.encode()
    offsets: list[int] = []
    for event, event_range in pyromark.events_with_range(markdown, options=OPTIONS):
        match event:
            case {"InlineMath": str(latex)}:
                following_character = source[event_range["end"] : event_range["end"] + 4].decode(
                    errors="ignore"
                )[:1]
                if following_character.isalnum() or not _is_formula(latex):
                    offsets += (event_range["start"], event_range["end"] - 1)
    return offsets


def _is_formula(latex: str) -> bool:
    """Whether the text between dollar signs is a formula, not a price."""
    latex = verbatim(latex)
    if latex[:1].isdigit() and "\\" not in latex:
        return not _WORDS.search(latex) and bool(_SIGN.search(latex))
    return bool(_SIGN.search(latex)) or not _WORDS.search(latex)


def _escape_at(markdown: str, offsets: list[int]) -> str:
    """The text with a backslash before these UTF-8 offsets."""
    source = markdown.encode()
    edges = [0, *sorted(offsets), len(source)]
    pieces = (source[start:end] for start, end in pairwise(edges))
    return b"\\".join(pieces).decode()
