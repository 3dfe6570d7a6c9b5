"""Common parts of tools that change one row: the fields that were given, and undoing a change."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from rich_agent.feature import Arguments, Asker, ToolRefusedError, say
from rich_agent.feature.tools import Undo, origin_of
from rich_agent.features.agenda.domain.tasks import FieldChange

_OF_WORDS = ("title", "name", "description", "action_plan")


class DeletableRows(Protocol):
    """A store of rows of one kind."""

    async def delete(self, user_id: int, row_id: int, /) -> object:
        """Delete a row; something false if there was none."""


class ChangeableRows(Protocol):
    """A store of rows of one kind whose fields change."""

    async def take_back(self, user_id: int, row_id: int, change: FieldChange, /) -> bool:
        """Restore the fields that nobody changed since; if there were any."""


def changed_fields(
    arguments: Arguments, row_id: str, may_be_null: Collection[str] = ()
) -> dict[str, Any]:
    """The fields to change, with null only where it clears. Raises: ToolRefusedError."""
    values = arguments.model_dump(exclude_unset=True, exclude={row_id})
    fields = {
        name: value for name, value in values.items() if value is not None or name in may_be_null
    }
    if not fields:
        raise ToolRefusedError("Name at least one field to change.")
    return fields


async def with_origin(fields: Mapping[str, Any], asker: Asker) -> dict[str, Any]:
    """The fields, with whose words they are if that is somebody else: a row stays theirs then."""
    origin = await origin_of(asker, *(fields.get(name) for name in _OF_WORDS))
    return {**fields, **({} if origin == "user" else {"origin": origin})}


def undo_of(change: FieldChange, **labels: object) -> dict[str, Any]:
    """The arguments of `undo_update`: the change as JSON, and how the row is `labels`."""
    change_json = {"before": change.before, "after": change.after, "next_id": change.next_id}
    return {**labels, "change": change_json}


def undo_create(rows: DeletableRows, thing: str) -> Undo:
    """Deletes the row that was made; the phrase for it is named after the `thing`."""

    async def delete(undo: Mapping[str, Any], asker: Asker) -> str:
        was_deleted = await rows.delete(asker.user_id, undo[f"{thing}_id"])
        return (
            say(asker.locale, f"agenda-{thing}-create-undone", **_label_arguments(undo))
            if was_deleted
            else ""
        )

    return delete


def undo_update(rows: ChangeableRows, thing: str) -> Undo:
    """Puts the fields back that nobody changed since; the phrases are named after the `thing`."""

    async def take_back(undo: Mapping[str, Any], asker: Asker) -> str:
        change = FieldChange(**undo["change"])
        is_back = await rows.take_back(asker.user_id, undo[f"{thing}_id"], change)
        key = f"agenda-{thing}-update-undone" if is_back else f"agenda-{thing}-changed-since"
        return say(asker.locale, key, **_label_arguments(undo))

    return take_back


def _label_arguments(undo: Mapping[str, Any]) -> dict[str, Any]:
    return {name: undo[name] for name in ("title", "name", "span") if name in undo}
