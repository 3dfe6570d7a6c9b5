"""The terminal for commands of features: output, tables, and a line that shows progress."""

from rich_agent.terminal.console import JsonOption as JsonOption
from rich_agent.terminal.console import StatusLine as StatusLine
from rich_agent.terminal.console import err as err
from rich_agent.terminal.console import out as out
from rich_agent.terminal.console import out_json as out_json
from rich_agent.terminal.console import show_facts as show_facts
from rich_agent.terminal.console import show_table as show_table
from rich_agent.terminal.console import working as working
