"""Keeps text from outside inside the tags that set it apart from instructions.

What would open or close a tag, or end a message in a model's own chat format, is written so that it
does not; all other markup and code reaches the model as it is. Nothing is refused.
"""

import re
import unicodedata
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import regex

from rich_agent.domain.text import normalized

# Nobody sees them, some models read them: tag characters spell whole instructions, variation
# selectors carry bytes, and the others part a tag's name. Joiners and the selectors of emoji stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b"
    "\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SELECTOR_RUN = re.compile("([\ufe00-\ufe0f])[\ufe00-\ufe0f]+")
# What looks like "<": the confusables of Unicode's UTS #39, and brackets of mathematics and CJK.
_ANGLES = "<＜﹤‹˂ᐸᚲ❮𝈶"
_BRACKETS = "〈〈⟨❬⧼"
# Slashes of any kind, and what a reader does not see between them; in any number.
_SLASHES = r"/\\／＼﹨⁄∕∖╱╲⟋⟍⧵⧶⧸⧹⁁᜵〳ノ丿"
_GAP = rf"[\s\p{{M}}\p{{Cf}}\u3164\uffa0{_SLASHES}]*+"
_MAYBE_TAG = regex.compile(
    rf"(?P<open>[{_ANGLES}{_BRACKETS}])(?={_GAP}(?P<name>[\w\p{{M}}\p{{Cf}}]++|[|｜]))"
)
_INSTRUCTION = regex.compile(
    rf"\[(?={_GAP}(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_\w++){_GAP}\])", regex.IGNORECASE
)
# Words that end or begin a message in the chat formats of open models: Gemma, Llama 2, T5, …
_FORMATS = frozenset({"s", "bos", "eos", "sys", "start_of_turn", "end_of_turn", "unk", "pad"})


@dataclass(frozen=True, slots=True)
class Disarming:
    """Disarms texts against `tags`, the names of the product's own tags."""

    tags: AbstractSet[str]
    _names: AbstractSet[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", frozenset(self.tags) | _FORMATS)

    def disarm(self, text: str) -> str:
        """The text, unable to open or close a tag, by whichever characters it tries."""
        shown = _INSTRUCTION.sub("&#91;", _MAYBE_TAG.sub(self._written, visible(text)))
        return str(shown)

    def _written(self, found: regex.Match[str]) -> str:
        name = found["name"]
        is_bar = name in "|｜"
        is_foreign = found["open"] in _ANGLES and not name.isascii()
        return "&lt;" if is_bar or is_foreign or _plain(name) in self._names else found["open"]


def visible(text: str) -> str:
    """The text without characters that nobody sees; what joins letters and emoji stays."""
    return _SELECTOR_RUN.sub(r"\1", _INVISIBLE.sub("", text))


def as_attribute(text: str) -> str:
    """The text as the value of a tag's attribute: one line that cannot end it."""
    readable = visible(text).replace('"', "'").replace("<", "&lt;").replace(">", "&gt;")
    return " ".join(readable.split())


def _plain(name: str) -> str:
    """A name in plain letters, without marks."""
    letters = normalized("NFKD", name).casefold()
    return "".join(c for c in letters if unicodedata.category(c) not in {"Mn", "Me", "Cf"})
