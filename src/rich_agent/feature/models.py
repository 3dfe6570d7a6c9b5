"""Models for features: access to their servers, and billing of a user's calls."""

from rich_agent.domain.usage_limits import Call as Call
from rich_agent.domain.usage_limits import Payer as Payer
from rich_agent.ports.models import ModelAccountError as ModelAccountError
from rich_agent.runtime.metering import Billing as Billing
from rich_agent.runtime.metering import Receipt as Receipt
from rich_agent.runtime.metering import bill_to as bill_to
from rich_agent.runtime.metering import charge as charge
from rich_agent.upstreams.servers.capabilities import ModelAccess as ModelAccess
from rich_agent.upstreams.servers.refusals import translate_openai_errors as translate_openai_errors
