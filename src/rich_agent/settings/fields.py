"""The shape of a group of settings, and the list of all settings by their environment names."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SecretStr
from pydantic.fields import FieldInfo

from rich_agent.errors import SettingsError


@dataclass(frozen=True, slots=True)
class SectionSecrets:
    """Values that must not be written anywhere, and variables of the environment that hold some."""

    values: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()


class Group(BaseModel):
    """Settings of one subject.

    A setting's environment name is its field's name in capitals, unless the field gives another. In
    a group within a group, it begins with the inner one's name: `planner.model` is PLANNER_MODEL.
    The section of a feature may have more to check than types do, and more secrets than those in
    its fields, as where a setting is the path of a file.
    """

    model_config = ConfigDict(
        frozen=True, allow_inf_nan=False, extra="forbid", validate_by_name=True
    )

    def find_problems(self) -> Iterable[SettingsError]:
        """Problems of a section whose fields are of the right types."""
        return ()

    def find_secrets(self) -> SectionSecrets:
        """Secrets of a section besides those in its fields."""
        return SectionSecrets()


def setting(
    description: str = "",
    default: Any = None,  # noqa: ANN401 - of the field's type
    *,
    name: str | None = None,
    demo: str | None = None,
    **limits: Any,  # noqa: ANN401 - pydantic's
) -> Any:  # noqa: ANN401 - of the field's type
    """Return the field of a setting; `name` is its environment name if that is another.

    `demo` is its value in `rich-agent demo`; {sandbox} in it is the address of the stand-ins.
    """
    extra: dict[str, JsonValue] | None = None if demo is None else {"demo": demo}
    return Field(
        default, description=description, validation_alias=name, json_schema_extra=extra, **limits
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its environment name, its place in the groups, its field and its meaning."""

    name: str
    path: tuple[str, ...]
    field: FieldInfo
    description: str

    @property
    def types(self) -> tuple[Any, ...]:
        """The field's type, what it is made of, and the kinds of these."""
        parts = (self.field.annotation, *get_args(self.field.annotation))
        return *parts, *map(get_origin, parts)

    @property
    def is_secret(self) -> bool:
        """Whether its value must never be shown."""
        return SecretStr in self.types

    @property
    def demo(self) -> str | None:
        """Its value in `rich-agent demo`."""
        extra = self.field.json_schema_extra
        return str(extra["demo"]) if isinstance(extra, dict) and "demo" in extra else None

    def of(self, group: BaseModel) -> Any:  # noqa: ANN401 - of the field's type
        """The value in a tree of groups."""
        return reduce(getattr, self.path, group)


def find_settings(
    group: type[BaseModel], path: tuple[str, ...] = (), description: str | None = None
) -> Iterator[Setting]:
    """All settings of a tree of groups; `description` is that of a field that has none itself."""
    prefix = f"{path[-1]}_" if len(path) > 1 else ""
    for name, field in group.model_fields.items():
        inner, place = field.annotation, (*path, name)
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from find_settings(inner, place, field.description)
        else:
            env_name = str(field.validation_alias or f"{prefix}{name}".upper())
            yield Setting(env_name, place, field, field.description or description or "")


def arrange(values: Mapping[str, object], settings: Mapping[str, Setting]) -> dict[str, Any]:
    """Values by environment name as a tree of groups; names of no setting are left out."""
    tree: dict[str, Any] = {}
    for name in settings.keys() & values.keys():
        *groups, field = settings[name].path
        branch = tree
        for group in groups:
            branch = branch.setdefault(group, {})
        branch[field] = values[name]
    return tree
