"""Separates a model's reasoning from its answer, in a stream of pieces of any size.

Thinking comes at the beginning of an answer. A later tag, such as in a code block, is text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, ClassVar, Self

import json_repair
from langchain_core.utils.json_schema import dereference_refs
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from typing_extensions import override

from rich_agent.domain.json_values import storable

_MESSAGE = ("<|channel|>final", "<|message|>")
HARMONY_CALL = "<|channel|>commentary to="
"""The beginning of a call in OpenAI's harmony format; it is no thought."""
# Tags that open thinking, and the ones that end it, in order; () if a tag only hides itself.
# Sources: the chat templates of DeepSeek, Qwen, Magistral, Seed-OSS, Kimi, Command A, EXAONE, Gemma
# and Apertus; Open WebUI; OpenAI's harmony format, which gpt-oss writes, with its special tokens
# and without them.
_OPENERS: Mapping[str, tuple[str, ...]] = {
    "<think>": ("</think>",),
    "<thinking>": ("</thinking>",),
    "<thought>": ("</thought>",),
    "<reasoning>": ("</reasoning>",),
    "<reflection>": ("</reflection>",),
    "<seed:think>": ("</seed:think>",),
    "[think]": ("[/think]",),
    "◁think▷": ("◁/think▷",),
    "<|start_thinking|>": ("<|end_thinking|>",),
    "<|begin_of_thought|>": ("<|end_of_thought|>",),
    "<|channel>thought": ("<channel|>",),
    "<|inner_prefix|>": ("<|inner_suffix|>",),
    '<details type="reasoning"': ("</details>",),
    "<|start|>assistant": (),
    "<|im_start|>assistant": (),
    "<|begin_of_text|>": (),
    "<｜begin▁of▁sentence｜>": (),
    "<bos>": (),
    "<s>": (),
    "<|channel|>analysis": _MESSAGE,
    "<|channel|>commentary": _MESSAGE,
    "<|channel|>final": _MESSAGE[1:],
}
_BARE = "analysis"
_BARE_END = "assistantfinal"
_LONE = "lone"
_CLOSERS: Mapping[str, re.Pattern[str]] = {
    **{
        closer: re.compile(re.escape(closer), re.IGNORECASE)
        for closer in (*(one for some in _OPENERS.values() for one in some), _BARE_END)
    },
    # A call may follow a thought, too.
    _MESSAGE[0]: re.compile(r"<\|channel\|>(?:final|(?=commentary to=))", re.IGNORECASE),
    _LONE: re.compile(
        r"</(?:think|thinking|thought|reasoning|reflection|seed:think)>|\[/think\]|◁/think▷"
        r"|<\|end_thinking\|>|<\|end_of_thought\|>",
        re.IGNORECASE,
    ),
}
_LONGEST_TAG = 32
# The whole tag, or the part of it that has arrived.
_HARMONY_END = re.compile(r"<\|(?:return|end)\|>|<(?:\|(?:r[eturn]{0,5}|e[nd]{0,2})?\|?)?\Z")


