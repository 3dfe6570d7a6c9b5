"""Doubtful sentences: their markers, names and numbers, and which of these are new."""

from dataclasses import replace

import pytest

from rich_agent.domain.answer.comparison import judge
from rich_agent.domain.answer.grounding import MOST_JUDGED, Judged, Opinion
from tests import make

GIVEN = """
A slot lasts about 400 milliseconds, an epoch 432,000 slots. The base fee is 5,000 lamports, and
half is burned. In 2020 there were 50 validators; by 2024 there were 1,731.6 on average.
Inflation began at 8 %, falls by 15 percent a year, and ends at 1.5 %. 上限は300万円です。
The fund held 2.5 million dollars on 2026-01-05. Blocks are named by SHA-256. It takes 7 days, and
costs 20 dollars a month; a year has 12 of them. The company in Berlin sells shoes.
"""
PASSAGES = [make.passage(1, content=GIVEN)]


def doubtful(text: str) -> list[str]:
    """The sentences of an answer that are to be looked at again."""
    return [sentence.text for sentence in judge(text, PASSAGES, GIVEN).doubtful]


@pytest.mark.req("RAG-4", "TOOL-2")
@pytest.mark.parametrize(
    "text",
    [
        "The base fee is 5,000 lamports [1].",
        "The base fee is 5,000 lamports. [1] An epoch has 432,000 slots. [1]",
        "Half of the fee is burned [1]. The company sells shoes.",
        "Here it is:\n- The company sells shoes [1]\n- Inflation ends at 1.5 % [1]",
        "Die Grundgebühr beträgt immer 5.000 Lamports [1]. Sie verkauft Schuhe [1].",
        "会社はベルリンで靴を販売しています[1]。",
        "Der Preis beträgt heute z. B. 20 Dollar im Monat [1].",
        "Use `port = 8443`, see https://a.example/777 [1].\n```\nx = 4096\n```",
        "The texts do not say who leads it. [0]",
        "[0]",
        "資料には記載がありません。代役です。[0]",
        "The company sells shoes [1].\n\n_(I quote them. Ask Robin Fowler for more.)_",
        "The company sells shoes [1]. Would you like to know more about the validators?",
    ],
)
def test_judge_doubts_nothing_in_a_well_cited_answer(text: str) -> None:
    """In the language of the passages, or in another."""
    assert doubtful(text) == []


@pytest.mark.req("RAG-4", "TOOL-2")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The company sells shoes [1]. The CEO is Ada Quill.", ["The CEO is Ada Quill."]),
        ("The CEO is Ada Quill [1].", ["The CEO is Ada Quill."]),
        ("Ada Quill leads the company [1].", ["Ada Quill leads the company."]),
        (
            "Es verkauft Schuhe in Berlin [1]. Die Chefin heißt Ada Quill [1].",
            ["Die Chefin heißt Ada Quill."],
        ),
        ("- It sells shoes [1]\n- A founder studied law", ["A founder studied law"]),
        ("It was founded in 1987 [1].", ["It was founded in 1987."]),
        ("The company sells shoes.", ["The company sells shoes."]),
        ("The company sells shoes [7].", ["The company sells shoes."]),
        ("Dazu sagen die Texte nichts.", ["Dazu sagen die Texte nichts."]),
        ("The CEO is Ada Quill. [0]", ["The CEO is Ada Quill."]),
        ("It is so. " + "It sells nice hats. " * 20 + "[0]", ["It sells nice hats."]),
    ],
)
def test_judge_doubts_new_names_numbers_and_what_has_no_marker(text: str, found: list[str]) -> None:
    """One marker covers its own sentence only."""
    assert doubtful(text)[: len(found)] == found


def test_judge_takes_a_model_at_its_word() -> None:
    """A sentence judged unsupported stays so if the repair repeats it, marked or reworded."""
    first = judge("It sells shoes [1]. The CEO is Ada Quill.", PASSAGES, GIVEN)
    held = first.with_opinion(Opinion(unsupported=frozenset({1})), first.doubtful, [1])
    assert [sentence.text for sentence in held.unsupported] == ["The CEO is Ada Quill."]
    again = judge("It sells shoes [1]. Ada Quill leads it [1].", PASSAGES, GIVEN)
    assert len(again.as_repair_of(held).unsupported) == 1
    assert again.as_repair_of(held, by_signs=False).unsupported == ()
    better = judge("It sells shoes [1].", PASSAGES, GIVEN)
    assert better.as_repair_of(held).unsupported == ()


