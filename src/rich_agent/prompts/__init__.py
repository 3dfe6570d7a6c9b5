"""One Markdown file per model call, named as the node that makes it; slots are strict.

A file has two Jinja blocks, `system` and `user`; calls of a turn include `beginning.md` in the one
and `turn.md` in the other. No slot can open or close one of the tags that set material apart from
instructions.
"""

import re
import unicodedata
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import regex
from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    StrictUndefined,
    Template,
)

from rich_agent.domain.languages import ENGLISH
from rich_agent.domain.retrieval.passage import SECTION_SEPARATOR, Passage
from rich_agent.domain.text import normalized
from rich_agent.installed import installed_features
from rich_agent.phrases import say_parts
from rich_agent.ports.models import Prompt

# Nobody sees them, some models read them: tag characters spell whole instructions, variation
# selectors carry bytes, and the others part a tag's name. Joiners and the selectors of emoji stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b"
    "\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SELECTOR_RUN = re.compile("([\ufe00-\ufe0f])[\ufe00-\ufe0f]+")
# What looks like "<": the confusables of Unicode's UTS #39, and brackets of mathematics and CJK.
_ANGLES = "<＜﹤‹˂ᐸᚲ❮𝈶"
_BRACKETS = "〈〈⟨❬⧼"
# Slashes of any kind, and what a reader does not see between them; in any number.
_SLASHES = r"/\\／＼﹨⁄∕∖╱╲⟋⟍⧵⧶⧸⧹⁁᜵〳ノ丿"
_GAP = rf"[\s\p{{M}}\p{{Cf}}\u3164\uffa0{_SLASHES}]*+"
_MAYBE_TAG = regex.compile(
    rf"(?P<open>[{_ANGLES}{_BRACKETS}])(?={_GAP}(?P<name>[\w\p{{M}}\p{{Cf}}]++|[|｜]))"
)
_INSTRUCTION = regex.compile(
    rf"\[(?={_GAP}(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_\w++){_GAP}\])", regex.IGNORECASE
)
# Words that end or begin a message in the chat formats of open models: Gemma, Llama 2, T5, …
_FORMATS = frozenset({"s", "bos", "eos", "sys", "start_of_turn", "end_of_turn", "unk", "pad"})


@dataclass(frozen=True, slots=True)
class Disarming:
    """Disarms texts against `tags`, the names of the product's own tags."""

    tags: AbstractSet[str]
    _names: AbstractSet[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", frozenset(self.tags) | _FORMATS)

    def disarm(self, text: str) -> str:
        """The text, unable to open or close a tag, by whichever characters it tries."""
        result = _INSTRUCTION.sub("&#91;", _MAYBE_TAG.sub(self._escape_tag, visible(text)))
        return str(result)

    def _escape_tag(self, match: regex.Match[str]) -> str:
        name = match["name"]
        is_bar = name in "|｜"
        is_foreign = match["open"] in _ANGLES and not name.isascii()
        return "&lt;" if is_bar or is_foreign or _plain(name) in self._names else match["open"]


def visible(text: str) -> str:
    """The text without characters that nobody sees; what joins letters and emoji stays."""
    return _SELECTOR_RUN.sub(r"\1", _INVISIBLE.sub("", text))


def as_attribute(text: str) -> str:
    """The text as the value of a tag's attribute: one line that cannot end it."""
    readable = visible(text).replace('"', "'").replace("<", "&lt;").replace(">", "&gt;")
    return " ".join(readable.split())


def _plain(name: str) -> str:
    """A name in plain letters, without marks."""
    letters = normalized("NFKD", name).casefold()
    return "".join(c for c in letters if unicodedata.category(c) not in {"Mn", "Me", "Cf"})


_TAG = re.compile(r"<(\w+)")


def _folders_of_features() -> tuple[Path, ...]:
    return tuple(one.prompts for one in installed_features().features if one.prompts)


def _disarming() -> Disarming:
    return _disarming_of(_folders_of_features())


@cache
def _disarming_of(own: tuple[Path, ...]) -> Disarming:
    """Against every tag of every prompt, so that a new one needs no list to be kept."""
    folders: list[Traversable] = [files(__package__), *own]
    templates = [one for folder in folders for one in folder.iterdir() if one.name.endswith(".md")]
    texts = (template.read_text(encoding="utf-8") for template in templates)
    return Disarming(frozenset(name for text in texts for name in _TAG.findall(text)))


def markup_tags(prompt: Prompt) -> frozenset[str]:
    """The names of the tags of all prompts, without those that stand in this one's material."""
    prompt_text = f"{prompt.system}\n{prompt.user}"
    return frozenset(tag for tag in _disarming().tags if f"&lt;{tag}" not in prompt_text)


@cache
def _material(tags: AbstractSet[str]) -> re.Pattern[str]:
    tag_names = "|".join(sorted(tags))
    return re.compile(rf"<({tag_names})\b[^>]*>.*?</\1>", re.DOTALL)


def material_in(text: str) -> str:
    """Return the material between the tags of a rendered text, and in their attributes."""
    return "\n".join(match[0] for match in _material(_disarming().tags).finditer(text))


def disarm(text: object) -> str:
    """The text as it may stand in a prompt: it cannot open or close one of the prompts' tags."""
    return _disarming().disarm(str(text))


def tagged(name: str, text: str, **attributes: str) -> str:
    """The text as material, in a tag of its own."""
    attribute_text = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{attribute_text}>{disarm(text)}</{name}>"


def _attribute(value: object) -> str:
    return as_attribute(str(value).replace(SECTION_SEPARATOR, " › "))


def _line(value: object) -> str:
    """A text on one line, so that it cannot begin another item of a list."""
    return " ".join(str(value).split())


def _unread(passages: Iterable[Passage]) -> list[tuple[str, str]]:
    """The title of each document of which parts were not read, and these parts."""
    counts = {
        (passage.source_url, passage.title): passage.unread
        for passage in passages
        if passage.unread
    }
    return [(title, say_parts(ENGLISH, unread)) for (_, title), unread in counts.items()]


@cache
def _environment(own: tuple[Path, ...]) -> Environment:
    """The core's prompts, then those in the folders of features."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("rich_agent", "prompts"), FileSystemLoader(own)]),
        autoescape=False,  # noqa: S701 - prompts are no HTML; `finalize` disarms every slot
        finalize=disarm,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"attribute": _attribute, "line": _line, "unread": _unread}
    return environment


def render_prompt(
    name: str, *, history: tuple[tuple[str, str], ...] = (), **slots: object
) -> Prompt:
    """The prompt `<name>.md`, of the core or a feature, with its slots filled.

    Raises: jinja2.UndefinedError if a slot has no value, jinja2.TemplateNotFound.
    """
    template = _template(name)
    context = template.new_context(slots)
    system, user = (
        "".join(template.blocks[block](context)).strip() for block in ("system", "user")
    )
    return Prompt(system=system, user=user, history=history)


def render_part(name: str, **slots: object) -> str:
    """The part `<name>.md` that several prompts include, with its slots filled."""
    return _template(name).render(slots)


def _template(name: str) -> Template:
    return _environment(_folders_of_features()).get_template(f"{name}.md")
