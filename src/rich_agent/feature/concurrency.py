"""Running several things at once, structured."""

from rich_agent.runtime.concurrency import alongside as alongside
from rich_agent.runtime.concurrency import happens_within as happens_within
from rich_agent.runtime.concurrency import in_turns as in_turns
from rich_agent.runtime.concurrency import run_all as run_all
from rich_agent.runtime.concurrency import survived as survived
from rich_agent.runtime.concurrency import task_group as task_group
from rich_agent.runtime.concurrency import unless as unless
