"""Groups of settings, and the list of all settings by environment name."""

import json
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SecretStr
from pydantic.fields import FieldInfo

from rich_agent.errors import SettingsError

_CHANGES = "changes_at_run_time"


@dataclass(frozen=True, slots=True)
class SectionSecrets:
    """Secret values, and the names of environment variables that hold secrets."""

    values: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()


class Group(BaseModel):
    """The settings of one subject.

    The environment name of a setting is the name of its field in capitals, unless the field gives
    another one. In a group within a group, the name begins with the name of the inner group:
    `planner.model` is PLANNER_MODEL.
    The section of a feature may override `find_problems` for checks beyond types. It may override
    `find_secrets` for secrets that are not in its fields, such as the content of a file whose path
    is a setting.
    """

    model_config = ConfigDict(
        frozen=True, allow_inf_nan=False, extra="forbid", validate_by_name=True
    )

    def find_problems(self) -> Iterable[SettingsError]:
        """Find problems of a section whose fields have the right types."""
        return ()

    def find_secrets(self) -> SectionSecrets:
        """Find secrets of a section that are not in its fields."""
        return SectionSecrets()


def setting(
    description: str = "",
    default: Any = None,  # noqa: ANN401 - of the field's type
    *,
    name: str | None = None,
    demo: str | None = None,
    changes_at_run_time: bool = False,
    **limits: Any,  # noqa: ANN401 - pydantic's
) -> Any:  # noqa: ANN401 - of the field's type
    """Return the field of a setting.

    `name`: its environment name, if that is not the field's name in capitals.
    `demo`: its value in `rich-agent demo`; {sandbox} in it is the address of the stand-ins.
    `changes_at_run_time`: whether an operator can change it while the bot runs. All that read it
    ask `LiveSettings` each time then.
    """
    extra: dict[str, JsonValue] = {}
    if demo is not None:
        extra["demo"] = demo
    if changes_at_run_time:
        extra[_CHANGES] = True
    return Field(
        default,
        description=description,
        validation_alias=name,
        json_schema_extra=extra or None,
        **limits,
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its environment name, its path through the groups, its field and description."""

    name: str
    path: tuple[str, ...]
    field: FieldInfo
    description: str

    @property
    def types(self) -> tuple[Any, ...]:
        """The field's type with its arguments, and the origin of each of these."""
        parts = (self.field.annotation, *get_args(self.field.annotation))
        return *parts, *map(get_origin, parts)

    @property
    def is_secret(self) -> bool:
        """Whether the value must never be shown."""
        return SecretStr in self.types

    @property
    def demo(self) -> str | None:
        """The value in `rich-agent demo`, None if it is the usual one."""
        extra = self.field.json_schema_extra
        return str(extra["demo"]) if isinstance(extra, dict) and "demo" in extra else None

    @property
    def changes_at_run_time(self) -> bool:
        """Whether an operator can change it while the bot runs; a secret never."""
        extra = self.field.json_schema_extra
        return isinstance(extra, dict) and _CHANGES in extra and not self.is_secret

    @property
    def choices(self) -> tuple[str, ...]:
        """The only values that it can have, () if there is no such list."""
        if self.field.annotation is bool:
            return "true", "false"
        if get_origin(self.field.annotation) is Literal:
            return tuple(map(str, get_args(self.field.annotation)))
        return ()

    def of(self, group: BaseModel) -> Any:  # noqa: ANN401 - of the field's type
        """The setting's value in a tree of groups."""
        return reduce(getattr, self.path, group)


def as_text(value: object) -> str:
    """A setting's value as it stands in the environment; "" for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | set | frozenset):
        return ",".join(map(str, sorted(value) if isinstance(value, AbstractSet) else value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def find_settings(
    group: type[BaseModel], path: tuple[str, ...] = (), description: str | None = None
) -> Iterator[Setting]:
    """All settings in a tree of groups; `description` is for fields without their own."""
    prefix = f"{path[-1]}_" if len(path) > 1 else ""
    for name, field in group.model_fields.items():
        field_type, field_path = field.annotation, (*path, name)
        if isinstance(field_type, type) and issubclass(field_type, BaseModel):
            yield from find_settings(field_type, field_path, field.description)
        else:
            env_name = str(field.validation_alias or f"{prefix}{name}".upper())
            yield Setting(env_name, field_path, field, field.description or description or "")


def arrange(values: Mapping[str, object], settings: Mapping[str, Setting]) -> dict[str, Any]:
    """Arrange values by environment name into a tree of groups; unknown names are left out."""
    tree: dict[str, Any] = {}
    for name in settings.keys() & values.keys():
        *groups, field = settings[name].path
        branch = tree
        for group in groups:
            branch = branch.setdefault(group, {})
        branch[field] = values[name]
    return tree
