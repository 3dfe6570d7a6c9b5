"""Media of messages, such as recordings, for features that make text of them."""

from rich_agent.domain.media import MAX_MEDIA_BYTES as MAX_MEDIA_BYTES
from rich_agent.domain.media import MEDIA_KINDS as MEDIA_KINDS
from rich_agent.domain.media import MediaKind as MediaKind
from rich_agent.domain.media import Medium as Medium
from rich_agent.errors import MediaRefusedError as MediaRefusedError
from rich_agent.ports.media import Fetch as Fetch
from rich_agent.ports.media import MediaReader as MediaReader
