"""Images for features: checked, scaled, and without metadata. The module loads Pillow."""

from rich_agent.domain.vision import Image as Image
from rich_agent.domain.vision import ImageLimits as ImageLimits
from rich_agent.errors import ImageRefusedError as ImageRefusedError
from rich_agent.runtime.imaging import prepare_image as prepare_image
from rich_agent.runtime.imaging import prepare_in_process as prepare_in_process
