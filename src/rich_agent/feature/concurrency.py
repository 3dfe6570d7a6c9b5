"""Running several things at once, structured."""

from rich_agent.runtime.concurrency import alongside as alongside
from rich_agent.runtime.concurrency import task_group as task_group
from rich_agent.runtime.concurrency import unless as unless
