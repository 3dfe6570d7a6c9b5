"""LaTeX as readable text: x², ½, ∑ᵢ₌₁ⁿ. A formula without such a form is shown as code."""

import re
from itertools import pairwise

import pyromark
from telegramify_markdown.latex_escape.helper import LatexToUnicodeHelper

from rich_agent.rendering.dialect import OPTIONS

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
    """The formula in Unicode, several lines for a matrix or cases; None if it has no such form.

    None also if a command or a brace would get lost.
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
    shown = "\n".join(line for line in lines if line)
    return shown if shown and not _COMMAND.search(shown) and _is_whole(latex, shown) else None


def _is_whole(latex: str, shown: str) -> bool:
    """Whether its braces come in pairs, and more is left than the brackets of a fraction."""
    return latex.count("{") == latex.count("}") and bool(re.search(r"[^\s(){}/]", shown))


def mark_formulas(markdown: str) -> str:
    r"""The text with `\(…\)` and `\[…\]` as `$…$` and `$$…$$`, and prices escaped."""
    if "\\(" in markdown or "\\[" in markdown:
        markdown = _with_dollars(markdown)
    while "$" in markdown:
        prices = _prices(markdown)
        if not prices:
            break
        markdown = _escaped(markdown, prices)
    return markdown


def _with_dollars(markdown: str) -> str:
    code = _code_ranges(markdown)
    parts = []
    position = 0
    for start, end in [*code, (len(markdown), len(markdown))]:
        parts += [_BRACKETED.sub(_dollars, markdown[position:start]), markdown[start:end]]
        position = end
    return "".join(parts)


def _dollars(match: re.Match[str]) -> str:
    latex = (match["inline"] or match["display"]).strip()
    # "\[1\]" is a bracket escaped for Markdown, not a formula.
    if not _SIGN.search(latex):
        return match[0]
    return f"$${latex}$$" if match["display"] else f"${latex}$"


def _code_ranges(markdown: str) -> list[tuple[int, int]]:
    source = markdown.encode()
    ranges = []
    for event, where in pyromark.events_with_range(markdown, options=OPTIONS):
        match event:
            case {"Code": _} | {"Start": {"CodeBlock": _}}:
                start = len(source[: where["start"]].decode())
                ranges.append((start, start + len(source[where["start"] : where["end"]].decode())))
    return ranges


def _prices(markdown: str) -> list[int]:
    """UTF-8 offsets of dollar signs that would be read as a formula but are prices."""
    source = markdown.encode()
    found: list[int] = []
    for event, where in pyromark.events_with_range(markdown, options=OPTIONS):
        match event:
            case {"InlineMath": str(latex)}:
                after = source[where["end"] : where["end"] + 4].decode(errors="ignore")[:1]
                if after.isalnum() or not _is_formula(latex):
                    found += (where["start"], where["end"] - 1)
    return found


def _is_formula(latex: str) -> bool:
    if latex[:1].isdigit() and "\\" not in latex:
        return not _WORDS.search(latex) and bool(_SIGN.search(latex))
    return bool(_SIGN.search(latex)) or not _WORDS.search(latex)


def _escaped(markdown: str, offsets: list[int]) -> str:
    source = markdown.encode()
    edges = [0, *sorted(offsets), len(source)]
    pieces = (source[start:end] for start, end in pairwise(edges))
    return b"\\".join(pieces).decode()
