"""Commands of the operator and own processes, within bounds that the kernel enforces."""

from rich_agent.runtime.confined_command import CommandBounds as CommandBounds
from rich_agent.runtime.confined_command import confined_command as confined_command
from rich_agent.runtime.confinement import SIGNALS_SINCE as SIGNALS_SINCE
from rich_agent.runtime.confinement import Bounds as Bounds
from rich_agent.runtime.confinement import confine as confine
from rich_agent.runtime.confinement import offered_measures as offered_measures
from rich_agent.runtime.confinement import program_files as program_files
