"""The language that a user wants to be answered in, as their preferences tell it."""

import re
from collections.abc import Mapping

from rich_agent.domain.memory import LongTermMemory
from rich_agent.domain.memory_topics import topic_of

_NAMES: Mapping[str, re.Pattern[str]] = {
    "ja": re.compile(r"\bjapanese\b|日本語", re.IGNORECASE),
    "en": re.compile(r"\benglish\b|英語", re.IGNORECASE),
}


def preferred_locale(memory: LongTermMemory) -> str | None:
    """The locale of the newest preference for a language that the product speaks, if any."""
    for item in reversed(memory.preferences):
        if topic_of("preferences", item.text, item.topic) == "language":
            named = [locale for locale, name in _NAMES.items() if name.search(item.text)]
            return named[0] if len(named) == 1 else None
    return None
