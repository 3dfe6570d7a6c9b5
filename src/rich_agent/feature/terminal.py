"""The terminal for commands of features: output, tables, a line that shows progress, and privacy.

An operator sees users by their tags (`UserTags`), and errors without secrets (`redact`).
"""

from rich_agent.domain.access import UserTags as UserTags
from rich_agent.domain.redaction import redact as redact
from rich_agent.terminal.console import JsonOption as JsonOption
from rich_agent.terminal.console import StatusLine as StatusLine
from rich_agent.terminal.console import err as err
from rich_agent.terminal.console import out as out
from rich_agent.terminal.console import out_json as out_json
from rich_agent.terminal.console import show_facts as show_facts
from rich_agent.terminal.console import show_table as show_table
from rich_agent.terminal.console import working as working
