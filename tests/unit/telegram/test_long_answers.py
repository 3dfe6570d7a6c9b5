"""Answers that are too long for a few messages."""

import pytest

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.telegram.deliver.long_answers import (
    ANSWER_FILE,
    MOST_MESSAGES,
    TextFile,
    answer_messages,
)

PAGE = "https://docs.example/page#part"
CITED = Citation(1, "c1", "document", PAGE, PAGE, "Page", "Part")
WORDS = "".join(f"Point {number}.\n\n" for number in range(4_000))


def file_of(answer: Answer) -> TextFile:
    """The file of a long answer."""
    file = answer_messages(answer, "en").files[ANSWER_FILE]
    assert isinstance(file, TextFile)
    return file


@pytest.mark.parametrize(("length", "count"), [(35_000, 9), (36_500, 2), (50_000, 2)])
def test_answer_messages_keeps_a_chat_readable(length: int, count: int) -> None:
    """Nine messages come as they are; of more, the beginning, a note, and a file with all."""
    messages = answer_messages(Answer(WORDS[:length]), "en")
    assert len(messages.parts) == count
    assert messages.parts[0].text.startswith("Point 0.")
    assert bool(messages.files) == (count < MOST_MESSAGES)
    if messages.files:
        assert file_of(Answer(WORDS[:length])).content.split() == WORDS[:length].split()


def test_answer_messages_puts_text_and_sources_into_the_file() -> None:
    """Code keeps its indentation and its dots; a link that is not cited stays no link."""
    text = f"{WORDS}```python\nif os.path:\n    exit()\n```\n\nIt is so. [1] [x](https://evil.example/?s)"
    content = file_of(Answer(text, (CITED,))).content
    assert "if os.path:\n    exit()\n" in content
    assert content.rstrip().endswith(f"[1] Page › Part {PAGE}")
    assert "evil.example" not in content
