"""Checks whether LangGraph reads stored values strictly, without loading the rest of it."""

from langgraph.checkpoint.serde import _msgpack

from rich_agent.errors import SettingsError


def require_strict_msgpack() -> None:
    """Check that LangGraph does not build arbitrary objects that a stored row names.

    This concerns serializers that the library creates; the program's own one is always strict.

    Raises: SettingsError if LangGraph would build them.
    """
    if not _msgpack.STRICT_MSGPACK_ENABLED:
        raise SettingsError(
            "LANGGRAPH_STRICT_MSGPACK",
            "is off: a crafted row in the database could run code",
            hint="Remove it from the environment, or set it to true, which is the default here.",
        )
