"""Which of the user's files a message is about: the planner says it, by their numbers."""

from collections.abc import Sequence
from dataclasses import replace

from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.domain.user_files import UserFile
from rich_agent.graph.requests import request_of
from rich_agent.graph.services import Services
from rich_agent.graph.state import ReadFileState, TurnState
from rich_agent.graph.views import is_for_group

MOST_NAMED = 20
_WITH_FILES: dict[Plan, Plan] = {"direct": "rag", "web": "rag+web"}


def read_of(state: TurnState) -> list[ReadFileState]:
    """The files that came with the turn and were read."""
    return list(state.get("files", {}).get("read", ()))


async def readable_files(state: TurnState, services: Services) -> list[UserFile]:
    """Return the files that the conversation may read, those of the message first, then the newest.

    None in a group: others read the answer.
    """
    if is_for_group(state):
        return []
    user_id, thread_id = state["user"]["telegram_user_id"], request_of(state).thread_id
    came = [file["id"] for file in read_of(state)]
    found = await services.user_files.readable(user_id, thread_id)
    by_place = sorted(found, key=lambda file: came.index(file.id) if file.id in came else len(came))
    return by_place[: max(MOST_NAMED, len(came))]


def with_files(routing: Routing, state: TurnState, listed: Sequence[UserFile]) -> Routing:
    """The routing by the ids of files instead of their numbers.

    Files that came with the message are read in any case. Then something has to be looked up, and
    registered documents only if the planner wanted them too.
    """
    chosen = [listed[n - 1].id for n in routing.files if 1 <= n <= len(listed)]
    ids = tuple(dict.fromkeys(chosen or [file["id"] for file in read_of(state)]))
    if not ids:
        return replace(routing, files=(), reads_whole=False)
    plan = _WITH_FILES.get(routing.plan, routing.plan)
    is_changed = plan != routing.plan
    return replace(
        routing,
        files=ids,
        plan=plan,
        rule="file_read" if is_changed else routing.rule,
        files_only=is_changed,
    )
