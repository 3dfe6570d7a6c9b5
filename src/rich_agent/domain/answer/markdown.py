"""Completes Markdown that is still being written, so that it looks as it will in the end."""

import re

_FENCE = re.compile(r"^[ ]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
# The start of a line that means nothing yet without more text.
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
    """Markdown that shows exactly this text, on one line."""
    escaped_text = _MARKUP.sub(r"\\\g<0>", " ".join(text.split()).replace("\\", "\x00"))
    # A backslash of the text, escaped by another one, could end a formula.
    return escaped_text.replace("\x00", "&#92;")


def complete_markdown(text: str) -> str:
    """The text with open Markdown closed, and without marks that have no meaning yet.

    Blocks of code, emphasis and code spans are closed. An unfinished link shows its label. A mark
    at the end, an unfinished row of a table and an unfinished formula are left out.
    """
    text_before_fence, fence = _split_at_open_fence(text)
    if fence:
        return text_before_fence + _complete_code(fence)
    head, separator, last_block = text.rpartition("\n\n")
    fence_end = _last_fence_end(text)
    if fence_end > len(head):
        head, separator, last_block = text[:fence_end], "", text[fence_end:]
    block = _complete_block(last_block)
    return f"{head}{separator}{block}" if block else head


def _split_at_open_fence(text: str) -> tuple[str, str]:
    """The text before a block of code that is open at the end, and the block.

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
    """Whether a fence closes a block that this mark opened."""
    return line["mark"].startswith(mark) and not line["info"].strip()


def _last_fence_end(text: str) -> int:
    """The end of the last closed block of code, 0 without one."""
    fence_ends = [
        match.end()
        for match in re.finditer(r"^[ ]{0,3}(?:`{3,}|~{3,})[ \t]*\n", text, re.MULTILINE)
    ]
    return max(fence_ends, default=0)


def _complete_code(block: str) -> str:
    """The open block of code with its closing fence, "" while its first line is unfinished."""
    opening, line_end, code = block.partition("\n")
    fence = _FENCE.match(opening)
    if fence is None or not line_end:
        return ""  # its language is still being written
    body, _, last_line = code.rpartition("\n")
    if re.fullmatch(r"\s*[`~]{1,2}", last_line):
        code = body
    return f"{opening}\n{code.rstrip()}\n{fence['mark']}"


def _complete_block(block: str) -> str:
    """The paragraph, list or table at the end of the text, completed."""
    block = _without_open_table(block)
    earlier_lines, line_end, last_line = block.rpartition("\n")
    if _BARE_START.match(last_line):
        return earlier_lines.rstrip()
    return (
        f"{earlier_lines}{line_end}{_complete_line(last_line)}"
        if line_end
        else _complete_line(last_line)
    )


def _without_open_table(block: str) -> str:
    """The block without its unfinished table row, or without what may become a table."""
    lines = block.split("\n")
    first_row = next(
        (index for index, line in enumerate(lines) if line.lstrip().startswith("|")), None
    )
    if first_row is None:
        return block
    has_rule = len(lines) > first_row + 2 and _TABLE_RULE.match(lines[first_row + 1])
    if not has_rule:
        # Without a second line of dashes it is no table. A third line settles that.
        return "\n".join(lines[:first_row]) if len(lines) <= first_row + 2 else block
    # A row ends with its line: "| a |" may be the beginning of "| a | b |".
    is_open = lines[-1].lstrip().startswith("|")
    return "\n".join(lines[:-1]) if is_open else block


def _complete_line(line: str) -> str:
    """The last line with emphasis, code and links completed."""
    blank = _blank_out(line)
    formula_start = _open_formula(blank)
    if formula_start is not None:
        return line[:formula_start].rstrip()
    open_code = _OPEN_CODE.search(blank)
    if open_code:
        closing = open_code[1] if (open_code[2] or "").strip() else ""
        code_end = len(line) if closing else open_code.start()
        text_and_closing = _complete_emphasis(line[: open_code.start()])
        code = line[open_code.start() : code_end].rstrip()
        return f"{text_and_closing[0]}{code}{closing}{text_and_closing[1]}"
    open_link = _OPEN_LINK.search(blank)
    if open_link and not line[open_link.start() :].strip("[] ").isdecimal():
        label = line[open_link.start("label") : open_link.end("label")]
        line = line[: open_link.start()] + label
    text, closing = _complete_emphasis(_OPEN_ADDRESS.sub("", line.rstrip("\\")))
    return text + closing


def _open_formula(text: str) -> int | None:
    """The start of a formula that is not closed, None without one."""
    dollars_start = text.rfind("$$")
    formula_starts = [
        dollars_start - (dollars_start > 0 and text[dollars_start - 1] == "$"),
        text.find("\\(", text.rfind("\\)") + 1),
        text.find("\\[", text.rfind("\\]") + 1),
    ]
    return min((start for start in formula_starts if start >= 0), default=None)


def _complete_emphasis(line: str) -> tuple[str, str]:
    """The line without a mark at its end that opens nothing, and the marks that close it."""
    blank = _blank_out(line)
    open_marks: list[str] = []
    for match in _EMPHASIS.finditer(blank):
        mark = match[0]
        previous_character, next_character = blank[: match.start()][-1:], blank[match.end() :][:1]
        if mark in open_marks and previous_character.strip():
            del open_marks[open_marks.index(mark) :]
        elif match.end() == len(blank):
            # A mark at the end opens or half closes something: both show later.
            line = line[: match.start()]
        elif next_character.strip() and not (mark.startswith("_") and previous_character.isalnum()):
            open_marks.append(mark)
    completed_line = line.rstrip()
    if any(mark in open_marks and line.endswith(mark[0]) for mark in ("~~", "||")):
        completed_line = completed_line[:-1]
    return (completed_line, "".join(reversed(open_marks))) if open_marks else (line, "")


def _blank_out(line: str) -> str:
    """The line with letters in place of finished code, links and formulas."""
    for pattern in (_CODE, _LINK, _FORMULA):
        line = pattern.sub(lambda match: "x" * len(match[0]), line)
    return line
