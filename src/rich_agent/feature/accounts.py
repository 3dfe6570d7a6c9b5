"""Accounts of users for features: access to the bot, and questions that wait for a user's yes."""

from rich_agent.domain.access import Access as Access
from rich_agent.domain.people import LARGEST_ID as LARGEST_ID
from rich_agent.domain.people import has_telegram as has_telegram
from rich_agent.domain.people import id_without_telegram as id_without_telegram
from rich_agent.ports.accounts import Account as Account
from rich_agent.ports.accounts import Accounts as Accounts
from rich_agent.ports.accounts import Confirmations as Confirmations
from rich_agent.ports.accounts import KnownUser as KnownUser
from rich_agent.ports.accounts import PersonalData as PersonalData
