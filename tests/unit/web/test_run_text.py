from typing import Any

from rich_agent.domain.runs import Run, RunAsked, RunEvent, RunEventKind
from rich_agent.phrases import say
from rich_agent.web.run_text import RunText, decision_in

QUESTION = {
    "request_id": "tg:-7",
    "question": "Shall I delete it?",
    "choices": ["Approve", "Cancel"],
    "approves": "fingerprint",
    "calls": [],
}


def spoken(asked: str, *events: tuple[RunEventKind, dict[str, Any]], **more: Any) -> list[str]:
    """The text that is said at each event of a run."""
    run = RunText.of(Run(-1, 1, "r", "t", RunAsked(asked, **more)))
    return [run.take(RunEvent(n, kind, data)) for n, (kind, data) in enumerate(events, 1)]


def planned(plan: str, *, acts: bool = False) -> tuple[RunEventKind, dict[str, Any]]:
    """The event of a plan."""
    return "planned", {"intent": "x", "plan": plan, "acts": acts}


def grown(delta: str, message: int = 0) -> tuple[RunEventKind, dict[str, Any]]:
    """The event of text that grew."""
    return "text", {"message": message, "delta": delta}


def answered(text: str, message: int = 0) -> tuple[RunEventKind, dict[str, Any]]:
    """The event of an answer."""
    return "answer", {"message": message, "text": text, "citations": [], "is_cut": False}


def test_spoken_run_lets_only_unchecked_text_grow() -> None:
    """Text that is checked after it was written is said when it is final."""
    events = (grown("One two thr"), grown("ee."), answered("One two three."))
    assert spoken("", planned("direct"), *events)[1:] == ["One two ", "", "three."]
    for plan in (planned("rag"), planned("web"), planned("direct", acts=True)):
        assert spoken("", plan, *events)[1:] == ["", "", "One two three."]


def test_spoken_run_takes_nothing_back() -> None:
    """Another text than the one that was begun follows below a line."""
    rewritten: tuple[RunEventKind, dict[str, Any]]
    rewritten = ("rewritten", {"message": 0, "text": "Other."})
    said = spoken("", planned("direct"), grown("One two "), rewritten, answered("Other."))
    assert said == ["", "One two", "", " \n\n---\n\nOther."]
    said = spoken("", planned("direct"), grown("```\nx = 1"), rewritten, answered("Other."))
    assert "".join(said) == "```\nx = 1\n```\n\n---\n\nOther."


def test_spoken_run_does_not_say_what_came_before_tools() -> None:
    """Only the answer counts."""
    events = (grown("Let me see."), grown("Done.", 1), answered("Done.", 1))
    assert "".join(spoken("", planned("direct", acts=True), *events)) == "Done."


def test_spoken_run_links_only_to_what_its_user_wrote() -> None:
    """Other addresses read as code, also while the text grows."""
    text = "See https://mine.example/x and https://evil.example/y now."
    said = spoken("https://mine.example/x", planned("direct"), grown(text), answered(text))
    assert "".join(said) == "See <https://mine.example/x> and `https://evil.example/y` now."


def test_spoken_run_hands_on_an_errand_as_it_is() -> None:
    """It may be JSON."""
    text = '{"tags": ["<b>", "https://evil.example"]}'
    assert spoken("", answered(text), is_errand=True) == [text]


def test_spoken_run_tells_how_to_answer_a_question() -> None:
    """Approvals by words, other questions by their choices."""
    how = say("en", "web-approve-in-words", yes="Approve", no="Cancel")
    assert spoken("", ("question", QUESTION)) == [f"Shall I delete it?\n\n{how}"]
    choosing = {**QUESTION, "question": "Which one?", "choices": ["A", "B"], "approves": ""}
    assert spoken("", ("question", choosing)) == ["Which one?\n\n- A\n- B"]


def test_decided_takes_only_the_words_of_a_choice() -> None:
    """Everything else is for the model."""
    approved = decision_in(RunAsked(" approve "), QUESTION)
    assert (approved.decision, approved.answers, approved.approves) == (
        "approved",
        "tg:-7",
        "fingerprint",
    )
    assert decision_in(RunAsked("Cancel"), QUESTION).decision == "cancelled"
    assert decision_in(RunAsked("Approve, but tomorrow"), QUESTION).decision == ""
