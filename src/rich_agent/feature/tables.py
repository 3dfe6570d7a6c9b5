"""Types of the columns that tables of features have in common with the core's."""

from rich_agent.ports.user_data import UserData as UserData
from rich_agent.repositories.tables.moments import CLOCK as CLOCK
from rich_agent.repositories.tables.moments import MOMENT as MOMENT
