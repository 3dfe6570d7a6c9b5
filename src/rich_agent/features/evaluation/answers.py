"""`rich-agent eval`: asks the operator's questions and marks the answers.

Stores nothing but the marks: with the answers in a file, and as figures in the database.
"""

import asyncio
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rich_agent.feature import (
    Settings,
    SettingsError,
    Shell,
    StoredTurn,
    all_settings,
    configure_logging,
)
from rich_agent.feature.terminal import StatusLine, err, out, out_json
from rich_agent.feature.text import counted
from rich_agent.features.evaluation.evaluator import Evaluator
from rich_agent.features.evaluation.files import (
    LastEvaluation,
    QuestionsFileError,
    drafts_of,
    file_of,
    file_of_stored,
    read_questions,
)
from rich_agent.features.evaluation.marks import AnswerEvaluation, AnswerMarks
from rich_agent.features.evaluation.questions import ExpectedAnswer
from rich_agent.features.evaluation.report import EvaluationReport, print_report, report_to_json
from rich_agent.features.evaluation.runs import EvaluationRun, EvaluationRuns
from rich_agent.features.evaluation.stored import StoredQuestion, StoredQuestions

_MOST_DRAFTED = 500


@dataclass(frozen=True, slots=True)
class EvaluationOrder:
    """The questions to ask, in a file or the stored ones without one, and the settings to compare.

    `against`: changes of settings, as `changes_in` reads them.
    """

    file: Path | None
    against: Sequence[str] = ()
    at_once: int = 1

    @property
    def name(self) -> str:
        """The name of the file, "" for the stored questions."""
        return self.file.name if self.file else ""


def evaluate_answers(shell: Shell, order: EvaluationOrder, *, as_json: bool) -> None:
    """Ask questions under each of the settings; print the marks, and keep them.

    Raises: QuestionsFileError, SettingsError, DatabaseUnavailableError, SchemaError.
    """
    file_questions = read_questions(order.file) if order.file else []
    last_file = LastEvaluation.of(order.file) if order.file else None
    last_evaluation = last_file.load() if last_file else None
    settings_by_label = _settings_by_label(order.against)
    settings = next(iter(settings_by_label.values()))
    configure_logging(settings.logs.format, "error", settings.secrets)
    questions: Sequence[ExpectedAnswer] = file_questions
    if not order.file:
        questions = asyncio.run(_stored_questions(shell, settings))
    question_set = _QuestionSet(shell, questions, settings, order.at_once)
    evaluations, runs = list[AnswerEvaluation](), list[EvaluationRun]()
    for label, variant_settings in settings_by_label.items():
        with StatusLine() as status:
            evaluation = asyncio.run(question_set.under(variant_settings, label, status.show))
        evaluations.append(evaluation)
        model = variant_settings.models.chat.model
        runs.append(EvaluationRun.of(evaluation, version("rich-agent"), model, order.name))
    report = EvaluationReport(evaluations[0], last_evaluation, evaluations[1:])
    if as_json:
        out_json(report_to_json(report))
    else:
        print_report(report)
    if last_file:
        last_file.save(report.own)
    asyncio.run(_keep(shell, settings, runs))


def _settings_by_label(against: Sequence[str]) -> Mapping[str, Settings]:
    """The present settings, labelled with the model, and then those with changes."""
    settings = Settings.load("OPENAI_API_KEY")
    changes = [changes_in(words) for words in against]
    others = {_label_of(change): Settings.load("OPENAI_API_KEY", **change) for change in changes}
    for one in (settings, *others.values()):
        one.forget_secrets()
    return {settings.models.chat.model: settings, **others}


async def _keep(shell: Shell, settings: Settings, runs: Sequence[EvaluationRun]) -> None:
    async with shell.open_core(settings) as core:
        await EvaluationRuns(core.databases.app).add(runs)


