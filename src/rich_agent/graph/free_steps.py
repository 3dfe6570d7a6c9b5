"""The steps of a turn that may run again after a crash, because they cost nothing."""

from collections.abc import Mapping
from typing import Any

from langgraph.checkpoint.base import CheckpointMetadata

_NEXT = "branch:to:"


def may_run_again(metadata: CheckpointMetadata, values: Mapping[str, Any]) -> bool:
    """Whether a turn that begins again from its request repeats only what cost nothing.

    N1 costs nothing if no image or file came with the message, and N2 if the whole memory fits, so
    that it is not searched. What they write has a key.
    """
    if metadata.get("source") == "input":
        return True
    match [name.removeprefix(_NEXT) for name in values if name.startswith(_NEXT)]:
        case ["N1_ingest_input"]:
            return True
        case ["N2_load_long_term_memory"]:
            return _is_text(values)
        case ["N4_build_effective_query"]:
            return _is_text(values) and bool(values["memory"].get("is_whole"))
    return False


def _is_text(values: Mapping[str, Any]) -> bool:
    """Whether neither the message nor the one that it replies to has images or files."""
    message = values["input"]
    parts = (message, message.get("reply_context") or {})
    return not any(part.get("images") or part.get("files") for part in parts)
