"""Lists that one message shows page by page, with buttons that turn the pages."""

from rich_agent.chat_commands.paged_list import ListPage as ListPage
from rich_agent.chat_commands.paged_list import ListPlace as ListPlace
from rich_agent.chat_commands.paged_list import PagedList as PagedList
from rich_agent.chat_commands.paged_list import turning_row as turning_row