@dataclass(slots=True)
class ThinkingFilter:
    """Takes an answer piece by piece, and returns what is meant for the user.

    `begins_inside`: the server swallows the tag that opens the thinking and sends only the closing
    one. It becomes true when an answer shows this. If a part of that answer was already passed on,
    `is_taken_back` becomes true as well, because that part was thinking too.
    """

    begins_inside: bool = False
    is_taken_back: bool = False
    _thinking: list[str] = field(default_factory=list)
    _answer: list[str] = field(default_factory=list)
    _blanks: list[str] = field(default_factory=list)
    _held: str = ""
    _inside: tuple[str, ...] = ()
    _at_beginning: bool = True
    _watches: bool = True
    _is_harmony: bool = False
    _is_over: bool = False
    _reported_count: int = 0

    def __post_init__(self) -> None:
        if self.begins_inside:
            self._inside, self._watches = (_LONE,), False

    @property
    def thought(self) -> str:
        """The thinking so far, with its tags."""
        return "".join(self._thinking)

    def new_thought(self) -> str:
        """The thinking since the last call, so that a long thought is not read twice."""
        fresh, self._reported_count = self._thinking[self._reported_count :], len(self._thinking)
        return "".join(fresh)

    def feed(self, piece: str) -> str:
        """The text for the user in the piece and in what was held back."""
        self._held += piece
        text = ""
        while (step := self._step()) is not None:
            text = "" if self.is_taken_back and not self._answer else text
            text += step
            self._answer += [step] if step else []
        return text

    def finish(self, *, was_cut: bool = False) -> str:
        """The rest of the text; "" if the answer ends while it thinks."""
        rest, self._held = self._with_blanks(), ""
        if self._inside == (_LONE,) and not was_cut:
            # It ended without closing a thought, so all of it was text this time.
            self.begins_inside, self._inside = False, ()
            rest, self._thinking = self.thought + rest, []
        if self._inside:
            self._thinking.append(rest)
            return ""
        return "" if self._is_over else rest

    def _step(self) -> str | None:
        """The text to pass on now, "" if another step has to follow, None to wait for more."""
        if not self._held or self._is_over:
            return None
        if self._inside:
            return self._think()
        return self._begin() if self._at_beginning else self._speak()

    def _think(self) -> str | None:
        closer = _CLOSERS[self._inside[0]].search(self._held)
        end = closer.end() if closer else max(0, len(self._held) - _LONGEST_TAG)
        self._thinking.append(self._held[:end])
        self._held = self._held[end:]
        if closer is None:
            return None
        self._inside = self._inside[1:]
        if closer[0].endswith("|>") and self._held.startswith("commentary"):
            self._inside, self._held = (), f"{self._thinking.pop()[closer.start() :]}{self._held}"
        return ""

    def _begin(self) -> str | None:
        """Decide whether a thought or text begins here."""
        start = self._held.lstrip()
        self._blanks.append(self._held[: len(self._held) - len(start)])
        self._held = start
        if not start:
            return None
        beginning = start[:_LONGEST_TAG].lower()
        is_call = beginning[: len(HARMONY_CALL)] == HARMONY_CALL[: len(beginning)]
        is_bare = beginning.startswith(_BARE) and start[len(_BARE) :][:1].isupper()
        opener = _BARE if is_bare else next(filter(beginning.startswith, _OPENERS), "")
        if opener and not is_call:
            self._inside = (_BARE_END,) if is_bare else _OPENERS[opener]
            self._is_harmony = self._is_harmony or "|channel|" in opener
            if self._inside:
                self._thinking.append(start[: len(opener)])
                self._watches = False
            self._held, self._blanks = start[len(opener) :], []
            return ""
        if any(one.startswith(beginning) for one in (*_OPENERS, _BARE, HARMONY_CALL)):
            return None
        self._at_beginning = False
        self._held = start if self._thinking else self._with_blanks()
        self._blanks = []
        return ""

    def _with_blanks(self) -> str:
        """The text that is held back, with the blanks before it."""
        return "".join([*self._blanks, self._held])

    def _speak(self) -> str | None:
        if self._watches and (behind := self._behind_lone_closer()) is not None:
            self.is_taken_back = any(map(str.strip, self._answer))
            self.begins_inside, self._watches, self._at_beginning = True, False, True
            self._thinking = [*self._answer, self._held[: len(self._held) - len(behind)]]
            self._answer, self._held = [], behind
            return ""
        text, self._held = self._held, ""
        if self._is_harmony and (mark := _HARMONY_END.search(text)):
            text, self._held = text[: mark.start()], mark[0]
            self._is_over = mark[0].endswith("|>")
        return text or None

    def _behind_lone_closer(self) -> str | None:
        """The text after an unopened closing tag; None if there is none, or if it is in code."""
        tail = "".join(self._answer[-_LONGEST_TAG:])[-_LONGEST_TAG:]
        closer = _CLOSERS[_LONE].search(tail + self._held)
        if closer is None:
            return None
        behind = (tail + self._held)[closer.end() :]
        text = "".join(self._answer) + self._held
        before = text[: len(text) - len(behind)]
        line = before[before.rfind("\n") + 1 :]
        in_code = before.count("```") % 2 or line.count("`") % 2
        is_paired = closer[0].replace("/", "").replace("end_", "start_").lower() in before.lower()
        self._watches = False
        return None if in_code or is_paired else behind


def without_thinking(text: str, *, was_cut: bool = False) -> str:
    """A complete answer without the model's thinking."""
    reading = ThinkingFilter()
    return reading.feed(text) + reading.finish(was_cut=was_cut)


_MOST_CHARS = 50_000
"""Longer texts are cut; valid output is much shorter."""
_UNSUPPORTED = frozenset({"title", "default", "minLength", "minimum", "maximum"})
"""Keywords that some servers refuse in a strict schema. Source: OpenAI, Structured Outputs."""


