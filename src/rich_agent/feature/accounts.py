"""Users as features know them: their accounts, who may use the bot, what waits for their yes."""

from rich_agent.domain.access import Access as Access
from rich_agent.ports.accounts import Account as Account
from rich_agent.ports.accounts import Accounts as Accounts
from rich_agent.ports.accounts import Confirmations as Confirmations
from rich_agent.ports.accounts import KnownUser as KnownUser