def test_judge_believes_that_nothing_was_found_only_of_an_answer_without_claims() -> None:
    """A model that is asked in any language says so; a citation or a claim says otherwise."""
    nothing = Opinion(unanswering=frozenset({1}))
    silent = judge("Dazu sagen die Texte nichts.", PASSAGES, GIVEN)
    assert silent.with_opinion(nothing, silent.doubtful, [1]).says_nothing
    both = Opinion(unsupported=frozenset({1}), unanswering=frozenset({1}))
    assert not silent.with_opinion(both, silent.doubtful, [1]).is_grounded
    cited = judge("It costs 99 [1].", PASSAGES, GIVEN)
    assert not cited.with_opinion(nothing, cited.doubtful, [1]).says_nothing


def test_judge_asks_for_no_passage_where_nothing_is_claimed() -> None:
    """Thanks and questions cite nothing and lack nothing; what nobody spoke of is not settled."""
    polite = judge("You are welcome. What else shall we look at?", PASSAGES, GIVEN)
    settled = polite.with_opinion(Opinion(unclaiming=frozenset({1, 2})), polite.doubtful, [1])
    assert (settled.is_grounded, settled.says_nothing) == (True, False)
    assert not polite.with_opinion(
        Opinion(unclaiming=frozenset({1})), polite.doubtful, [1]
    ).is_grounded
    assert not polite.with_opinion(Opinion(), polite.doubtful, [1]).is_grounded
    recalled = judge("What I have on that:\n\n- You keep tortoises.", PASSAGES, GIVEN)
    led = Opinion(supported={1: [1]}, unclaiming=frozenset({2}))
    assert recalled.with_opinion(led, recalled.doubtful, [1]).is_grounded
    assert not recalled.with_opinion(
        replace(led, unclaiming=frozenset()), recalled.doubtful, [1]
    ).is_grounded


MARKED = [
    ("It opens at noon. It is red.", "It opens at noon. [1] It is red. [1]"),
    ("Sie öffnet um zwölf.", "Sie öffnet um zwölf. [1]"),
    ("正午に開きます。赤い建物です。", "正午に開きます。[1]赤い建物です。[1]"),
    ("تفتح ظهرا. لونها أحمر.", "تفتح ظهرا. [1] لونها أحمر. [1]"),
    ("Opens when?\n- **at noon**  \n- daily", "Opens when?\n- **at noon** [1]  \n- daily [1]"),
    ("# Hours\nHere:\n\nNoon to six", "# Hours\nHere:\n\nNoon to six [1]"),
    ("| Day | Hour |\n|---|---|\n| Mon | 12 |", "| Day | Hour |\n|---|---|\n| Mon | 12 [1] |"),
    ("Use `open.` daily:\n```\nIt opens.\n```\nIt is red", None),
    ("See https://a.example/x.", "See https://a.example/x. [1]"),
    ("It opens at `12`. Then ```x\ny``` it runs.", None),
    ("正午です。(注)", "正午です。[1] (注)"),
]


@pytest.mark.req("RAG-4", "TOOL-2")
@pytest.mark.parametrize(("text", "marked"), MARKED)
def test_judge_writes_the_markers_that_are_missing(text: str, marked: str | None) -> None:
    """Behind each supported sentence in any script; never in code, a link or a table's head."""
    found = judge(text, PASSAGES, GIVEN)
    told = {n: [1] for n, _ in enumerate(found.doubtful, 1)}
    held = found.with_opinion(Opinion(told), found.doubtful, [1])
    if marked is not None:
        assert held.cited.text == marked
    assert held.cited.text.replace(" [1]", "").replace("[1]", "").replace("。 (", "。(") == text
    assert [c.number for c in held.cited.citations] == [1]
    for code in ("```\nIt opens.\n```", "```x\ny```", "`open.`"):
        assert (code in held.cited.text) == (code in text)


@pytest.mark.req("RAG-4")
def test_judge_takes_no_passage_that_was_not_there() -> None:
    """Numbers out of range name none, nor does that of a passage that the model did not read."""
    two = [make.passage(1, content=GIVEN), make.passage(2, content="A hat costs 55.")]
    found = judge("A hat costs 55. It is red.", two, GIVEN)
    held = found.with_opinion(Opinion({1: [2, 7, 0, -1], 2: [1]}), found.doubtful, [2])
    assert held.cited.text == "A hat costs 55. [1] It is red."
    assert [c.id for c in held.cited.citations] == ["chk_2"]


def test_judge_compares_no_more_than_people_read() -> None:
    """Marks without end are one sentence; what is beyond the limit is not compared."""
    (endless,) = judge("Yes it is" + "!" * 100_000, PASSAGES, GIVEN).sentences
    assert len(endless.text) == MOST_JUDGED
    many = judge("It costs 99. " * 10_000, PASSAGES, GIVEN).sentences
    assert sum(len(sentence.text) for sentence in many) <= MOST_JUDGED


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ("في العراق، وفي بغداد، جسور؛ وفي المدينة، أسواق؟", "جسور بغداد وأسواق المدينة في العراق"),
        (
            "Ребятам выдали билеты, книгами заняли полки.",
            "Это для ребят как билет и книга на полке.",
        ),
    ],
)
def test_words_are_known_before_every_sign_and_in_every_form(given: str, answer: str) -> None:
    """An answer may inflect what it read; the comma of another script is no part of a word."""
    (sentence,) = judge(answer, [make.passage(1, content=given)], given).sentences
    assert not sentence.is_doubtful


