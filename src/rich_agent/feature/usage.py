"""Use of models and searches, and its cost."""

from rich_agent.domain.message import label_user as label_user
from rich_agent.domain.usage_limits import DailyLimits as DailyLimits
from rich_agent.domain.usage_limits import ModelUse as ModelUse
from rich_agent.domain.usage_limits import Price as Price
from rich_agent.domain.usage_limits import Prices as Prices
from rich_agent.domain.usage_limits import Resource as Resource
from rich_agent.domain.usage_limits import Spent as Spent
from rich_agent.domain.usage_limits import Usage as Usage
from rich_agent.domain.usage_limits import UsageLine as UsageLine
from rich_agent.domain.usage_limits import show_cost as show_cost
from rich_agent.domain.usage_limits import show_usd as show_usd
from rich_agent.domain.usage_limits import spending_by as spending_by
from rich_agent.domain.usage_limits import spending_of as spending_of
from rich_agent.domain.usage_limits import total as total
