"""Settings of features that name files; all settings as an operator sees and changes them."""

from rich_agent.ports.setting_changes import SettingChange as SettingChange
from rich_agent.ports.setting_changes import SettingChanges as SettingChanges
from rich_agent.settings.dotenv import ENV_FILE as ENV_FILE
from rich_agent.settings.live import LiveSettings as LiveSettings
from rich_agent.settings.live import changeable as changeable
from rich_agent.settings.overview import ModelState as ModelState
from rich_agent.settings.overview import SettingState as SettingState
from rich_agent.settings.overview import list_models as list_models
from rich_agent.settings.overview import list_settings as list_settings
from rich_agent.settings.secret_files import SUFFIX as SUFFIX
from rich_agent.settings.secret_files import read_secret_file as read_secret_file
from rich_agent.settings.types import FilePath as FilePath
from rich_agent.settings.types import OptionalUrl as OptionalUrl