TWO = [make.passage(1, content=GIVEN), make.passage(2, content="A hat costs 55 dollars.")]


def told(text: str, opinion: Opinion) -> Judged:
    """An answer with what a model says of all its sentences."""
    found = judge(text, TWO, f"{GIVEN} {TWO[1].content}")
    return found.with_opinion(opinion, found.to_ask(of_all=True), [1, 2])


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("text", "named", "shown"),
    [
        ("Hats are dear [1]. Shoes are sold.", {1: [2], 2: [1]}, "Hats are dear. [2] Shoes"),
        ("Hats are dear [1][2]. Shoes.", {1: [2]}, "Hats are dear [1][2]. Shoes."),
        ("Hats are dear, shoes too [2].", {1: [1, 2]}, "Hats are dear, shoes too. [2][1]"),
        ("A hat costs 55 dollars. [2]", {}, "A hat costs 55 dollars. [2]"),
        ("| Hats | dear [1] |", {1: [2]}, "| Hats | dear [2] |"),
        (
            "帽子は高いです[1]。靴もあります。",
            {1: [2], 2: [1]},
            "帽子は高いです。[2]靴もあります。[1]",
        ),
    ],
)
def test_judge_corrects_markers(text: str, named: dict[int, list[int]], shown: str) -> None:
    """Markers of other passages than the model names are replaced; one right marker is kept."""
    assert told(text, Opinion(named)).corrected.startswith(shown)


@pytest.mark.req("RAG-4")
def test_judge_takes_the_markers_of_what_no_passage_says() -> None:
    """No source stands behind it; one that says otherwise is known."""
    found = told(
        "Hats are free [2]. Ben is king [1]. Hats cost 55 dollars [2].",
        Opinion({3: [2]}, frozenset({2}), contradicted={1: [2]}),
    )
    assert found.corrected == "Hats are free. Ben is king. Hats cost 55 dollars [2]."
    assert [one.text for one in found.unsupported] == ["Hats are free.", "Ben is king."]
    assert found.contradicted == {"Hats are free.": (2,)}


@pytest.mark.req("RAG-4")
def test_judge_compares_the_numbers_of_what_is_called_supported() -> None:
    """Another number with the same unit is no support, whoever says so."""
    found = told("Hats cost 48 dollars [2].", Opinion({1: [2]}))
    assert found.contradicted == {"Hats cost 48 dollars.": (2,)}
    assert told("Hats cost 55 dollars [2].", Opinion({1: [2]})).unsupported == ()


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    "opinion",
    [
        Opinion({7: [1], -1: [1]}, frozenset({9}), contradicted={8: [1]}),
        Opinion({1: [1]}, frozenset({1})),
        Opinion(unsupported=frozenset({1}), unclaiming=frozenset({1})),
        Opinion(contradicted={1: [9]}),
        Opinion({1: [9]}),
        Opinion(),
    ],
)
def test_judge_ignores_nonsense(opinion: Opinion) -> None:
    """Sentences and passages that there are not, and one sentence in two lists, change nothing."""
    found = told("Hats are dear [2].", opinion)
    assert (found.corrected, found.unsupported) == ("Hats are dear [2].", ())


@pytest.mark.req("RAG-4")
def test_judge_asks_nobody_about_what_is_quoted() -> None:
    """A passage has it word for word: that is known, and a missing marker is written."""
    found = judge(
        "**A hat costs 55 dollars.** Hats are dear [2]. What else? It is so. [0]", TWO, ""
    )
    assert [one.text for one in found.to_ask(of_all=True)] == ["Hats are dear."]
    assert found.corrected.startswith("**A hat costs 55 dollars.** [2] Hats")
    assert found.to_ask(of_all=False) == ()


@pytest.mark.req("RAG-4", "ACT-5")
def test_judge_refutes_numbers_with_and_without_an_opinion() -> None:
    """One that the passage has otherwise is denied, one that is nowhere has no source."""
    text = "Hats cost 48 dollars [2]. Hats are sold in 9731 shops [2]. A hat is 55 dollars [2]."
    for found in (told(text, Opinion({1: [2], 2: [2], 3: [2]})), told(text, Opinion())):
        counted = found.with_numbers()
        assert [one.text for one in counted.unsupported] == [
            "Hats cost 48 dollars.",
            "Hats are sold in 9731 shops.",
        ]
        assert list(counted.contradicted) == ["Hats cost 48 dollars."]
