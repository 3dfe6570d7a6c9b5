"""Reads the bot's sentences when it is imported, which takes longer than the rest of a start."""

from rich_agent.domain.text import SUPPORTED_LOCALES
from rich_agent.phrases import say

for _locale in SUPPORTED_LOCALES:
    say(_locale, "status-searching")
