"""The registered documents for features: their search, and reading them part by part."""

from rich_agent.domain.retrieval.local_models import Usual as Usual
from rich_agent.domain.retrieval.local_models import usual_similarity as usual_similarity
from rich_agent.domain.retrieval.passage import VectorSpace as VectorSpace
from rich_agent.domain.rights import Reader as Reader
from rich_agent.domain.rights import is_account as is_account
from rich_agent.feature.core import Documents as Documents
from rich_agent.phrases import say_parts as say_parts
from rich_agent.ports.knowledge import DocumentExcerpt as DocumentExcerpt
from rich_agent.ports.knowledge import SourceCatalogue as SourceCatalogue
from rich_agent.runtime.document_search import DocumentSearch as DocumentSearch
