"""Checks of answers and calls against a JSON Schema. The module loads a library."""

from rich_agent.runtime.json_schema import fault_of as fault_of
from rich_agent.runtime.json_schema import problems_with as problems_with
from rich_agent.runtime.json_schema import undescribed_arguments as undescribed_arguments
