"""Reads recorded prompts as a suspicious model would: which tags stand in them, what is outside."""

import re
import unicodedata
from pathlib import Path
from typing import Any

import rich_agent.prompts

_TEMPLATES = Path(rich_agent.prompts.__file__).parent.glob("*.md")
TAGS = frozenset(name for file in _TEMPLATES for name in re.findall(r"<(\w+)", file.read_text()))
_NAMES = "|".join(sorted(TAGS))
_TAG = re.compile(rf"<(/?)({_NAMES})\b(?:[^>\"]|\"[^\"]*\")*>")
_LOOSE_TAG = re.compile(rf"<\s*/?\s*(?:{_NAMES})\b", re.IGNORECASE)
_LATIN = str.maketrans("аеорсѕі", "aeopcsi")


def texts_of(body: dict[str, Any]) -> list[tuple[str, str]]:
    """(role, text) of each message of a chat completion; images are left out."""
    found = []
    for message in body["messages"]:
        content = message.get("content") or ""
        if not isinstance(content, str):
            content = "\n".join(part.get("text") or "" for part in content)
        found.append((message["role"], content))
    return found


def outside_of_tags(text: str) -> str:
    """The text without the tags and what stands between them; a tag left open is a failure."""
    kept: list[str] = []
    waiting: list[str] = []
    end = 0
    for match in _TAG.finditer(text):
        closes, name = match[1], match[2]
        if not waiting:
            kept.append(text[end : match.start()])
        if closes:
            assert waiting, f"</{name}> closes nothing in {text!r}"
            assert waiting.pop() == name, f"</{name}> closes another tag in {text!r}"
        else:
            waiting.append(name)
        end = match.end()
    assert waiting == [], f"{waiting} left open in {text!r}"
    return "".join([*kept, text[end:]])


def disguised_tags(text: str) -> int:
    """The number of tags that stand in a text only for somebody who reads past disguises."""
    folded = "".join(
        character
        for character in unicodedata.normalize("NFKC", text)
        if unicodedata.category(character) not in {"Cf", "Mn"}
    )
    shown = folded.translate(_LATIN)
    invisible = [chr(ord(c) - 0xE0000) for c in text if 0xE0020 <= ord(c) < 0xE007F]
    hidden = len(_LOOSE_TAG.findall("".join(invisible)))
    return len(_LOOSE_TAG.findall(shown)) + hidden - len(_TAG.findall(text))
