"""Which tools a model may call, and on which repositories and servers these act."""

from datetime import UTC, datetime

from rich_agent.composition.repositories import Repositories
from rich_agent.ports.knowledge import WebSearch
from rich_agent.ports.models import EmbeddingModel
from rich_agent.prompts.session_templates import load_templates
from rich_agent.settings.settings import Settings
from rich_agent.tools.asking import Searching
from rich_agent.tools.productivity import productivity_tools
from rich_agent.tools.sessions import SessionTools
from rich_agent.tools.toolbox import Toolbox


def make_tools(
    settings: Settings,
    repositories: Repositories,
    embeddings: EmbeddingModel | None,
    web: WebSearch | None,
) -> Toolbox:
    """All tools of this process."""
    wanted = settings.retrieval
    searching = Searching(
        repositories.graph.passages, embeddings, web, wanted.passages, wanted.web_results
    )
    templates = load_templates(settings.session_templates_dir)
    in_sessions = SessionTools(repositories.sessions, templates)
    own = [
        *productivity_tools(repositories.productivity, lambda: datetime.now(UTC)),
        *in_sessions.tools(),
        *searching.tools(),
    ]
    return Toolbox(own, repositories.tool_executions)
