import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent.upstreams.models.repetition import LoopWatch
from rich_agent_sandbox.model.completion import Completion
from rich_agent_sandbox.model.language.text import clip, count_tokens, sentences, stem
from rich_agent_sandbox.model.prompt import Passage, Prompt


@given(st.text())
def test_pieces_join_to_the_text(text: str) -> None:
    """Nothing is lost between the pieces of a stream."""
    assert "".join(Completion(text).pieces()) == text


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_within_keeps_the_limit(text: str, limit: int) -> None:
    """A cut answer is a beginning of the text and says that it was cut."""
    cut = Completion(text).within(limit)
    assert text.startswith(cut.text)
    assert count_tokens(cut.text) <= limit
    assert cut.finish_reason == ("stop" if cut.text == text else "length")


def test_spoiled_invents_a_number_beyond_the_passages() -> None:
    """The invented marker is never one that was given."""
    prompt = Prompt("?", passages=(Passage(99, "web", "", "", "", "x"),))
    assert "[100]" in Completion("So. [99]").spoiled("invented", prompt).text


def test_spoiled_says_the_same_at_length() -> None:
    """From 12,000 characters on, in numbered rounds, which are no loop; JSON stays what it was."""
    text = "A clock. [1] It ticks. " * 20
    lengthy = Completion(text).spoiled("lengthy", Prompt("")).text
    rounds = lengthy.split("\n\n")
    assert set(rounds[::2]) == {text}
    assert rounds[1::2] == [f"### Once more: number {n}" for n in range(2, len(rounds[::2]) + 1)]
    assert 12_000 <= len(lengthy) < 13_500
    assert LoopWatch().feed(lengthy) is None
    assert Completion('{"a": "b"}').spoiled("lengthy", Prompt("")).text == '{"a": "b"}'


def test_spoiled_leaves_half_a_json_object() -> None:
    """Malformed output ends in the middle."""
    assert Completion('{"a": "bcd"}').spoiled("malformed", Prompt("")).text == '{"a": '


@pytest.mark.parametrize(
    "words",
    [("trade", "trades", "trading", "traded"), ("policy", "policies"), ("swap", "swapping")],
)
def test_stem_joins_the_forms_of_a_word(words: tuple[str, ...]) -> None:
    """Light endings do not keep forms apart."""
    assert len({stem(word) for word in words}) == 1


def test_sentences_are_cut_in_both_scripts() -> None:
    """Full stops of either script and lines end a sentence; decimals do not."""
    assert sentences("It costs 1.5 SOL. Really?\nYes") == ["It costs 1.5 SOL.", "Really?", "Yes"]
    assert sentences("はい。そうです。") == ["はい。", "そうです。"]


@given(st.text(), st.integers(min_value=1, max_value=40))
def test_clip_keeps_the_limit(text: str, limit: int) -> None:
    """A clipped text is within its limit."""
    assert len(clip(text, limit)) <= limit
