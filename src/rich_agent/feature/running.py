"""Tasks and programs for the loops of features: running, repeating and stopping them."""

from rich_agent.runtime.concurrency import alongside as alongside
from rich_agent.runtime.concurrency import repeat as repeat
from rich_agent.runtime.concurrency import survived as survived
from rich_agent.runtime.concurrency import task_group as task_group
from rich_agent.runtime.concurrency import unless as unless
from rich_agent.runtime.own_programs import own_program as own_program
