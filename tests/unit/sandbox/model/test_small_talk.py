"""Small talk, sums and the date, and the line that the stand-in says to everything else."""

import tomllib
from itertools import chain
from pathlib import Path

import pytest

from rich_agent_sandbox.model.answering.answer import answer
from rich_agent_sandbox.model.answering.small_talk import kind_of, say, wordings, worked_out
from rich_agent_sandbox.model.language.tongues import language_of
from rich_agent_sandbox.model.last_answer import resolved
from rich_agent_sandbox.model.planning.plan import plan_answer
from rich_agent_sandbox.model.prompt import Domain, Passage, Prompt

ROOT = Path(__file__).parents[4]
TODAY = "Today is Sunday, 2026-11-22."
FEES = Passage(1, "document", "Fees", "Fees > What is the base fee", "", "The base fee is fixed.")
SOLANA = Domain("domain_solana", "Solana and staking.")


@pytest.mark.parametrize(
    ("text", "kind", "language"),
    [
        ("Hello!", "greeting", "en"),
        ("¡Hola!", "greeting", "es"),
        ("Danke!", "agreement", "de"),
        ("你是谁？", "fallback", "zh"),
        ("Wer bist du?", "fallback", "de"),
        ("what time is it?", "clock", "en"),
        ("今天星期几？", "today", "zh"),
    ],
)
def test_chat_answers_in_the_askers_language(text: str, kind: str, language: str) -> None:
    """With one of its own texts, without a look into documents, and no note below it."""
    prompt = Prompt(text, TODAY, sources=("Solana",))
    assert (kind_of(text), language_of(text)) == (kind, language)
    assert plan_answer(prompt).plan == "direct"
    start = say("today" if kind == "clock" else kind, language, name="", day="\0")
    spoken = answer(prompt)
    assert spoken.startswith(start.partition("\0")[0])
    assert say("note", language) not in spoken


@pytest.mark.parametrize(
    ("text", "said"),
    [("what time is it?", "It is 22:34 UTC."), ("¿Qué hora es?", "Son las 22:34 UTC.")],
)
def test_time_is_told_in_utc_where_no_zone_is_known(text: str, said: str) -> None:
    """As the prompt wants it; in the user's own zone the time stands alone."""
    present = "It is now Sunday, 2026-11-22 22:34"
    unknown = Prompt(text, f"{present} UTC (the user's time zone is not known: write UTC).")
    assert answer(unknown).startswith(said)
    known = Prompt(text, f"{present} in Europe/Berlin.")
    assert answer(known).startswith(said.replace(" UTC", ""))


def test_today_is_told_by_the_prompt() -> None:
    """The day comes from the instructions; without one nothing is claimed."""
    assert answer(Prompt("what's today's date?", TODAY)) == "Today is Sunday, 22 November 2026."
    assert answer(Prompt("今日は何日ですか？", TODAY)) == "今日は2026年11月22日日曜日です。"
    assert "2026" not in answer(Prompt("what's today's date?"))
    assert "Today is" not in answer(Prompt("what day is it tomorrow?", TODAY))


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("17*23", "17 × 23 = 391"),
        ("what is 5*7?", "5 × 7 = 35"),
        ("what is 15% of 80", "15 % × 80 = 12"),
        ("1/0", ""),
        ("What happened on 2026-11-22?", ""),
    ],
)
def test_sum_is_worked_out(text: str, result: str) -> None:
    """Of two numbers, and only if the message holds nothing else."""
    assert worked_out(text) == result


@pytest.mark.parametrize("text", ["How are fees computed?", "Who made Solana?", "hi, what is it?"])
def test_chat_leaves_questions_alone(text: str) -> None:
    """Words of small talk within a question are no small talk."""
    assert kind_of(text) == ""


def test_own_line_is_said_in_each_language_of_the_product() -> None:
    """To a user of any of them; what introduces passages, too."""
    locales = (ROOT / "src" / "rich_agent" / "locales").glob("*.ftl")
    languages = {locale.stem.partition("-")[0] for locale in locales}
    assert len(set(wordings("fallback"))) == len(set(wordings("given"))) == len(languages)


def test_every_question_that_the_page_offers_is_understood() -> None:
    """In a language of the sample documents by its own words, in the others as it is listed."""
    questions = tomllib.loads((ROOT / "sample" / "questions.toml").read_text(encoding="utf-8"))
    others = {language: texts for language, texts in questions.items() if language not in "en ja"}
    assert others
    for text in chain.from_iterable(others.values()):
        assert resolved(Prompt(text)).question in (
            *("What is staking?", "What is a seed phrase?", "What can you do?"),
        )


@pytest.mark.parametrize(
    "wish",
    ["buy butter", "done with the report", "no, keep it", "kauf Butter", "set a timer", "really"],
)
def test_what_asks_nothing_is_neither_looked_up_nor_quoted_to(wish: str) -> None:
    """The line that says what it is, and not that documents hold nothing on it."""
    market = Passage(1, "document", "Orders", "Market orders", "", "A market order buys butter.")
    assert plan_answer(Prompt(wish)).plan == "direct"
    told = answer(Prompt(wish, "write [0] if no passage says it", passages=()))
    assert told in (*wordings("fallback"), *wordings("agreement"))
    assert market.text not in told


def test_question_in_another_language_is_given_the_passages_with_its_words() -> None:
    """Nothing is quoted, and what a model would read is named; without common words, nothing."""
    asked = Prompt("base fee für was?", domains=(SOLANA,), passages=(FEES,), language="de")
    assert plan_answer(asked).plan == "rag"
    assert "[1]" in answer(asked)
    unlike = Prompt("Wie ist das Wetter?", "write [0] if no passage says it", passages=(FEES,))
    assert answer(unlike) == say("fallback", "de")


def test_question_that_no_passage_touches_is_told_so() -> None:
    """With the marker that the prompt wants if it names the documents, and no passage beside it."""
    wanted = "write [0] if no passage says it"
    asked = Prompt("Who painted the ceiling?", wanted, passages=(FEES,))
    assert answer(asked) == say("fallback", "en")
    of_documents = Prompt("Do the documents say who painted it?", wanted, passages=(FEES,))
    assert answer(of_documents) == f"{say('fallback', 'en')} [0]"
