"""Requests as a server received them, and the figures that the bench of prompts has of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from bench.prompts.requests import (
    FURTHER_ANSWER,
    Request,
    kept_messages,
    shared_prefix,
    with_further_answers,
)
from bench.prompts.sharing import figures, sharing_of, summaries


@dataclass(frozen=True, slots=True)
class _Characters:
    name: str = "characters"

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


def _body(system: str, *texts: str, form: str = "") -> dict[str, Any]:
    roles = ["user", "assistant"] * len(texts)
    messages = [{"role": "system", "content": system}]
    messages += [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]
    named = {"type": "json_schema", "json_schema": {"name": form, "schema": {"type": "object"}}}
    return {"messages": messages} | ({"response_format": named} if form else {})


def test_read_names_a_request_by_its_form() -> None:
    """A request with a form has its name and its JSON; one without is an answer."""
    plan = Request.read(1, _body("rules", "hi", form="Plan"))
    answer = Request.read(1, _body("rules", "hi"))
    assert (plan.kind, answer.kind) == ("Plan", "answer")
    assert '"name": "Plan"' in plan.form
    assert answer.form == ""


def test_read_names_forms_that_servers_take_in_other_ways() -> None:
    """A form as a tool, and one without a name."""
    function = {"type": "function", "function": {"name": "Plan"}}
    tool = {"tools": [function], "tool_choice": "required"}
    schema = {"type": "object", "properties": {"plan": {}, "query": {}, "reason": {}}}
    unnamed = {"response_format": {"type": "json_object", "schema": schema}}
    assert Request.read(1, _body("rules", "hi") | tool).kind == "Plan"
    assert Request.read(1, _body("rules", "hi") | unnamed).kind == "plan, query"


def test_with_further_answers_marks_all_but_the_first_answer_of_a_turn() -> None:
    """A corrected answer is not compared with the answer of another turn."""
    requests = [Request.read(turn, _body("rules", "hi")) for turn in (1, 1, 2)]
    kinds = [request.kind for request in with_further_answers(requests)]
    assert kinds == ["answer", FURTHER_ANSWER, "answer"]


def test_shared_prefix_ends_where_prompts_differ() -> None:
    """A difference takes all that follows it out of the prefix."""
    before = Request.read(1, _body("rules: a", "hi"))
    after = Request.read(2, _body("rules: b", "hi"))
    assert shared_prefix(before, after) == "<|im_start|>system\nrules: "


@pytest.mark.parametrize(
    ("system", "kept"), [("rules", 2), ("other rules", 0)], ids=["same", "changed"]
)
def test_kept_messages_needs_the_same_beginning(system: str, kept: int) -> None:
    """The conversation is reused only behind instructions that did not change."""
    before = Request.read(2, _body("rules", "hi", "Hello!", "first"))
    after = Request.read(3, _body(system, "hi", "Hello!", "first", "An answer.", "second"))
    assert kept_messages(before, after) == kept


def test_sharing_compares_with_the_same_kind_and_with_the_last_request() -> None:
    """A slot holds the last request only, and an answer follows a plan."""
    plan, answer = _body("plan", "hi", form="Plan"), _body("answer", "hi")
    requests = [Request.read(turn, body) for turn in (1, 2) for body in (plan, answer)]
    *_, last_plan, last_answer = sharing_of(requests, _Characters())
    assert last_plan.of_kind == last_plan.tokens
    assert last_plan.in_slot == len("<|im_start|>system\n")
    assert last_answer.share == 1.0
    assert last_answer.uncached == last_answer.tokens - len("<|im_start|>system\n")


def test_sharing_counts_the_conversation_before_the_turn() -> None:
    """A check goes on from its answer, which no later prompt has."""
    answers = [["first"], ["first", "A.", "second"]]
    bodies = [(turn, _body("rules", *texts)) for turn, texts in enumerate(answers, start=3)]
    checks = [
        (turn, _body("rules", *texts, f"Draft {turn}.", "Check it.", form="Check"))
        for turn, texts in enumerate(answers, start=3)
    ]
    requests = [Request.read(turn, body) for turn, body in sorted([*bodies, *checks], key=str)]
    (check,) = [
        one for one in summaries(sharing_of(requests, _Characters())) if one.kind == "Check"
    ]
    assert check.keeps_conversation


def test_summaries_leave_out_the_first_turns() -> None:
    """Turns without a conversation say nothing about what a conversation shares."""
    requests = [Request.read(turn, _body("x" * turn, "hi")) for turn in (1, 2)]
    (of_two,) = summaries(sharing_of(requests, _Characters()))
    assert of_two.least_share is None
    requests += [Request.read(turn, _body("rules", "hi")) for turn in (3, 4)]
    (of_four,) = summaries(sharing_of(requests, _Characters()))
    assert of_four.least_share is not None
    assert of_four.least_share < of_four.median_share < 1 if of_four.median_share else False


def test_figures_are_small_for_lengths_and_large_for_shares() -> None:
    """Each figure of the bench has a direction in which it gets worse."""
    requests = [Request.read(turn, _body("rules", "hi", form="Plan")) for turn in (3, 4)]
    small, large = figures(sharing_of(requests, _Characters()))
    assert small["Plan: tokens with its form"] == len(requests[0].text) + len(requests[0].form)
    assert small["calls of a turn that calls a model"] == 1
    assert large == {"Plan: least shared prefix": 1.0}
