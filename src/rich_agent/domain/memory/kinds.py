"""The kinds of items in the long-term memory."""

from typing import Literal, get_args

MemoryKind = Literal["facts", "preferences", "tasks"]
MEMORY_KINDS: tuple[MemoryKind, ...] = get_args(MemoryKind)
