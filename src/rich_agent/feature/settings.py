"""Settings of features that name files: their type, and how secrets are read from files."""

from rich_agent.settings.dotenv import ENV_FILE as ENV_FILE
from rich_agent.settings.secret_files import SUFFIX as SUFFIX
from rich_agent.settings.secret_files import read_secret_file as read_secret_file
from rich_agent.settings.types import FilePath as FilePath
from rich_agent.settings.types import OptionalUrl as OptionalUrl
