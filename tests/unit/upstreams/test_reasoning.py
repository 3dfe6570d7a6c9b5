"""The filter that keeps thinking apart from answers."""

import pytest

from rich_agent.upstreams.servers.reasoning import ThinkingFilter, without_thinking

THOUGHTS = {
    "think": "<think>They ask about fees.</think>\n\nFees are low.",
    "capitals": "\n<THINK>\nHm.\n</THINK>Fees are low.",
    "twice": "<think>One.</think>\n<think>Two.</think>\nFees are low.",
    "thinking": "<thinking>Hm.</thinking>Fees are low.",
    "reasoning": "<reasoning>Hm. <b>bold</b></reasoning> Fees are low.",
    "magistral": "[THINK]Hm.[/THINK]Fees are low.",
    "command": "<|START_THINKING|>Hm.<|END_THINKING|>Fees are low.",
    "harmony": "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final"
    "<|message|>Fees are low.<|return|>",
    "harmony from its start": "<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>"
    "<|start|>assistant<|channel|>final <|constrain|>text<|message|>Fees are low.<|return|>",
    "harmony without tokens": "analysisThey ask about fees.assistantfinalFees are low.",
    "swallowed": "They ask about fees.\n</think>\n\nFees are low.",
    "empty": "<think>\n\n</think>\n\nFees are low.",
}
TEXTS = (
    "Fees are low.",
    "  indented",
    "Write it so:\n```\n<think>not mine</think>\n```\nand then stop.",
    "The tag `</think>` ends it.",
    "```xml\n</think>\n```",
    "Models write <think> and </think> around it.",
    "<thin ice> is no tag, and <this> neither.",
    "analysis of the fees",
    "a",
    "< 5 and > 3",
    "[1] says so.",
    "Special tokens such as <|end|> are text elsewhere.",
)


def _stream(text: str, size: int) -> str:
    reading = ThinkingFilter()
    shown = ""
    for at in range(0, len(text), size):
        was_taken_back = reading.is_taken_back
        piece = reading.feed(text[at : at + size])
        shown = piece if reading.is_taken_back and not was_taken_back else shown + piece
    return shown + reading.finish()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("name", THOUGHTS)
def test_thinking_is_kept_apart_wherever_it_is_cut(name: str, size: int) -> None:
    """No piece of a thought or a tag is left, and no character of the answer is lost."""
    assert _stream(THOUGHTS[name], size) == "Fees are low."


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("text", TEXTS)
def test_tags_that_belong_to_the_answer_stay(text: str, size: int) -> None:
    """Code that shows a tag, and what only begins like one, is text."""
    assert _stream(text, size) == text


@pytest.mark.parametrize("text", ["<think>They ask", "[THINK]Hm. [/THI", "analysisThey ask"])
def test_answer_that_ends_in_a_thought_is_empty(text: str) -> None:
    """Thoughts are not said because the tokens ran out."""
    assert without_thinking(text, was_cut=True) == ""


def test_thinking_before_a_lone_closing_tag_is_taken_back_once() -> None:
    """A server that swallows the opening tag is known from then on, and nothing is shown early."""
    first = ThinkingFilter()
    assert first.feed("They ask about fees. ") != ""
    assert first.feed("Hm.</think>Low.") == "Low."
    assert first.is_taken_back
    assert first.begins_inside
    second = ThinkingFilter(begins_inside=True)
    assert [second.feed("They ask again."), second.feed("</thi"), second.feed("nk>\nLow.")] == [
        "",
        "",
        "Low.",
    ]
    assert second.thinking == "They ask again.</think>"


def test_answer_without_any_thought_is_whole_where_thoughts_were_expected() -> None:
    """A model that once closed what it did not open may speak at once another time."""
    reading = ThinkingFilter(begins_inside=True)
    shown = "".join(map(reading.feed, ["Fees ", "are ", "low, as far as is known."]))
    assert shown + reading.finish() == "Fees are low, as far as is known."
    assert not reading.begins_inside
    cut = ThinkingFilter(begins_inside=True)
    assert cut.feed("They ask") + cut.finish(was_cut=True) == ""


def test_each_thought_is_told_once() -> None:
    """In pieces, as they come; what closes it too."""
    reading, told = ThinkingFilter(), []
    for piece in ("<think>", "They ask " * 20, "about fees.", "</think>Low."):
        reading.feed(piece)
        told.append(reading.new_thinking())
    assert "".join(told) == reading.thinking
    assert reading.new_thinking() == ""
