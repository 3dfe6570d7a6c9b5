"""Tables of features: types of columns, and `UserData`."""

from rich_agent.ports.user_data import UserData as UserData
from rich_agent.repositories.tables.moments import CLOCK as CLOCK
from rich_agent.repositories.tables.moments import MOMENT as MOMENT
