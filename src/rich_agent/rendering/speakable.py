"""The words of an answer that are read aloud, without markers, addresses, code and tables."""

import re

from rich_agent.domain.answer.links import find_links
from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.markdown import convert
from rich_agent.rendering.spans import utf16_offsets
from rich_agent.rendering.splitting import split_message

_MARKER = re.compile(r"[ \t]{0,8}\[\d{1,4}\]")
_BLANKS = re.compile(r"[ \t]{2,64}")
_LONGEST = 40_000


def speakable(markdown: str, most: int) -> tuple[str, bool]:
    """The words to be read aloud, at most about `most` characters, and whether they are all.

    They end with a sentence, else with a word.
    """
    message = convert(markdown[:_LONGEST])
    words = _without_addresses(_MARKER.sub("", _without_blocks(message)))
    whole = _BLANKS.sub(" ", words).strip()
    # On one line: the end of a paragraph is no better place to stop than that of a sentence.
    parts = split_message(RenderedMessage(whole.replace("\n", " ")), most)
    return (whole[: len(parts[0].text)], len(parts) == 1) if parts else ("", True)


def _without_blocks(message: RenderedMessage) -> str:
    """The text without blocks of code, as which tables are shown too."""
    offsets = utf16_offsets(message.text)
    index_of = {unit: index for index, unit in enumerate(offsets)}
    blocks = [entity for entity in message.entities if entity.type == "pre"]
    pieces, end = [], 0
    for block in sorted(blocks, key=lambda block: block.offset):
        pieces.append(message.text[end : index_of[block.offset]])
        end = index_of[min(block.offset + block.length, utf16_length(message.text))]
    return "".join([*pieces, message.text[end:]])


def _without_addresses(text: str) -> str:
    pieces, end = [], 0
    for found in sorted(find_links(text), key=lambda found: found.start):
        if found.start >= end:
            pieces.append(text[end : found.start])
            end = found.start + len(found.texts[-1])
    return "".join([*pieces, text[end:]])
