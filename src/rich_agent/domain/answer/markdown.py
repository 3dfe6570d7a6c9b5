"""Markdown that is still being written, completed so that it reads as it will when it is done."""

import re

_FENCE = re.compile(r"^[ ]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
# What a line may begin with; alone it says nothing yet.
_BARE_START = re.compile(r"^\s*+(?:[-*+_=]++|\d{1,3}[.)]?|#{1,6}|>[>\s]*+|[`~]++|\|)?\s*+\Z")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])??(?<!`)\1(?!`)", re.DOTALL)
_OPEN_CODE = re.compile(r"(?<!`)(`+)(?!`)([^`].*)?\Z", re.DOTALL)
_LINK = re.compile(r"!?\[[^\[\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
_OPEN_LINK = re.compile(
    r"!?\[(?P<label>[^\[\]\n]*)(?:\](?:\([^()\n]*+(?:\([^()\n]*+(?:\)[^()\n]*+)?)?)?)?\Z"
)
_OPEN_ADDRESS = re.compile(r"<(?:https?:|mailto:)[^<>\s]*\Z")
_FORMULA = re.compile(
    r"\$\$.(?:[^$]|\$(?!\$))*+\$\$|\\\(.(?:[^\\]|\\(?![()]))*+\\\)|\\\[.(?:[^\\]|\\(?![\[\]]))*+\\\]",
    re.DOTALL,
)
_EMPHASIS = re.compile(r"\*{1,3}|_{1,3}|~~|\|\|")
_TABLE_RULE = re.compile(r"^\s*+\|?+\s*+:?+-++:?+\s*+(?:\|\s*+:?+-*+:?+\s*+)*+\Z")
_MARKUP = re.compile(r"[`*_~|\[<&$]")


def plain_markdown(text: str) -> str:
    """Markdown that reads as the text itself, on one line, whatever marks it holds."""
    safe = _MARKUP.sub(r"\\\g<0>", " ".join(text.split()).replace("\\", "\x00"))
    # A backslash of the text, escaped by another one, could end a formula.
    return safe.replace("\x00", "&#92;")


def complete_markdown(text: str) -> str:
    """The text with everything closed that is open, and without what has no meaning yet.

    A block of code, emphasis and a code span are closed; an unfinished link shows its label; a
    mark at the very end, a table's unfinished row and an unfinished formula are left out.
    """
    before, fence = _split_at_open_fence(text)
    if fence:
        return before + _complete_code(fence)
    head, gap, last = text.rpartition("\n\n")
    opening = _last_fence_end(text)
    if opening > len(head):
        head, gap, last = text[:opening], "", text[opening:]
    block = _complete_block(last)
    return f"{head}{gap}{block}" if block else head


def _split_at_open_fence(text: str) -> tuple[str, str]:
    """Split off the block of code that is open at the end: the text before it, and the block.

    ("", "") without one.
    """
    open_fence: tuple[int, str] | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line.rstrip("\r\n"))
        if fence and open_fence is None:
            open_fence = (position, fence["mark"])
        elif fence and open_fence and _closes(fence, open_fence[1]):
            open_fence = None
        position += len(line)
    return (text[: open_fence[0]], text[open_fence[0] :]) if open_fence else ("", "")


def _closes(line: re.Match[str], mark: str) -> bool:
    return line["mark"].startswith(mark) and not line["info"].strip()


def _last_fence_end(text: str) -> int:
    """Return the end of the last closed block of code; 0 without one."""
    ends = [m.end() for m in re.finditer(r"^[ ]{0,3}(?:`{3,}|~{3,})[ \t]*\n", text, re.MULTILINE)]
    return max(ends, default=0)


def _complete_code(block: str) -> str:
    opening, line_end, code = block.partition("\n")
    fence = _FENCE.match(opening)
    if fence is None or not line_end:
        return ""  # its language is still being written
    body, _, last = code.rpartition("\n")
    if re.fullmatch(r"\s*[`~]{1,2}", last):
        code = body
    return f"{opening}\n{code.rstrip()}\n{fence['mark']}"


def _complete_block(block: str) -> str:
    """A paragraph, list or table at the end of the text, outside any code block."""
    block = _without_open_table(block)
    lines, line_end, last = block.rpartition("\n")
    if _BARE_START.match(last):
        return lines.rstrip()
    return f"{lines}{line_end}{_complete_line(last)}" if line_end else _complete_line(last)


def _without_open_table(block: str) -> str:
    """The block without a table that cannot be told yet, or without its unfinished row."""
    lines = block.split("\n")
    first = next((n for n, line in enumerate(lines) if line.lstrip().startswith("|")), None)
    if first is None:
        return block
    has_rule = len(lines) > first + 2 and _TABLE_RULE.match(lines[first + 1])
    if not has_rule:
        # Without the line of dashes it is no table, and never will be if another line came.
        return "\n".join(lines[:first]) if len(lines) <= first + 2 else block
    # A row is whole when its line has ended: "| a |" may be the beginning of "| a | b |".
    is_open = lines[-1].lstrip().startswith("|")
    return "\n".join(lines[:-1]) if is_open else block


def _complete_line(line: str) -> str:
    blank = _blank_out(line)
    formula = _open_formula(blank)
    if formula is not None:
        return line[:formula].rstrip()
    open_code = _OPEN_CODE.search(blank)
    if open_code:
        closing = open_code[1] if (open_code[2] or "").strip() else ""
        at = len(line) if closing else open_code.start()
        outside = _complete_emphasis(line[: open_code.start()])
        code = line[open_code.start() : at].rstrip()
        return f"{outside[0]}{code}{closing}{outside[1]}"
    open_link = _OPEN_LINK.search(blank)
    if open_link and not line[open_link.start() :].strip("[] ").isdecimal():
        label = line[open_link.start("label") : open_link.end("label")]
        line = line[: open_link.start()] + label
    text, closing = _complete_emphasis(_OPEN_ADDRESS.sub("", line.rstrip("\\")))
    return text + closing


def _open_formula(text: str) -> int | None:
    """Return the start of the formula that is not closed yet, None without one."""
    dollars = text.rfind("$$")
    starts = [
        dollars - (dollars > 0 and text[dollars - 1] == "$"),
        text.find("\\(", text.rfind("\\)") + 1),
        text.find("\\[", text.rfind("\\]") + 1),
    ]
    return min((start for start in starts if start >= 0), default=None)


def _complete_emphasis(line: str) -> tuple[str, str]:
    """The line without a mark at its end that opens nothing, and the marks that close the rest."""
    blank = _blank_out(line)
    open_marks: list[str] = []
    for match in _EMPHASIS.finditer(blank):
        mark = match[0]
        before, after = blank[: match.start()][-1:], blank[match.end() :][:1]
        if mark in open_marks and before.strip():
            del open_marks[open_marks.index(mark) :]
        elif match.end() == len(blank):
            # A mark at the end opens or half closes something: both show later.
            line = line[: match.start()]
        elif after.strip() and not (mark.startswith("_") and before.isalnum()):
            open_marks.append(mark)
    result = line.rstrip()
    if any(mark in open_marks and line.endswith(mark[0]) for mark in ("~~", "||")):
        result = result[:-1]
    return (result, "".join(reversed(open_marks))) if open_marks else (line, "")


def _blank_out(line: str) -> str:
    """The line with finished code, links and formulas as letters: no mark in them counts."""
    for pattern in (_CODE, _LINK, _FORMULA):
        line = pattern.sub(lambda match: "x" * len(match[0]), line)
    return line
