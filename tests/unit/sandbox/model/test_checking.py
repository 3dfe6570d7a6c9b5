"""The stand-in checks a draft: it keeps what the passages hold, and says when that is nothing."""

from typing import Any

import pytest

from rich_agent_sandbox.model.answering.answer import answer
from rich_agent_sandbox.model.answering.checking import (
    INVENTED_NAME,
    NOTHING_FOUND,
    check_entries,
    invented_claim,
    with_markers,
    without_markers,
)
from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.completion import Completion
from rich_agent_sandbox.model.prompt import Entry, Passage, Prompt, read_prompt

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


@pytest.mark.parametrize("is_form", [True, False])
def test_answer_is_compared_or_corrected_in_its_own_conversation(*, is_form: bool) -> None:
    """Passages stand with the question, the answer and the request come after it."""
    passage = '<passage n="4" kind="document">A slot lasts 400 ms.</passage>'
    sentences = '<entry n="1" kind="sentence">A slot lasts 400 ms.</entry>'
    correction = "Correct your last message so that the passages support all of it."
    messages = [
        {"role": "system", "content": "You answer."},
        {"role": "user", "content": f"{passage}\n<question>How long?</question>"},
        {"role": "assistant", "content": "A slot lasts 400 ms."},
        {"role": "user", "content": f"Compare.\n{sentences}" if is_form else correction},
    ]
    prompt = read_prompt(messages)
    if is_form:
        assert check_entries(prompt)["supported"] == [{"sentence": 1, "passages": [4]}]
    else:
        assert (answer(prompt), prompt.begun) == ("A slot lasts 400 ms. [4]", "")


def test_check_names_the_list_of_documents_for_a_title_of_it() -> None:
    """A passage with the same word is not meant."""
    passages = (
        Passage(1, "document", "Settings", "The turn", "", "RETRIEVAL_ROUNDS is 3."),
        Passage(2, "catalogue", "My documents", "", "", "- Settings"),
    )
    prompt = Prompt("?", passages=passages, entries=(Entry(1, "sentence", "Settings"),))
    assert check_entries(prompt)["supported"] == [{"sentence": 1, "passages": [2]}]


def test_answer_says_that_nothing_fits_in_the_form_asked_for() -> None:
    """[0] stands behind it only where the instructions name it."""
    asked = "According to the documents, how is cheese made?"
    plain = Prompt(asked, passages=PASSAGES)
    told = Prompt(asked, "With [0] behind it.", PASSAGES)
    assert "[0]" not in answer(plain)
    assert "a model. [0]" in answer(told)


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


def checked(*sentences: str) -> dict[str, Any]:
    """The verdict of the model on sentences against a passage in English, and one in German."""
    passages = (
        Passage(
            1, "document", "Fees", "", "", "The fee is twelve lamports. A month costs 20 dollars."
        ),
        Passage(2, "document", "Weeks", "", "", "A week of the shop has 7 days."),
    )
    entries = tuple(Entry(n, "sentence", text) for n, text in enumerate(sentences, start=1))
    return dict(check_entries(Prompt("?", passages=passages, entries=entries)))


@pytest.mark.parametrize(
    "sentence",
    [
        "The fee is 12 lamports.",
        "Die Gebühr beträgt 12 Lamports.",
        "Die Gebühr beträgt zwölf Lamports.",
        "A month costs 20 dollars, so 12 months cost $240 (12 × $20).",
        "A week has 168 hours (7 days × 24).",
        "El coste es de 20 dólares al mes.",
    ],
)
def test_check_entries_supports_what_passages_say_in_any_words(sentence: str) -> None:
    """Other languages, numbers in words, and results with their working."""
    told = checked(sentence)
    assert told.pop("supported")[0]["sentence"] == 1
    assert told == {"unsupported": [], "no_answer": [], "no_claim": []}


@pytest.mark.parametrize(
    "sentence",
    [INVENTED_NAME, "The fee is 38 lamports.", "Die Gebühr beträgt 38 Lamports.", "It was a hat."],
)
def test_check_entries_finds_what_no_passage_says(sentence: str) -> None:
    """A name, a number, and other words; what stands beside it is not touched."""
    told = checked("The fee is 12 lamports.", sentence)
    assert told["supported"] == [{"sentence": 1, "passages": [1]}]
    assert told["unsupported"] == [2]


@pytest.mark.parametrize(
    "sentence",
    [
        NOTHING_FOUND,
        "Los documentos no dicen nada sobre eso.",
        "文件中没有提到这一点。",
        "資料には記載がありません。",
        "Les documents ne disent rien.",
    ],
)
def test_check_entries_tells_that_nothing_was_found(sentence: str) -> None:
    """In the languages that the model knows; a claim next to it is a sentence of its own."""
    told = checked(sentence, "The fee is 12 lamports.")
    assert (told["no_answer"], told["unsupported"]) == ([1], [])
    assert told["supported"] == [{"sentence": 2, "passages": [1]}]


@pytest.mark.parametrize(
    "sentence", ["Would you like to know more?", say("fallback", "de"), "I noted your cat."]
)
def test_check_entries_needs_no_passage_for_what_claims_nothing(sentence: str) -> None:
    """A question, who speaks, and what the user said."""
    entries = (Entry(1, "sentence", sentence),)
    prompt = Prompt("Please note my cat", passages=PASSAGES, entries=entries)
    assert check_entries(prompt)["no_claim"] == [1]


def test_check_entries_names_the_passage_that_says_it() -> None:
    """That with its words and numbers; two of them where only both say it."""
    said = ["A slot lasts 400 milliseconds.", "The fee of 25 lamports is paid in a slot of 400."]
    entries = tuple(Entry(n, "sentence", text) for n, text in enumerate(said, 1))
    told = check_entries(Prompt("?", passages=PASSAGES, entries=entries))
    assert [(one["sentence"], one["passages"]) for one in told["supported"]] == [
        (1, [2]),
        (2, [1, 2]),
    ]


def test_spoiled_invents_a_name_or_finds_nothing() -> None:
    """The text alone is changed."""
    said = Completion("The fee is 25. [1]")
    assert said.spoiled("unfound", Prompt("?")).text == NOTHING_FOUND
    assert said.spoiled("misnamed", Prompt("?")).text == f"The fee is 25. [1]\n\n{INVENTED_NAME}"