async def _all_questions(shell: Shell, settings: Settings) -> Sequence[StoredQuestion]:
    async with shell.open_core(settings, read_only=True) as core:
        return await StoredQuestions(core.databases.app).all_of_them()


async def _stored_questions(shell: Shell, settings: Settings) -> Sequence[ExpectedAnswer]:
    """The stored questions that are complete. Raises: QuestionsFileError if there are none."""
    questions = await _all_questions(shell, settings)
    complete = [question.written.to_domain() for question in questions if question.is_complete]
    if left_out := len(questions) - len(complete):
        err(f"{counted(left_out, 'stored question')} left out: nothing is expected of the answer")
    if not complete:
        raise QuestionsFileError(
            "no complete question is stored",
            hint="Write some on the page Tests of the operator's pages, or name a file.",
        )
    return complete


def export_questions(shell: Shell, *, as_json: bool) -> None:
    """Print the stored questions as a file for `eval answers`.

    Raises: DatabaseUnavailableError, SchemaError, SettingsError.
    """
    questions = asyncio.run(_all_questions(shell, Settings.load()))
    if as_json:
        out_json([question.written.model_dump() for question in questions])
    else:
        out("\n".join(file_of_stored(question.written for question in questions)))


@dataclass(frozen=True, slots=True)
class _QuestionSet:
    """The questions, and the settings whose planner judges all answers (`judging`)."""

    shell: Shell
    questions: Sequence[ExpectedAnswer]
    judging: Settings
    at_once: int

    async def under(
        self, settings: Settings, label: str, show: Callable[[str], object]
    ) -> AnswerEvaluation:
        """Ask all questions with these settings. `show` is called with the progress."""
        question_count, marks_so_far = len(self.questions), list[AnswerMarks]()

        def note_marks(marks: AnswerMarks) -> None:
            marks_so_far.append(marks)
            show(f"{label}: {len(marks_so_far)} of {question_count} questions…")

        show(f"{label}: starting…")
        started_at = datetime.now(UTC)
        async with (
            self.shell.open_rehearsal(settings) as rehearsal,
            self.shell.open_model(self.judging) as judge,
        ):
            answers = await Evaluator(rehearsal, judge, self.at_once).ask_all(
                self.questions, note_marks
            )
        return AnswerEvaluation(label, started_at, answers)


def draft_questions(shell: Shell, days: int, *, as_json: bool) -> None:
    """Print the questions of the last `days` days with answers rated 👎, as a file to complete.

    Raises: DatabaseUnavailableError, SchemaError, SettingsError.
    """
    turns = asyncio.run(_rated_down(shell, days))
    drafts = drafts_of(turns)
    if as_json:
        out_json([draft.to_json() for draft in drafts])
    else:
        out("\n".join(file_of(drafts)))


async def _rated_down(shell: Shell, days: int) -> Sequence[StoredTurn]:
    async with shell.open_core(Settings.load(), read_only=True) as core:
        return await core.past_turns.rated_down(days, _MOST_DRAFTED)


def changes_in(words: str) -> dict[str, str]:
    """The settings in "NAME=VALUE NAME=VALUE". Quotes keep spaces in a value.

    Raises: SettingsError for a name that is not a setting.
    """
    changes = {}
    for assignment in _parts_of(words):
        name, equals, value = assignment.partition("=")
        if not equals or name not in all_settings():
            raise SettingsError(
                name or words,
                "--against changes settings, and this is none",
                hint="Write it as CHAT_MODEL=another-model; docs/reference/settings.md has all.",
            )
        changes[name] = value
    return changes


def _parts_of(words: str) -> list[str]:
    try:
        return shlex.split(words) or [words]
    except ValueError as error:
        raise SettingsError(words, str(error), hint="Close the quote.") from error


def _label_of(changes: Mapping[str, str]) -> str:
    """The changes as text, without the values of secrets."""
    return " ".join(
        name if all_settings()[name].is_secret else f"{name}={value}"
        for name, value in changes.items()
    )
