"""`rich-agent eval`: asks the operator's questions and marks the answers.

Stores nothing but the marks.
"""

import asyncio
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich_agent.feature import (
    Settings,
    SettingsError,
    Shell,
    StoredTurn,
    all_settings,
    configure_logging,
)
from rich_agent.feature.terminal import StatusLine, out, out_json
from rich_agent.features.evaluation.evaluator import Evaluator
from rich_agent.features.evaluation.files import LastEvaluation, drafts_of, file_of, read_questions
from rich_agent.features.evaluation.marks import AnswerEvaluation, AnswerMarks
from rich_agent.features.evaluation.questions import ExpectedAnswer
from rich_agent.features.evaluation.report import EvaluationReport, print_report, report_to_json

_MOST_DRAFTED = 500


def evaluate_answers(
    shell: Shell, path: Path, against: Sequence[str], *, at_once: int, as_json: bool
) -> None:
    """Ask the questions in a file under each of the settings; print and store the marks.

    Raises: QuestionsFileError, SettingsError, DatabaseUnavailableError, SchemaError.
    """
    questions, last_file = read_questions(path), LastEvaluation.of(path)
    last_evaluation = last_file.load()
    settings = Settings.load("OPENAI_API_KEY")
    setting_changes = [changes_in(words) for words in against]
    other_settings = {
        _label_of(change): Settings.load("OPENAI_API_KEY", **change) for change in setting_changes
    }
    for variant_settings in (settings, *other_settings.values()):
        variant_settings.forget_secrets()
    configure_logging(settings.logs.format, "error", settings.secrets)
    question_set = _QuestionSet(shell, questions, settings, at_once)
    evaluations = []
    for label, variant_settings in {settings.models.chat.model: settings, **other_settings}.items():
        with StatusLine() as status:
            evaluations.append(
                asyncio.run(question_set.under(variant_settings, label, status.show))
            )
    report = EvaluationReport(evaluations[0], last_evaluation, evaluations[1:])
    if as_json:
        out_json(report_to_json(report))
    else:
        print_report(report)
    last_file.save(report.own)


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
