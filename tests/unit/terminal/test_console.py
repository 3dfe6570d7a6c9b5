"""Output of the commands: tables and facts at a terminal and in a pipe, and the line of status."""

import io

import pytest

from rich_agent.domain.text import counted, printable
from rich_agent.terminal.console import StatusLine, err, out, show_facts, show_table, working
from tests.screen import Screen, screen_of

ROWS = [["docs", "1,200", "https://example.com/a/very/long/address/of/a/page"]]


def test_show_table_in_a_pipe_is_a_line_for_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    """Columns separated by tabs; what would break a row becomes a space."""
    show_table(["name", "chunks", "root"], [["a\tb", "1", "c\nd\x1b[31m"]])
    assert capsys.readouterr().out == "name\tchunks\troot\na b\t1\tc d[31m\n"


def test_show_table_on_a_terminal_fits_and_cuts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long cell is wrapped."""
    screen = screen_of(monkeypatch, 40)
    show_table(["name", "chunks", "root"], ROWS)
    lines = screen.lines()
    assert max(map(len, lines)) <= 40
    assert lines[0].split() == ["name", "chunks", "root"]
    words = "".join(line[14:].strip() for line in lines[1:])
    assert words == ROWS[0][2]


def test_show_facts_hang_below_their_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty values are left out, long ones are wrapped and indented."""
    screen = screen_of(monkeypatch, 40)
    show_facts([("plan", "rag"), ("rating", ""), ("reason", "so many words " * 6)], indent=2)
    lines = screen.lines()
    assert lines[0] == "  plan    rag"
    assert lines[1].startswith("  reason  so many")
    assert all(line.startswith(" " * 10) for line in lines[2:])
    assert max(map(len, lines)) <= 40
    assert " ".join(" ".join(lines).split()).count("so many words") == 6


def test_show_facts_in_a_pipe_wraps_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of a value keep their column."""
    show_facts([("plan", "rag"), ("looked for", "one\ntwo"), ("reason", "word " * 40)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["plan        rag", "looked for  one", "            two"]
    assert lines[3].count("word") == 40


def test_output_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither what clears the screen nor what turns the text around; lines and tabs stay."""
    out("a\x1b[2Jb\x07\u202ec\td\ne")
    err("x\x9b31my")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("a[2Jbc\td\ne\n", "x31my\n")
    assert printable("資金 é 😀") == "資金 é 😀"


def test_working_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is gone afterwards; nothing at all in a pipe."""
    for stream, shown in ((Screen(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with working("Starting the database…"):
            during = stream.getvalue()
        assert during.endswith("Starting the database…") == shown
        assert stream.getvalue().endswith("\r\x1b[K") == shown
        assert bool(stream.getvalue()) == shown


def test_status_in_a_pipe_is_a_line_for_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line is wanted there: a person who waits for an answer sees that something happens."""
    monkeypatch.setattr("sys.stderr", stream := io.StringIO())
    with StatusLine(in_pipes=True) as status:
        for words in ("Loading…", "Searching…", "Searching…", "Drafting…"):
            status.show(words)
    assert stream.getvalue() == "Loading…\nSearching…\nDrafting…\n"


def test_counted_has_the_right_form() -> None:
    """One is one."""
    assert [counted(n, "document") for n in (0, 1, 2, 1200)] == [
        "0 documents",
        "1 document",
        "2 documents",
        "1,200 documents",
    ]
    assert counted(2, "search", "searches") == "2 searches"
