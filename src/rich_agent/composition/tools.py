"""The tools that a model may call, and the repositories and servers on which these act."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.composition.features import NO_FEATURES, OpenFeatures
from rich_agent.composition.repositories import Repositories
from rich_agent.documents.user_files.pages import GuardedPages
from rich_agent.documents.user_files.private_index import PrivateIndex
from rich_agent.documents.user_files.reading import IsolatedFileReader
from rich_agent.domain.intranet import Intranet
from rich_agent.ports.knowledge import WebSearch
from rich_agent.ports.models import EmbeddingModel
from rich_agent.ports.user_files import FileIndex, FileReader, Pages
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.reranking import Reranking
from rich_agent.runtime.web_search import ResultHosts, open_web_search
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.asking import Searching
from rich_agent.tools.files import FileTools
from rich_agent.tools.toolbox import Toolbox, ToolChooser
from rich_agent.tools.undoing import TakingBack


@dataclass(frozen=True, slots=True)
class ToolUpstreams:
    """The services that tools reach outside; tools of those that are not there are not offered."""

    web: WebSearch | None = None
    reranking: Reranking | None = None


def make_tools(
    live: LiveSettings,
    repositories: Repositories,
    embeddings: EmbeddingModel | None,
    outside: ToolUpstreams,
    features: OpenFeatures = NO_FEATURES,
) -> AllTools:
    """All tools of this process: those of features stand before those of the core."""
    documents = DocumentSearch(repositories.knowledge.passages, embeddings, outside.reranking)
    searching = Searching(documents, outside.web, lambda: live.now.turn.retrieval)
    executions = repositories.tool_executions
    own = [
        *features.parts.tools,
        *searching.tools(),
        *FileTools(repositories.knowledge.user_files).tools(),
    ]
    # What was changed on a page can be taken back in the chat, too.
    undoable = [*own, *(tool for panel in features.parts.panels for tool in panel.tools)]
    own.append(TakingBack(undoable, executions).tool())
    return AllTools(
        Toolbox(own, executions, live.now.tools.policies, undoable),
        features.parts.tool_sources,
        ToolChooser(embeddings),
        repositories.permissions,
    )


def make_web_search(settings: Settings, features: OpenFeatures) -> WebSearch | None:
    """Make the web search on the engines of features that the settings choose; None without any."""
    tools = settings.tools
    hosts = ResultHosts.parse(tools.web_search_hosts, tools.web_search_blocked_hosts)
    return open_web_search(features.parts.search, tools.engine_names, hosts)


def make_file_reader() -> FileReader:
    """Make the reader of files of strangers."""
    return IsolatedFileReader()


def make_file_index(
    settings: Settings, repositories: Repositories, model: EmbeddingModel | None
) -> FileIndex:
    """Make the index that makes them searchable; without a model, by words.

    A model on this machine is slow, and gives them vectors in the background.
    """
    is_slow = settings.models.embedding.local is not None
    return PrivateIndex(repositories.databases.rag, None if is_slow else model)


def make_pages(private_hosts: Sequence[str]) -> Pages:
    """Make the client that fetches the pages that users name."""
    return GuardedPages(Intranet.parse(private_hosts))
