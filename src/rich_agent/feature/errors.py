"""Errors that features raise or catch, and the sentences that tell of an error and its remedy."""

from rich_agent.errors import BrokenAnswerError as BrokenAnswerError
from rich_agent.errors import DailyLimitError as DailyLimitError
from rich_agent.errors import DatabaseUnavailableError as DatabaseUnavailableError
from rich_agent.errors import ImageRefusedError as ImageRefusedError
from rich_agent.errors import LaneLostError as LaneLostError
from rich_agent.errors import OutcomeUnknownError as OutcomeUnknownError
from rich_agent.errors import RichAgentError as RichAgentError
from rich_agent.errors import SettingsError as SettingsError
from rich_agent.errors import UpstreamError as UpstreamError
from rich_agent.errors import UpstreamRefusedError as UpstreamRefusedError
from rich_agent.errors import UpstreamTimeoutError as UpstreamTimeoutError
from rich_agent.errors import UpstreamUnavailableError as UpstreamUnavailableError
from rich_agent.runtime.own_package import extra_hint as extra_hint
from rich_agent.turns.apologies import apology as apology
from rich_agent.turns.apologies import code_of as code_of
