"""Checks whether LangGraph reads stored values strictly, without loading the rest of it."""

from langgraph.checkpoint.serde import _msgpack

from rich_agent.errors import SettingsError


def require_strict_msgpack() -> None:
    """Refuse to start if LangGraph would build any object that a stored row names.

    Our own serializer is always strict; this concerns the ones that the library creates itself.

    Raises: SettingsError.
    """
    if not _msgpack.STRICT_MSGPACK_ENABLED:
        raise SettingsError(
            "LANGGRAPH_STRICT_MSGPACK",
            "is off: a crafted row in the database could run code",
            hint="Remove it from the environment, or set it to true, which is the default here.",
        )
