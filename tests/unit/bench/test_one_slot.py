"""Exchanges with a model server: those that a user waits for, and what the server's log says."""

from pathlib import Path

from bench.one_slot.recording import Exchange, Recorder, before_first_word, calls_in_a_row
from bench.prompts.requests import ANSWER, Request


def _exchange(
    began: float, ended: float | None, *, first_text: float | None = None, kind: str = "Plan"
) -> Exchange:
    return Exchange(Request(0, kind, (), ""), began, first_text, ended, status=200)


def test_calls_in_a_row_counts_those_side_by_side_once() -> None:
    """A plan, and at once an answer that is not over; the second plan waits for the first."""
    plan, second_plan = _exchange(0, 2), _exchange(2, 4)
    answer = _exchange(1, None, kind=ANSWER)
    assert calls_in_a_row([plan, answer]) == 1
    assert calls_in_a_row([plan, second_plan, answer]) == 2
    assert calls_in_a_row([]) == 0


def test_before_first_word_leaves_out_what_follows_the_word() -> None:
    """The answer itself counts, a check that begins after its first word does not."""
    plan, answer = _exchange(0, 2), _exchange(2, 9, first_text=5, kind=ANSWER)
    check = _exchange(9, 12, kind="Check")
    assert before_first_word([plan, answer, check]) == [plan, answer]


def test_recorder_gives_exchanges_the_tokens_of_the_log_since_a_mark(tmp_path: Path) -> None:
    """A request that the server refused read nothing and has no note."""
    log = tmp_path / "log"
    log.write_text("Llama.generate: 7 prefix-match hit, remaining 99 prompt tokens to eval\n")
    recorder = Recorder("", log, [_exchange(0, 1)])
    mark = recorder.mark()
    refused, plan, answer = _exchange(1, 1), _exchange(1, 2), _exchange(2, 3)
    refused.status = 500
    recorder.exchanges += [refused, plan, answer]
    with log.open("a") as notes:
        for tokens in (1694, 12):
            notes.write(f"1 prefix-match hit, remaining {tokens} prompt tokens to eval\n")
    assert recorder.since(mark) == [plan, answer]
    assert (plan.uncached, answer.uncached) == (1694, 12)
