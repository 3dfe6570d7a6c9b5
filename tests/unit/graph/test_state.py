"""The request and the message of a turn, as its nodes read them from the state."""

from rich_agent.graph.state import UserState, input_of, request_of
from tests import make


def test_request_and_input_are_read_once_for_all_nodes() -> None:
    """A node that returns another request, or another user, is heard."""
    state = make.state(text="What are fees?")
    assert request_of(state) is request_of({**state, "rag": {}})
    assert input_of(state) is input_of({**state, "rag": {}})
    other_request = {**state["request"], "request_id": "another"}
    assert request_of({**state, "request": other_request}).request_id == "another"
    other_user: UserState = {"telegram_user_id": 4711}
    assert input_of({**state, "user": other_user}).user.telegram_user_id == 4711
