"""The report of an evaluation of answers."""

from datetime import UTC, datetime

import pytest

from rich_agent.features.evaluation.marks import AnswerEvaluation, AnswerMarks
from rich_agent.features.evaluation.report import EvaluationReport, print_report

AT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def test_report_shows_what_was_answered(capsys: pytest.CaptureFixture[str]) -> None:
    """Below what is missing, in one line; nothing of what is right."""
    answers = (
        AnswerMarks("What does it cost?", "It costs\n\n48 euros.", {"55 euros": False}),
        AnswerMarks("When does it open?", "At noon.", {"noon": True}),
        AnswerMarks("Where is it?", facts={"here": False}, failure="the model is away"),
    )
    print_report(EvaluationReport(AnswerEvaluation("m", AT, answers)))
    text = capsys.readouterr().out
    assert "  - “55 euros”\n  answer: It costs 48 euros.\n" in text
    assert "At noon." not in text
    assert text.count("  answer: ") == 1
