"""One Markdown file per model call, named as the node that makes it; slots are strict.

A file has two Jinja blocks, `system` and `user`. No slot can open or close one of the tags that set
material apart from instructions.
"""

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from rich_agent.domain.passage import SECTION_SEPARATOR
from rich_agent.ports import Prompt

_TAGS = (
    "domain|memory|preferences|conversation_summary|past_turn|asked|answered|image_summary|reply_to"
    "|quote|forwarded|passage|question|asked_back|answer_to_it"
)
_TAG = re.compile(rf"<(\s*/?\s*(?:{_TAGS})\b)", re.IGNORECASE)


def _disarm(value: object) -> str:
    return _TAG.sub(r"&lt;\1", str(value))


def _attribute(value: object) -> str:
    readable = str(value).replace('"', "'").replace(SECTION_SEPARATOR, " › ")
    return " ".join(readable.replace("<", "&lt;").replace(">", "&gt;").split())


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("rich_agent", "prompts"),
        autoescape=False,  # noqa: S701 - prompts are no HTML; `finalize` disarms every slot
        finalize=_disarm,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["attribute"] = _attribute
    return environment


def render_prompt(
    name: str, *, history: tuple[tuple[str, str], ...] = (), **slots: object
) -> Prompt:
    """The prompt `<name>.md` with its slots filled.

    Raises: jinja2.UndefinedError if a slot has no value, jinja2.TemplateNotFound.
    """
    template = _environment().get_template(f"{name}.md")
    context = template.new_context(slots)
    system, user = (
        "".join(template.blocks[block](context)).strip() for block in ("system", "user")
    )
    return Prompt(system=system, user=user, history=history)
