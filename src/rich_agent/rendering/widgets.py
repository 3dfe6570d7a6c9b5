"""Writes a living block as the document of a widget: whole without its script, which redraws it.

The template escapes whatever stands in a block. The script sets texts and attributes only.
"""

import re
import zlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.phrases import say
from rich_agent.rendering.charts import WIDTH, chart_layout

if TYPE_CHECKING:
    from jinja2 import Template

MOST_BYTES: Final = 32_768
MOST_COMPRESSED_BYTES: Final = 4_096
"""The most bytes of a widget, and compressed by zlib. Source: Bot API, sendWidget, html."""
_REDRAWN: Final = ("title", "rows", "actions", "note", "steps")
"""The parts of a block that its state can change."""
_LINE_START = re.compile(r"^ +", re.MULTILINE)
_SPACE_IN_STYLE = re.compile(r"\s?([{};,])\s?|(?<=:) ")
_COMMENT_LINE = re.compile(r"^//.*\n", re.MULTILINE)


def widget_html(block: LivingBlock) -> str | None:
    """The document of a block, None if it is larger than a widget may be."""
    written = block.to_json()
    html = _template().render(
        block=block,
        data={name: written[name] for name in _REDRAWN},
        direction="rtl" if block.locale in RIGHT_TO_LEFT else "ltr",
        chart=chart_layout(block.chart) if block.chart else None,
        chart_width=WIDTH,
        words={"unanswered": say(block.locale, "widget-unanswered")},
    )
    content = html.encode()
    fits = len(content) <= MOST_BYTES and len(zlib.compress(content, 9)) <= MOST_COMPRESSED_BYTES
    return html if fits else None


@cache
def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - loads late

    environment = Environment(
        loader=PackageLoader("rich_agent.rendering", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
    )
    # As letters: titles that stand in the page already then compress to references.
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    environment.globals.update(style=_style("widget.css"), script=_short("widget.js"))
    return environment.get_template("widget.html")


def _short(name: str) -> str:
    """A file of the templates without indents and lines of comments."""
    text = files("rich_agent.rendering").joinpath("templates", name).read_text("utf-8")
    return _COMMENT_LINE.sub("", _LINE_START.sub("", text)).strip()


def _style(name: str) -> str:
    """A file of styles without the white space that means nothing there."""
    return _SPACE_IN_STYLE.sub(r"\1", _short(name))
