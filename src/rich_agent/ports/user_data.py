"""The declaration of a table: which of its rows are a user's, and what becomes of them.

Stands in `info` of the table, where SQLAlchemy leaves it alone. From it follow the export, the age,
and the three ways to forget: everything, a conversation, and a single thing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

KEY = "user_data"
"""Of `Table.info`."""

Kept = Literal["operations", "conversation", "for good"] | int
"""RETENTION_DAYS, CONVERSATION_DAYS, no limit, or a number of days."""
Way = Literal["everything", "conversation", "thing", "export", "age"]
"""What can happen to rows: the three ways to forget, the export, and the age."""


@dataclass(frozen=True, slots=True)
class UserData:
    """The columns of a table by which its rows are found, and what follows from them.

    Everything is optional. A table without `user`, `thread`, `prefix` and `parent` has rows of
    nobody, which may have an age all the same.
    """

    user: str = ""
    """Column with the Telegram id of the user."""
    thread: str = ""
    """Column with the id of the conversation, which begins with that of its user."""
    prefix: str = ""
    """Column with the namespace of the user's memory."""
    parent: str = ""
    """Table whose rows these belong to: a foreign key with ON DELETE CASCADE deletes them."""
    request: str = ""
    """Column with the turn that the row was written in, or an array of turns."""
    text: tuple[str, ...] = ()
    """Columns whose words may tell of a thing that is to be forgotten, the title first.

    With `request`, a row goes with its turn, or when it tells of the thing and its turn does not
    stay. Without, it is a thing of its own, among which a model chooses what was meant.
    """
    age: str | tuple[str, ...] = ()
    """Column with the time from which a row ages; of several the earliest. Null: not yet."""
    ended: Mapping[str, tuple[str | bool, ...]] = field(default_factory=dict)
    """Values of columns without which a row does not age, such as of its status."""
    kept: Kept = "for good"
    """How long after `age` a row is kept."""
    exported: tuple[str, ...] = ()
    """Columns that the user gets with /export; `id AS task_id` gives one another name there."""
    looked_up: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Values of other tables among what is `exported`, by their names there: a foreign key to the
    `id` of the other, that table, and its column, as in
    `{"folder": ("folder_id", "note_folders", "name")}`."""
    section: str = ""
    """Name of the part of the export; the table's, unless it is given."""
    order: str = ""
    """Column that orders the export; the primary key, unless it is given."""
    is_cache: bool = False
    """Whether the rows can be made again: whatever is forgotten, all of the user's are deleted."""
    goes_with_all: bool = False
    """Whether the rows are deleted, too, when the user has everything forgotten that they said and
    planned. So is what would bring it back, such as the login of another service."""
    special: tuple[Way, ...] = ()
    """What has a statement of its own in the core, instead of the one that would follow."""

    @property
    def info(self) -> dict[str, Any]:
        """The value of `info` of a table."""
        return {KEY: self}

    @property
    def is_users(self) -> bool:
        """Whether its rows belong to users."""
        return bool(self.user or self.thread or self.prefix or self.parent)

    @property
    def columns(self) -> set[str]:
        """Every column that is named."""
        columns = {self.user, self.thread, self.prefix, self.request, self.order, *self.ages}
        lookup_columns = {column for column, _, _ in self.looked_up.values()}
        export_columns = {
            column for name, column in self.sections.items() if name not in self.looked_up
        }
        return {*columns, *self.text, *self.ended, *export_columns, *lookup_columns} - {""}

    @property
    def ages(self) -> tuple[str, ...]:
        """The columns of the age."""
        one = (self.age,) if isinstance(self.age, str) else self.age
        return tuple(filter(None, one))

    @property
    def sections(self) -> Mapping[str, str]:
        """The exported columns by their names in the export."""
        pairs = [one.partition(" AS ") for one in self.exported]
        return {name or column: column for column, _, name in pairs}

    def to_json(self) -> dict[str, Any]:
        """The JSON form, without what is not given."""
        values = asdict(self).items()
        # A term of 0 days counts.
        return {name: value for name, value in values if value or type(value) is int}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The declaration in its JSON form; fields of later versions are left out.

        Raises: TypeError, ValueError if it is none.
        """
        own_fields = {name: value[name] for name in cls.__dataclass_fields__ if name in value}
        return cls(**{name: _frozen(part) for name, part in own_fields.items()})


@dataclass(frozen=True, slots=True)
class NobodysData:
    """Why a table with a column that names a user holds nothing of the user's."""

    reason: str

    @property
    def info(self) -> dict[str, Any]:
        """The value of `info` of a table."""
        return {KEY: self}


@dataclass(frozen=True, slots=True)
class UserTable:
    """A table with its declaration, and the columns of its primary key."""

    name: str
    key: tuple[str, ...]
    data: UserData

    @property
    def section(self) -> str:
        """The name of its part of the export."""
        return self.data.section or self.name

    def derives(self, way: Way) -> bool:
        """Whether the statement of a way follows from the declaration."""
        return way not in self.data.special


def _frozen(value: object) -> Any:  # noqa: ANN401 - a value of any field
    if isinstance(value, Mapping):
        return {name: _frozen(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(value)
    return value
