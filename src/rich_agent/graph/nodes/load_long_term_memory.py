"""N2: recalls what this user told us before."""

from langgraph.runtime import Runtime

from rich_agent.domain.memory import MEMORY_KINDS
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState, TurnUpdate

ENTRIES_PER_KIND = 20


async def load_long_term_memory(state: TurnState, runtime: Runtime[Services]) -> TurnUpdate:
    """Recall the newest facts, preferences and tasks (at most 20 of each) and the summary."""
    memory = await runtime.context.memories.load(state["user"]["telegram_user_id"])
    entries = [
        item.text for kind in MEMORY_KINDS for item in memory.items(kind)[-ENTRIES_PER_KIND:]
    ]
    return {
        "memory": {
            "long_term_entries": entries,
            "conversation_summary": memory.conversation_summary,
            "summary_updated_at": memory.summary_updated_at,
            "updated": False,
        }
    }
