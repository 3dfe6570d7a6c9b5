"""The settings of what users send as files."""

from pydantic import Field

from rich_agent.settings.types import Count
from rich_agent.settings.voice import VoiceSettings


class FileSettings(VoiceSettings):
    """Settings for reading files with a model: how much of a file is read."""

    # Files that users send
    file_scanned_pages: Count = Field(
        20,
        ge=0,
        le=500,
        description="Most pages without text of a PDF that are shown to the vision model.",
    )
    file_parts: int = Field(
        12,
        ge=1,
        le=200,
        description="Most parts in which a long file is read where all of it is asked about, such "
        "as for a summary. Each part is a call of the planner's model.",
    )
