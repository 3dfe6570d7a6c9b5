"""The declaration of a table: which of its rows belong to a user, and what happens to them.

It stands in the table's `info`, which SQLAlchemy leaves alone. Four things follow from it: the
export, the age, and the ways to forget everything, a conversation, or a single thing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

KEY = "user_data"
"""The key of the declaration in `Table.info`."""

Kept = Literal["operations", "conversation", "for good"] | int
"""The term of rows: RETENTION_DAYS, CONVERSATION_DAYS, no limit, or a number of days."""
Way = Literal["everything", "conversation", "thing", "export", "age"]
"""The operations on rows: the three ways to forget, the export, and the age."""


@dataclass(frozen=True, slots=True)
class UserData:
    """The columns of a table that find its rows, and the rules for them.

    All fields are optional. A table without `user`, `thread`, `prefix` and `parent` has no rows of
    users, but its rows may age.
    """

    user: str = ""
    """Column with the Telegram id of the user."""
    thread: str = ""
    """Column with the id of the conversation, which begins with that of its user."""
    prefix: str = ""
    """Column with the namespace of the user's memory."""
    parent: str = ""
    """Table that these rows belong to: a foreign key with ON DELETE CASCADE deletes them."""
    request: str = ""
    """Column with the turn that wrote the row, or an array of turns."""
    text: tuple[str, ...] = ()
    """Columns with words about a thing that may be forgotten, the title first.

    With `request`, a row is deleted with its turn, or if it is about the thing and its turn does
    not stay. Without `request`, it is a thing of its own, among which a model chooses.
    """
    age: str | tuple[str, ...] = ()
    """Column with the time from which a row ages; of several the earliest. Null: not yet."""
    ended: Mapping[str, tuple[str | bool, ...]] = field(default_factory=dict)
    """Values of columns that a row needs to age, such as of its status."""
    kept: Kept = "for good"
    """The term of a row, from `age` on."""
    exported: tuple[str, ...] = ()
    """Columns for /export; `id AS task_id` gives a column another name there."""
    looked_up: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Columns of other tables among the `exported` names.

    Each has a foreign key to the `id` of the other table, that table, and its column, as in
    `{"shelf": ("shelf_id", "shelves", "name")}`.
    """
    formats: Mapping[str, str] = field(default_factory=dict)
    """Formats of times among the `exported` names, for PostgreSQL's `to_char`.

    A time without a format is exported as in ISO 8601.
    """
    section: str = ""
    """Name of the part of the export; "" for the table's name."""
    order: str = ""
    """Column that orders the export; "" for the primary key."""
    is_cache: bool = False
    """Whether the rows can be computed again.

    All of the user's rows are deleted whenever anything is forgotten.
    """
    goes_with_all: bool = False
    """Whether the rows are deleted, too, when the user has everything forgotten.

    This includes rows that would bring data back, such as the login of another service.
    """
    special: tuple[Way, ...] = ()
    """Ways for which the core has a statement of its own."""

    @property
    def info(self) -> dict[str, Any]:
        """The value of `info` of a table."""
        return {KEY: self}

    @property
    def is_users(self) -> bool:
        """Whether the rows belong to users."""
        return bool(self.user or self.thread or self.prefix or self.parent)

    @property
    def columns(self) -> set[str]:
        """All columns that the declaration names."""
        columns = {self.user, self.thread, self.prefix, self.request, self.order, *self.ages}
        lookup_columns = {column for column, _, _ in self.looked_up.values()}
        export_columns = {
            column for name, column in self.sections.items() if name not in self.looked_up
        }
        return {*columns, *self.text, *self.ended, *export_columns, *lookup_columns} - {""}

    @property
    def ages(self) -> tuple[str, ...]:
        """The columns of the age."""
        age_columns = (self.age,) if isinstance(self.age, str) else self.age
        return tuple(filter(None, age_columns))

    @property
    def sections(self) -> Mapping[str, str]:
        """The exported columns by their names in the export."""
        pairs = [entry.partition(" AS ") for entry in self.exported]
        return {name or column: column for column, _, name in pairs}

    def to_json(self) -> dict[str, Any]:
        """The declaration as JSON, without empty fields."""
        values = asdict(self).items()
        # A term of 0 days is not empty.
        return {name: value for name, value in values if value or type(value) is int}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """The declaration from its JSON form, without fields of later versions.

        Raises: TypeError, ValueError if it is no declaration.
        """
        own_fields = {name: value[name] for name in cls.__dataclass_fields__ if name in value}
        return cls(**{name: _frozen(part) for name, part in own_fields.items()})


@dataclass(frozen=True, slots=True)
class NobodysData:
    """The reason why a table with a column that names a user holds no data of users."""

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
        """Whether the statement for a way follows from the declaration."""
        return way not in self.data.special


def _frozen(value: object) -> Any:  # noqa: ANN401 - a value of any field
    """The value with tuples in place of lists."""
    if isinstance(value, Mapping):
        return {name: _frozen(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(value)
    return value
