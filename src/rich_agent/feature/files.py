"""Files of users, for tools that read the files of a turn."""

from rich_agent.documents.user_files.workers import run_in_worker as run_in_worker
from rich_agent.domain.retrieval.passage import Passage as Passage
from rich_agent.domain.tables import COMPUTED_ID as COMPUTED_ID
from rich_agent.domain.tables import TableFile as TableFile
from rich_agent.domain.tables import TableSchema as TableSchema
from rich_agent.domain.user_files import UserFile as UserFile
from rich_agent.ports.user_files import FileRefusedError as FileRefusedError
from rich_agent.ports.user_files import TurnFile as TurnFile
