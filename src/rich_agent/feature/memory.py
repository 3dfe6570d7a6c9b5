"""The memory of a user for features that keep its items in tables of their own.

Who changes such rows takes the lock of the user's memory (`lock_memory`) first.
"""

from rich_agent.chat_commands.memory import memory_without as memory_without
from rich_agent.domain.memory.items import LongTermMemory as LongTermMemory
from rich_agent.domain.memory.items import MemoryItem as MemoryItem
from rich_agent.domain.memory.items import mark_of as mark_of
from rich_agent.domain.memory.kinds import MEMORY_KINDS as MEMORY_KINDS
from rich_agent.domain.memory.kinds import MemoryKind as MemoryKind
from rich_agent.ports.memories import Memories as Memories
from rich_agent.repositories.memory_store import MemoryRows as MemoryRows
from rich_agent.repositories.memory_store import lock_memory as lock_memory
from rich_agent.repositories.memory_store import prefix_of as prefix_of
