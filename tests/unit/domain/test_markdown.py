"""Markdown that is still being written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.domain.answer.markdown import complete_markdown


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("", ""),
        ("Plain words", "Plain words"),
        ("It is **very", "It is **very**"),
        ("It is **very*", "It is **very**"),
        ("It is **", "It is "),
        ("It is *so* and **so", "It is *so* and **so**"),
        ("a **b _c", "a **b _c_**"),
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("~~gone", "~~gone~~"),
        ("~~gone~", "~~gone~~"),
        ("so ||secret|", "so ||secret||"),
        ("Call `run", "Call `run`"),
        ("Call `", "Call "),
        ("Call `a*b` or *c", "Call `a*b` or *c*"),
        ("See [the do", "See the do"),
        ("See [the docs]", "See the docs"),
        ("See [the docs](https://ex", "See the docs"),
        ("See [the docs](https://example.org) an", "See [the docs](https://example.org) an"),
        ("So it is [1]", "So it is [1]"),
        ("![A cat](https://ex", "A cat"),
        ("One\n\n- ", "One"),
        ("One\n- two\n- **thr", "One\n- two\n- **thr**"),
        ("One\n\n##", "One"),
        ("One\n\n``", "One"),
        ("Code:\n\n```pyt", "Code:\n\n"),
        ("Code:\n\n```python\nx = *1", "Code:\n\n```python\nx = *1\n```"),
        ("Code:\n\n```python\nx = 1\n``", "Code:\n\n```python\nx = 1\n```"),
        ("```\na\n```\nThen **b", "```\na\n```\nThen **b**"),
        ("~~~\na ``` b", "~~~\na ``` b\n~~~"),
        ("Table:\n\n| a | b |", "Table:\n\n"),
        ("Table:\n\n| a | b |\n|--", "Table:\n\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("It costs $5 and $6", "It costs $5 and $6"),
        ("So $$x = y", "So"),
        ("これは**重要", "これは**重要**"),
    ],
)
def test_complete_markdown_closes_what_is_open(text: str, completed: str) -> None:
    """An open mark is closed; one that cannot be told yet is left out."""
    assert complete_markdown(text).rstrip() == completed.rstrip()


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\nSome **bold**, *italic* and `code`.\n\n- one\n- two\n",
        "```python\nprint('**')\n```\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.",
        "A [link](https://example.org/a_b_(c)) and [1].",
        "> quote\n\n1. first\n2. second",
    ],
)
def test_complete_markdown_leaves_what_is_complete(text: str) -> None:
    """A finished text stays as it is."""
    assert complete_markdown(text).rstrip() == text.rstrip()


@given(st.text(alphabet="ab *_`~[]()|\n#->$\\!1.。", max_size=60))
def test_complete_markdown_takes_anything(text: str) -> None:
    """No text, however odd, is refused, and completing twice changes little: it stays a string."""
    assert isinstance(complete_markdown(text), str)
