"""Running several things at once, structured."""

from rich_agent.runtime.concurrency import alongside as alongside
from rich_agent.runtime.concurrency import run_all as run_all
from rich_agent.runtime.concurrency import task_group as task_group
from rich_agent.runtime.concurrency import unless as unless
