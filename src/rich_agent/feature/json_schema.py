"""JSON Schemas that an answer can be held to; loads a library."""

from rich_agent.runtime.json_schema import fault_of as fault_of
