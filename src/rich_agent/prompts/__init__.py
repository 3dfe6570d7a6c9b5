"""One Markdown file per model call, named as the node that makes it; slots are strict.

A file has two Jinja blocks, `system` and `user`. No slot can open or close one of the tags that set
material apart from instructions.
"""

import re
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from rich_agent.domain.retrieval.passage import SECTION_SEPARATOR
from rich_agent.ports.models import Prompt
from rich_agent.prompts.disarming import Disarming, as_attribute

_TAG = re.compile(r"<(\w+)")


@cache
def _disarming() -> Disarming:
    """Against every tag of every prompt, so that a new one needs no list to be kept."""
    templates = [found for found in files(__package__).iterdir() if found.name.endswith(".md")]
    texts = (template.read_text(encoding="utf-8") for template in templates)
    return Disarming(frozenset(name for text in texts for name in _TAG.findall(text)))


@cache
def _material() -> re.Pattern[str]:
    names = "|".join(sorted(_disarming().tags))
    return re.compile(rf"<({names})\b[^>]*>.*?</\1>", re.DOTALL)


def instructions_in(system: str) -> str:
    """Return a rendered prompt's own instructions, without the material between its tags."""
    return _material().sub(" ", system)


def material_in(system: str) -> str:
    """Return the material between the tags of a rendered prompt, and in their attributes."""
    return "\n".join(found[0] for found in _material().finditer(system))


def disarm(text: object) -> str:
    """The text as it may stand in a prompt: it cannot open or close one of the prompts' tags."""
    return _disarming().disarm(str(text))


def tagged(name: str, text: str, **attributes: str) -> str:
    """The text as material, in a tag of its own."""
    written = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{disarm(text)}</{name}>"


def _attribute(value: object) -> str:
    return as_attribute(str(value).replace(SECTION_SEPARATOR, " › "))


def _line(value: object) -> str:
    """A text on one line, so that it cannot begin another item of a list."""
    return " ".join(str(value).split())


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("rich_agent", "prompts"),
        autoescape=False,  # noqa: S701 - prompts are no HTML; `finalize` disarms every slot
        finalize=disarm,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"attribute": _attribute, "line": _line}
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
