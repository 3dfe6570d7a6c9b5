"""The dialect of Markdown that is read, and the characters that are hidden from the parser.

Characters that the parser would swallow pass through it as private-use characters of one UTF-16
unit each, so that no offset changes.
"""

import re

import pyromark

from rich_agent.domain.text import clean_text

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_MATH
)
SPOILER_START, SPOILER_END = "\ue0f3", "\ue0f4"
_HIDE = str.maketrans({"[": "\ue0f0", "]": "\ue0f1", "<": "\ue0f2"})
_SHOW = str.maketrans({"\ue0f0": "[", "\ue0f1": "]", "\ue0f2": "<"})
_FORGED = re.compile("[\ue0f0-\ue0f4]")
# Citation markers, link definitions and tags, but not <https://…> or [text](<target>).
_SWALLOWED = re.compile(r"\[\d{1,4}\]|\](?=:)|(?<!\]\()<(?!https?://[^\s<>]*>)")
_SPOILER = re.compile(
    r"(?<![\\|])\|\|(?=[^\s|])((?:(?!\n[ \t]*\n).)+?)(?<=[^\s|\\])\|\|(?!\|)", re.DOTALL
)
_ROW = re.compile(r"[ \t>]*\|(?!\|)")
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
    """The text to give to the parser, with the characters in question hidden."""
    text = _UNSEEN.sub("", _LINE_ENDS.sub("\n", clean_text(markdown)))
    text = _FORGED.sub("\ufffd", text).replace(_LENT_SPACE, " ")
    if "**" in text and not text.isascii():
        text = _BOLD.sub(rf"{_LENT_SPACE}**\2**{_LENT_SPACE}", text)
    if "||" in text:
        text = _SPOILER.sub(_spoiler, text)
    return _SWALLOWED.sub(lambda match: match[0].translate(_HIDE), text)


def _spoiler(match: re.Match[str]) -> str:
    line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
    # In a table row, two bars are an empty cell.
    return match[0] if _ROW.match(line) else f"{SPOILER_START}{match[1]}{SPOILER_END}"


def reveal(text: str) -> str:
    """The text with the hidden characters restored; spoiler marks must be gone by now."""
    return text.translate(_SHOW)


def without_lent_spaces(text: str) -> str:
    """The text without the spaces that were inserted for the parser."""
    return text.replace(_LENT_SPACE, "")


def verbatim(text: str) -> str:
    """The original text for a stretch without markup."""
    return reveal(without_lent_spaces(text)).replace(SPOILER_START, "||").replace(SPOILER_END, "||")
