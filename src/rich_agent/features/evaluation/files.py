"""The files of `rich-agent eval`: the operator's questions, and the last evaluation."""

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from rich_agent.feature import RichAgentError, StoredTurn
from rich_agent.feature.text import counted, shorten
from rich_agent.features.evaluation.marks import AnswerEvaluation
from rich_agent.features.evaluation.questions import ExpectedAnswer

_TABLE = "[[questions]]"
_EXAMPLE = (
    'Each question is written as: [[questions]], then a line ask = "…", and facts = ["…"], '
    'sources = ["…"] or refuse = true.'
)
_NAME = re.compile(r"\s{0,20}\[{0,2}\s{0,20}[\"']?([\w-]{1,100})")
"""A name of a table or value at the beginning of a line of TOML."""
_LABEL_CHARS = 60
_EVALUATION = TypeAdapter(AnswerEvaluation)


class QuestionsFileError(RichAgentError):
    """A file of questions that cannot be used. The message names the line."""

    hint = _EXAMPLE


class WrittenQuestion(BaseModel):
    """A question as it is written in the file, or on the page."""

    model_config = ConfigDict(extra="forbid", strict=True)

    ask: str = Field(min_length=1)
    facts: list[str | list[str]] = []
    sources: list[str] = []
    refuse: bool = False

    def problem(self) -> str:
        """The problem of a question: a part is missing or contradictory. "" if it is complete."""
        facts = [[fact] if isinstance(fact, str) else fact for fact in self.facts]
        if not all(fact and all(map(str.strip, fact)) for fact in facts):
            return "a fact is empty"
        if not all(map(str.strip, self.sources)):
            return "a source is empty"
        if self.refuse and (facts or self.sources):
            return "refuse = true leaves no room for facts and sources"
        has_no_expectation = not (self.refuse or facts or self.sources)
        return (
            "there are neither facts, nor sources, nor refuse = true" if has_no_expectation else ""
        )

    def to_domain(self) -> ExpectedAnswer:
        """Convert to the domain type."""
        facts = ((fact,) if isinstance(fact, str) else tuple(fact) for fact in self.facts)
        return ExpectedAnswer(self.ask, tuple(facts), tuple(self.sources), self.refuse)


def read_questions(path: Path) -> list[ExpectedAnswer]:
    """The questions in a file. Raises: QuestionsFileError with each wrong line."""
    try:
        text = path.read_text("utf-8")
        content = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsFileError(f"{path}: {error}", hint="Name a text file in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise QuestionsFileError(f"{path}: {error}") from error
    tables = content.get("questions")
    if other_names := content.keys() - {"questions"}:
        labels = [f"{path}, {place}" for place in _places_of(other_names, text)]
        raise QuestionsFileError("\n".join([*labels, f"There has to be nothing but {_TABLE}."]))
    if not isinstance(tables, list) or not tables:
        raise QuestionsFileError(f"{path}: there has to be nothing but {_TABLE}, at least once")
    lines = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip().startswith(_TABLE)
    ]
    questions, problems = list[ExpectedAnswer](), list[str]()
    for index, table in enumerate(tables):
        place = f"line {lines[index]}" if len(lines) == len(tables) else f"question {index + 1}"
        try:
            question = WrittenQuestion.model_validate(table)
        except ValidationError as error:
            problems += [f"{place}: {message}" for message in _problems(error)]
            continue
        if problem := question.problem():
            problems.append(f"{place}: {shorten(question.ask, _LABEL_CHARS)}: {problem}")
        questions.append(question.to_domain())
    wordings = [question.ask for question in questions]
    problems += [
        f"asked twice: {ask}" for ask in dict.fromkeys(wordings) if wordings.count(ask) > 1
    ]
    if problems:
        raise QuestionsFileError("\n".join(f"{path}, {problem}" for problem in problems))
    return questions


