"""The turns that the state holds word for word, and how they leave it for the archive."""

from collections.abc import Sequence

from langchain_core.messages import AnyMessage

from rich_agent.ports import TurnRecord


def request_of(message: AnyMessage) -> str:
    """The turn that a message belongs to."""
    return str(message.id).rpartition(":")[0]


def turns_of(messages: Sequence[AnyMessage], user_id: int, thread_id: str) -> list[TurnRecord]:
    """The turns that these messages make up, oldest first."""
    by_request: dict[str, dict[str, str]] = {}
    for message in messages:
        request_id, _, role = str(message.id).rpartition(":")
        by_request.setdefault(request_id, {})[role] = str(message.text)
    return [
        TurnRecord(
            user_id=user_id,
            thread_id=thread_id,
            request_id=request_id,
            question=texts.get("user", ""),
            answer=texts.get("assistant", ""),
            meta={},
        )
        for request_id, texts in by_request.items()
    ]
