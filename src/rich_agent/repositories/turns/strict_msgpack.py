"""Whether LangGraph reads stored values strictly; loads nothing else of it."""

from langgraph.checkpoint.serde import _msgpack

from rich_agent.errors import SettingsError


def require_strict_msgpack() -> None:
    """Refuse to serve where LangGraph would build whatever object a stored row names.

    Our own serializer is strict in any case; this is about all that the library makes itself.

    Raises: SettingsError.
    """
    if not _msgpack.STRICT_MSGPACK_ENABLED:
        raise SettingsError(
            "LANGGRAPH_STRICT_MSGPACK",
            "is off: a crafted row in the database could run code",
            mend="Remove it from the environment, or set it to true, which is the default here.",
        )
