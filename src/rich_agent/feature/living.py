"""Living blocks for features: data that a message, a widget in Telegram, or a page shows."""

from rich_agent.domain.living_blocks import ActionKind as ActionKind
from rich_agent.domain.living_blocks import BlockAction as BlockAction
from rich_agent.domain.living_blocks import BlockChart as BlockChart
from rich_agent.domain.living_blocks import BlockRow as BlockRow
from rich_agent.domain.living_blocks import ChartKind as ChartKind
from rich_agent.domain.living_blocks import LivingBlock as LivingBlock
from rich_agent.domain.living_blocks import RowMark as RowMark
from rich_agent.rendering.charts import chart_drawing as chart_drawing
