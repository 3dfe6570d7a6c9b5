"""Repositories that read and never write, for running a past turn again."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from rich_agent.domain.memory.items import LongTermMemory
from rich_agent.ports.images import ImageSummaries
from rich_agent.ports.memories import Memories
from rich_agent.ports.turns import Decisions

Repository = TypeVar("Repository")


def read_only(
    repository: Repository, *reads: str, instead: Mapping[str, Callable[..., Any]] | None = None
) -> Repository:
    """A repository that passes on only the methods named `reads`.

    Any other method is replaced by the function of that name in `instead`, or does nothing and
    returns None.

    Raises: AttributeError for a name that the repository does not have.
    """
    replacements = instead or {}
    methods = {name: getattr(repository, name) for name in (*reads, *replacements)}
    return cast("Repository", _Methods({**methods, **replacements}))


def read_only_memories(memories: Memories) -> Memories:
    """A read-only memory, where a change only returns the memory that it would lead to."""

    async def change(
        user_id: int, make: Callable[[LongTermMemory], LongTermMemory]
    ) -> LongTermMemory:
        return make(await memories.load(user_id))

    reads = ("load", "get", "search", "without_vector")
    return read_only(memories, *reads, instead={"change": change})


def read_only_summaries(summaries: ImageSummaries) -> ImageSummaries:
    """A read-only vision cache without locks, because nothing is stored."""
    return read_only(summaries, "find", instead={"exclusive": lambda _: nullcontext()})


def no_decisions(decisions: Decisions) -> Decisions:
    """A store of decisions that is empty and stores nothing; records get the id of no row."""

    async def record(_: object) -> str:
        return "0"

    return read_only(decisions, instead={"record": record})


@dataclass(frozen=True, slots=True)
class _Methods:
    # Named as no method of a repository is: it would stand in its way.
    _by_name: Mapping[str, Callable[..., Any]]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return self._by_name.get(name, _do_nothing)


async def _do_nothing(*_: object, **__: object) -> None: ...
