"""Files of questions: what is read, what is refused, and what is drafted from ratings."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rich_agent.domain.answer.citation import Decision
from rich_agent.features.evaluation.answers import changes_in
from rich_agent.features.evaluation.files import (
    LastEvaluation,
    QuestionsFileError,
    WrittenQuestion,
    drafts_of,
    file_of,
    file_of_stored,
    read_questions,
)
from rich_agent.features.evaluation.marks import AnswerEvaluation, AnswerMarks
from rich_agent.features.evaluation.questions import ExpectedAnswer
from rich_agent.ports.turns import StoredTurn, TurnMessages

ROOT = Path(__file__).parents[4]
AT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def written(folder: Path, text: str) -> Path:
    """A file of questions."""
    path = folder / "questions.toml"
    path.write_text(text, "utf-8")
    return path


def test_read_questions_reads_facts_sources_and_refusals(tmp_path: Path) -> None:
    """A fact may have several wordings."""
    text = (
        '[[questions]]\nask = "A?"\nfacts = ["x", ["y", "z"]]\nsources = ["page"]\n'
        '[[questions]]\nask = "B?"\nrefuse = true\n'
    )
    assert read_questions(written(tmp_path, text)) == [
        ExpectedAnswer("A?", (("x",), ("y", "z")), ("page",)),
        ExpectedAnswer("B?", refuse=True),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[questions]]\nask = "A?\n', "line 2"),
        ("", "nothing but [[questions]]"),
        ('title = "x"\n[[questions]]\nask = "A?"\nrefuse = true\n', "nothing but [[questions]]"),
        ('[[questions]]\nask = "A?"\n\n[[question]]\nask = "B?"\n', "line 4: [[question]]"),
        ('title = "x"\n[[questions]]\nask = "A?"\nrefuse = true\n', 'line 1: title = "x"'),
        ('\n[[questions]]\nask = "A?"\n', "line 2: A?: there are neither facts"),
        ('[[questions]]\nask = "A?"\nfact = ["x"]\n', "line 1: fact: extra inputs"),
        ('[[questions]]\nfacts = ["x"]\n', "line 1: ask: field required"),
        ('[[questions]]\nask = "A?"\nfacts = "x"\n', "line 1: facts:"),
        ('[[questions]]\nask = "A?"\nfacts = [[]]\n', "line 1: A?: a fact is empty"),
        ('[[questions]]\nask = "A?"\nsources = [" "]\n', "a source is empty"),
        ('[[questions]]\nask = "A?"\nfacts = ["x"]\nrefuse = true\n', "leaves no room"),
        ('[[questions]]\nask = "A?"\nrefuse = true\n' * 2, "asked twice: A?"),
    ],
)
def test_read_questions_names_the_line_that_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    """With what to write instead."""
    with pytest.raises(QuestionsFileError) as caught:
        read_questions(written(tmp_path, text))
    assert said in str(caught.value)
    assert caught.value.hint


def test_read_questions_names_every_open_question(tmp_path: Path) -> None:
    """All lines at once, so that a draft is completed in one go."""
    text = '[[questions]]\nask = "A?"\nfacts = []\n\n[[questions]]\nask = "B?"\nfacts = []\n'
    with pytest.raises(QuestionsFileError) as caught:
        read_questions(written(tmp_path, text))
    assert "line 1" in str(caught.value)
    assert "line 5" in str(caught.value)


def test_last_evaluation_is_kept_beside_its_questions(tmp_path: Path) -> None:
    """The same is loaded that was saved; anything else is said to be none."""
    kept = LastEvaluation.of(tmp_path / "questions.toml")
    assert kept.load() is None
    made = AnswerEvaluation(
        "m", AT, (AnswerMarks("A?", "é", {"x": True}, cites=False, cost_usd=0.1),)
    )
    kept.save(made)
    found = kept.load()
    assert found is not None
    assert (found.label, found.at, list(found.answers)) == ("m", AT, list(made.answers))
    kept.path.write_text("{}", "utf-8")
    with pytest.raises(QuestionsFileError, match="no evaluation of answers"):
        kept.load()


def turn(question: str, **request: Any) -> StoredTurn:
    """A turn that was rated."""
    decision = Decision("tg:42", "tg:7", "general_question", "rag", "r")
    return StoredTurn(decision, AT, TurnMessages(question, "The answer.", request))


def test_drafts_name_each_question_once_in_toml() -> None:
    """Whatever it holds; without what needs an attachment, who asked, and the answer."""
    hostile = 'A "b"\\c\n\x7f?\t]]'
    turns = [turn(hostile), turn(hostile), turn("photo?", photos=[{}]), turn("x", forwarded={})]
    turns += [turn("y", forwarded={"text": "z"}), StoredTurn(turn("gone").decision, AT)]
    text = "\n".join(file_of(drafts_of(turns)))
    told = tomllib.loads(text)["questions"]
    assert told == [{"ask": hostile, "facts": []}, {"ask": "x", "facts": []}]
    assert "tg:42" not in text
    assert "The answer." not in text


def test_changed_by_reads_several_settings() -> None:
    """Quotes keep spaces."""
    given = "CHAT_MODEL=a DOMAIN_DESCRIPTION='b c'"
    assert changes_in(given) == {"CHAT_MODEL": "a", "DOMAIN_DESCRIPTION": "b c"}


SAMPLE = ROOT / "sample" / "answers.toml"


def test_sample_questions_are_120_in_six_languages_a_tenth_without_an_answer() -> None:
    """Each language has its own."""
    text, questions = SAMPLE.read_text("utf-8"), read_questions(SAMPLE)
    languages = [line[2:] for line in text.splitlines() if line[:2] == "# " and " " not in line[2:]]
    assert languages == ["English", "German", "Spanish", "French", "Japanese", "Chinese"]
    assert (len(questions), sum(one.refuse for one in questions)) == (120, 12)


def test_sample_questions_have_their_facts_in_their_pages() -> None:
    """In one of the wordings, for the questions whose language the pages are written in."""
    pages = {str(one): one.read_text("utf-8") for one in (ROOT / "sample/solana").rglob("*.md")}
    pages |= {str(one): one.read_text("utf-8") for one in (ROOT / "docs").rglob("*.md")}
    questions = [one for one in read_questions(SAMPLE) if not one.refuse]
    own = [
        one for one in questions if one.ask.isascii() or "ですか" in one.ask or "ますか" in one.ask
    ]
    assert len(own) == 75
    for question in own:
        read = "\n".join(text for place, text in pages.items() if question.is_cited_by(place))
        assert question.missing_facts(read) == [], question.ask


def test_stored_questions_are_read_as_they_were_written(tmp_path: Path) -> None:
    """A file of them has all that the page takes, whatever characters they hold."""
    questions = [
        WrittenQuestion(ask='A "b"\\c\n\x7f?', facts=["x", ["y", "z"]], sources=["page"]),
        WrittenQuestion(ask="B?", refuse=True),
    ]
    file = written(tmp_path, "\n".join(file_of_stored(questions)))
    assert read_questions(file) == [question.to_domain() for question in questions]
    file = written(tmp_path, "\n".join(file_of_stored([WrittenQuestion(ask="C?")])))
    with pytest.raises(QuestionsFileError, match=r"line 1: C\?"):
        read_questions(file)