def _places_of(names: Collection[str], text: str) -> list[str]:
    """The lines that begin with one of these names, of a table or of a value."""
    return [
        f"line {line_number}: {shorten(line.strip(), _LABEL_CHARS)}"
        for line_number, line in enumerate(text.splitlines(), 1)
        if (match := _NAME.match(line)) and match[1] in names
    ]


def _problems(error: ValidationError) -> Iterator[str]:
    for error_item in error.errors():
        field_name = str(error_item["loc"][0]) if error_item["loc"] else "a question"
        yield f"{field_name}: {error_item['msg'].lower()}"


@dataclass(frozen=True, slots=True)
class LastEvaluation:
    """The file next to the questions that stores the last evaluation."""

    path: Path

    @classmethod
    def of(cls, questions: Path) -> "LastEvaluation":
        """The file for the last evaluation of a file of questions."""
        return cls(questions.with_suffix(".last.json"))

    def load(self) -> AnswerEvaluation | None:
        """The last evaluation, None before the first one. Raises: QuestionsFileError."""
        try:
            return _EVALUATION.validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            raise QuestionsFileError(
                f"{self.path}: this is no evaluation of answers",
                hint="Delete the file; then this evaluation is the first one.",
            ) from error

    def save(self, evaluation: AnswerEvaluation) -> None:
        """Replace the last evaluation by this one. Raises: QuestionsFileError."""
        try:
            self.path.write_text(
                json.dumps(asdict(evaluation), ensure_ascii=False, indent=1, default=_as_text),
                "utf-8",
            )
        except OSError as error:
            raise QuestionsFileError(
                f"{self.path}: the answers could not be kept: {error.strerror}",
                hint="Put the questions into a folder that can be written to.",
            ) from error


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """A question of a past turn, to be completed with what a good answer states."""

    request_id: str
    ask: str

    def to_json(self) -> dict[str, Any]:
        """The draft as `rich-agent eval from-ratings --json` prints it."""
        return {"trace": self.request_id, "ask": self.ask, "facts": []}


def drafts_of(turns: Iterable[StoredTurn]) -> list[QuestionDraft]:
    """The questions of these turns, each once.

    Questions with a photo or a file, replies and forwarded questions are left out, because they
    cannot be asked alone. Forgotten questions are left out, too.
    """
    drafts: dict[str, QuestionDraft] = {}
    for turn in turns:
        if turn.said is None or not turn.said.question.strip():
            continue
        if any(turn.said.request.get(name) for name in ("photos", "files", "forwarded", "reply")):
            continue
        question = turn.said.question
        drafts.setdefault(question, QuestionDraft(turn.decision.request_id, question))
    return list(drafts.values())


def file_of(drafts: Sequence[QuestionDraft]) -> Iterator[str]:
    """The lines of a file of questions to complete."""
    yield "# Questions whose answers were rated 👎. Write what a good answer states into `facts`,"
    yield "# or refuse = true in their place if the documents do not say; delete what asks nothing."
    yield "# A question that leans on the conversation before it: write it so that it stands alone."
    for draft in drafts:
        yield ""
        yield _TABLE
        yield f"# rich-agent trace {draft.request_id}"
        yield f"ask = {toml_text(draft.ask)}"
        yield "facts = []"
    yield f"# {counted(len(drafts), 'question')}"


def file_of_stored(questions: Iterable[WrittenQuestion]) -> Iterator[str]:
    """The lines of a file of stored questions; one that is not complete has empty `facts`."""
    for question in questions:
        yield _TABLE
        yield f"ask = {toml_text(question.ask)}"
        if question.refuse:
            yield "refuse = true"
        else:
            yield f"facts = {toml_text(question.facts)}"
        if question.sources:
            yield f"sources = {toml_text(question.sources)}"
        yield ""


def toml_text(value: str | Sequence[str | Sequence[str]]) -> str:
    """A text or a list of texts in TOML, on one line: as JSON with DEL escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
