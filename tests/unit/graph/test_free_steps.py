"""Which steps of a turn may run again after a crash."""

from typing import Any

import pytest

from rich_agent.graph.free_steps import may_run_again

TEXT: dict[str, Any] = {"text": "hi", "images": [], "files": []}
MEMORY: dict[str, Any] = {"is_whole": True}


@pytest.mark.req("DUR-1")
@pytest.mark.parametrize(
    ("next_node", "message", "memory", "is_free"),
    [
        ("N1_ingest_input", {**TEXT, "images": [{}]}, {}, True),
        ("N2_load_long_term_memory", TEXT, {}, True),
        ("N2_load_long_term_memory", {**TEXT, "images": [{}]}, {}, False),
        ("N2_load_long_term_memory", {**TEXT, "files": [{}]}, {}, False),
        ("N2_load_long_term_memory", {**TEXT, "reply_context": {"images": [{}]}}, {}, False),
        ("N4_build_effective_query", TEXT, MEMORY, True),
        ("N4_build_effective_query", TEXT, {"is_whole": False}, False),
        ("N4_build_effective_query", {**TEXT, "files": [{}]}, MEMORY, False),
        ("N6_synthesize", TEXT, MEMORY, False),
        ("N7_persist", TEXT, MEMORY, False),
    ],
)
def test_steps_may_run_again_until_something_was_fetched_searched_or_planned(
    next_node: str, message: dict[str, Any], memory: dict[str, Any], *, is_free: bool
) -> None:
    """A step that fetched an image, searched the memory or asked a model is stored at once."""
    values = {"input": message, "memory": memory, f"branch:to:{next_node}": None}
    assert may_run_again({"source": "loop"}, values) is is_free


@pytest.mark.req("DUR-1")
def test_steps_may_run_again_before_the_first_one_whatever_the_turn_before_left() -> None:
    """The input of a turn is in the inbox."""
    assert may_run_again({"source": "input"}, {"input": {**TEXT, "files": [{}]}})
    assert not may_run_again({"source": "loop"}, {"input": TEXT, "memory": MEMORY})
