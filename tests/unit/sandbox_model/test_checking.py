"""The stand-in checks a draft: it keeps what the passages hold, and says when that is nothing."""

import pytest

from rich_agent_sandbox.model.answering import answer
from rich_agent_sandbox.model.chatting import say
from rich_agent_sandbox.model.checking import invented_claim, with_markers, without_markers
from rich_agent_sandbox.model.completion import Completion
from rich_agent_sandbox.model.prompt import Passage, Prompt, read_prompt

PASSAGES = (
    Passage(1, "document", "Fees", "", "", "The fee is 25 lamports. It is paid by the sender."),
    Passage(2, "web", "Slots", "", "", "A slot lasts 400 milliseconds."),
)


@pytest.mark.parametrize(
    ("draft", "checked"),
    [
        ("The fee is 25 lamports.", "The fee is 25 lamports. [1]"),
        (
            "- A slot lasts 400 milliseconds. [7]\n- Cheese is made of milk.",
            "- A slot lasts 400 milliseconds. [2]",
        ),
        ("The fee is 26 lamports.", "[0]"),
        ("Cheese is made of milk.", "[0]"),
    ],
)
def test_with_markers_keeps_what_a_passage_holds(draft: str, checked: str) -> None:
    """With the passage's number; a wrong number or another subject is left out."""
    assert with_markers(draft, PASSAGES) == checked


def test_with_markers_keeps_the_note_on_who_speaks() -> None:
    """It is said once only, so it must not get lost in a repair."""
    draft = f"The fee is 25 lamports.\n\n{say('note', 'en')}"
    assert with_markers(draft, PASSAGES) == f"The fee is 25 lamports. [1]\n\n{say('note', 'en')}"


def test_answer_checks_a_draft_that_it_is_shown() -> None:
    """The tag tells that no new answer is wanted."""
    passage = '<passage n="4" kind="document">A slot lasts 400 ms.</passage>'
    asked = "<question>How long?</question>\n<answer>A slot lasts 400 ms.</answer>"
    prompt = read_prompt(
        [{"role": "system", "content": passage}, {"role": "user", "content": asked}]
    )
    assert answer(prompt) == "A slot lasts 400 ms. [4]"


def test_answer_says_that_nothing_fits_in_the_form_asked_for() -> None:
    """[0] stands behind it only where the instructions name it."""
    plain = Prompt("How is cheese made?", passages=PASSAGES)
    told = Prompt("How is cheese made?", "With [0] behind it.", PASSAGES)
    assert "[0]" not in answer(plain)
    assert "questions below. [0]" in answer(told)


def test_spoiled_forgets_to_cite_or_invents_a_number() -> None:
    """The text is the same but for that; JSON is never touched."""
    text = "The fee is 25 lamports. [1]\n- A slot. [2]"
    prompt = Prompt("?", passages=PASSAGES)
    assert Completion(text).spoiled("uncited", prompt).text == without_markers(text)
    assert "[" not in without_markers(text)
    fabricated = Completion(text).spoiled("fabricated", prompt).text
    assert fabricated == f"{text}\n\n{invented_claim(PASSAGES)}"
    assert with_markers(invented_claim(PASSAGES), PASSAGES) == "[0]"
    assert Completion('{"a": "[1]"}').spoiled("uncited", prompt).text == '{"a": "[1]"}'