def _as_json_text(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


Written = Annotated[str, BeforeValidator(_as_json_text)]
"""The value as text; a nested object or list is kept as JSON text."""


class ModelOutput(BaseModel):
    """A shape that a model is asked for; its texts can be stored.

    `bare` names the field that a mere text stands for; `most_tokens` bounds what is written.
    """

    model_config = ConfigDict(coerce_numbers_to_str=True)
    bare: ClassVar[str] = ""
    most_tokens: ClassVar[int] = 2_000

    @model_validator(mode="before")
    @classmethod
    def _read_names(cls, value: object) -> object:
        """Small models write names in capitals, and the main text without the object."""
        if isinstance(value, str) and cls.bare:
            return {cls.bare: value}
        if not isinstance(value, dict):
            return value
        fields = cls.model_fields
        return {name if name in fields else name.lower(): one for name, one in value.items()}

    @field_validator("*", mode="wrap")
    @classmethod
    def _read_value(
        cls, value: object, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> object:
        field = cls.model_fields[info.field_name or ""]
        if not (isinstance(value, dict) and _says_nothing(value)):
            for candidate in _readings(value, handler):
                with suppress(ValidationError):
                    return storable(handler(candidate))
        if field.is_required():
            return storable(handler(value))
        return field.get_default(call_default_factory=True)


def _readings(value: object, handler: ValidatorFunctionWrapHandler) -> Iterator[object]:
    """Possible readings of a value: as it is, in lower case, as a list, its fitting items."""
    yield value
    if isinstance(value, str):
        yield value.strip().lower()
    if isinstance(value, list):
        yield [item for item in value if _fits([item], handler)]
    elif value not in (None, "", {}):
        yield [value]


def _fits(value: object, handler: ValidatorFunctionWrapHandler) -> bool:
    try:
        handler(value)
    except ValidationError:
        return False
    return True


def _says_nothing(value: object) -> bool:
    """Whether it is empty at every depth: {}, {"query": ""}, {"days": [null]}."""
    if isinstance(value, dict):
        return all(map(_says_nothing, value.values()))
    if isinstance(value, list):
        return all(map(_says_nothing, value))
    return value is None or value == ""


class ShapedOutput(ModelOutput):
    """An answer in the form that a program asks for: `wanted`, a JSON Schema of an object."""

    model_config = ConfigDict(extra="allow")
    wanted: ClassVar[Mapping[str, Any]] = {}

    @model_validator(mode="before")
    @classmethod
    @override
    def _read_names(cls, value: object) -> object:
        """The names are the program's, in its own letters."""
        return value

    @model_validator(mode="after")
    def _fit(self) -> Self:
        from rich_agent.runtime.json_schema import problems_with  # noqa: PLC0415 - loads a library

        if problems := problems_with(self.model_extra or {}, self.wanted):
            raise ValueError("; ".join(problems))
        return self


def schema_of(shape: type[ModelOutput]) -> dict[str, Any]:
    """The JSON Schema of a shape; of our own in strict form: no references, all fields required.

    Source: OpenAI, Structured Outputs, supported schemas.
    """
    return dict(shape.wanted) if issubclass(shape, ShapedOutput) else _strict_schema_of(shape)


@cache
def _strict_schema_of(shape: type[ModelOutput]) -> dict[str, Any]:
    schema = dereference_refs(shape.model_json_schema())
    schema.pop("$defs", None)
    strict = _strict(schema)
    return {key: strict[key] for key in ("type", "properties", "required", "additionalProperties")}


def _strict(schema: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    strict_schema = {key: _strict(one) for key, one in schema.items() if key not in _UNSUPPORTED}
    if isinstance(properties := schema.get("properties"), dict):
        # Field names are not keywords.
        strict_schema["properties"] = {name: _strict(one) for name, one in properties.items()}
        strict_schema |= {"required": list(properties), "additionalProperties": False}
    return strict_schema


def read_object(text: str) -> dict[str, Any] | str | None:
    """The JSON object in a text; the text itself if the object is broken, None for prose.

    Finds it after thinking, between fences or sentences, and accepts single quotes, trailing commas
    and comments. A truncated object is not completed, because half an answer is worthless.
    """
    text = without_thinking(text)[:_MOST_CHARS]
    start, end = text.find("{"), text.rfind("}") + 1
    if start < 0:
        return None
    part = text[start:end]
    try:
        content = json.loads(part)
    except (ValueError, RecursionError):
        if not 0 < part.count("{") <= part.count("}"):
            return text
        try:
            # Fences would take quadratic time.
            content = json_repair.loads(part.replace("```", ""))
        except (ValueError, RecursionError):
            return text
    content = content if isinstance(content, list) else [content]
    return max((one for one in content if isinstance(one, dict)), key=len, default=text)
