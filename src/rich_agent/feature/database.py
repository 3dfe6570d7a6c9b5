"""Repositories of features: statements, leases of lanes, due work and notices."""

from rich_agent.domain.json_values import storable as storable
from rich_agent.domain.text import clean_text as clean_text
from rich_agent.repositories.database.fences import IS_HELD as IS_HELD
from rich_agent.repositories.database.fences import LANE as LANE
from rich_agent.repositories.database.fences import checkout_held as checkout_held
from rich_agent.repositories.database.pools import Connection as Connection
from rich_agent.repositories.database.pools import Databases as Databases
from rich_agent.repositories.database.pools import Pool as Pool
from rich_agent.repositories.database.pools import checkout as checkout
from rich_agent.repositories.database.pools import execute as execute
from rich_agent.repositories.database.pools import one_transaction as one_transaction
from rich_agent.repositories.database.repository import PostgresRepository as PostgresRepository
from rich_agent.repositories.database.repository import fetch_all as fetch_all
from rich_agent.repositories.database.repository import fetch_one as fetch_one
from rich_agent.repositories.database.threads import NOT_REPLACED as NOT_REPLACED
from rich_agent.repositories.due_work import add_due as add_due
from rich_agent.repositories.due_work import hasten_due as hasten_due
from rich_agent.repositories.due_work import require_due as require_due
from rich_agent.repositories.inbox.storing import add_notice as add_notice
from rich_agent.repositories.inbox.storing import current_topic as current_topic
from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL as NEWS_CHANNEL
from rich_agent.repositories.inbox.wakeups import OPERATORS as OPERATORS
from rich_agent.repositories.inbox.wakeups import TELL_PAGES as TELL_PAGES
from rich_agent.repositories.inbox.wakeups import telling_pages as telling_pages
from rich_agent.runtime.fencing import current_fence as current_fence
