"""The registered documents as features read them: searched, in parts, paid for by who asks."""

from rich_agent.domain.rights import Reader as Reader
from rich_agent.domain.usage_limits import Payer as Payer
from rich_agent.errors import DailyLimitError as DailyLimitError
from rich_agent.errors import RichAgentError as RichAgentError
from rich_agent.feature.core import Documents as Documents
from rich_agent.ports.knowledge import DocumentExcerpt as DocumentExcerpt
from rich_agent.ports.knowledge import SourceCatalogue as SourceCatalogue
from rich_agent.runtime.document_search import DocumentSearch as DocumentSearch
from rich_agent.runtime.metering import Billing as Billing
from rich_agent.runtime.metering import billed_to as billed_to
