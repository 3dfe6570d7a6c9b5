"""Questions as a file of test questions."""

import tomllib

from rich_agent.features.operator_pages.quality.exporting import as_test_questions


def test_exported_questions_are_read_as_they_were_asked() -> None:
    """Each once, whatever stands in them."""
    questions = ['Is "this" it?\\', "Two\nlines\x7f", "Ünïcödé 🙂", "Two\nlines\x7f"]
    tables = tomllib.loads(as_test_questions(questions))["questions"]
    assert [table["ask"] for table in tables] == questions[:3]
    assert all(table["facts"] == [] for table in tables)
