"""Commands of the operator, run within bounds that the kernel enforces."""

from rich_agent.runtime.confined_command import CommandBounds as CommandBounds
from rich_agent.runtime.confined_command import confined_command as confined_command
from rich_agent.runtime.confinement import SIGNALS_SINCE as SIGNALS_SINCE
from rich_agent.runtime.confinement import offered_measures as offered_measures
