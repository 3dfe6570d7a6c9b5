"""Tables of features: types of columns, `UserData`, and the core's tables for foreign keys."""

from rich_agent.ports.user_data import UserData as UserData
from rich_agent.repositories.tables.agenda import tasks as tasks
from rich_agent.repositories.tables.moments import CLOCK as CLOCK
from rich_agent.repositories.tables.moments import MOMENT as MOMENT
