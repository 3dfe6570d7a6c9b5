"""Common parts of tools that change one row: fields to change, and undoing a change."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from rich_agent.feature import Arguments, Asker, ToolRefusedError, say
from rich_agent.feature.tools import Undo, origin_of
from rich_agent.features.agenda.domain.tasks import FieldChange

_OF_WORDS = ("title", "name", "description", "action_plan")


class DeletableRows(Protocol):
    """A store of rows of one kind."""

    async def delete(self, user_id: int, row_id: int, /) -> object:
        """Delete a row; returns a true value if there was such a row."""


class ChangeableRows(Protocol):
    """A store of rows of one kind whose fields change."""

    async def take_back(self, user_id: int, row_id: int, change: FieldChange, /) -> bool:
        """Restore the fields that are as the change left them; whether there were any."""


def changed_fields(
    arguments: Arguments, row_id: str, may_be_null: Collection[str] = ()
) -> dict[str, Any]:
    """The fields to change. Null is kept only for fields that it clears, `may_be_null`.

    Raises: ToolRefusedError if there is no field to change.
    """
    values = arguments.model_dump(exclude_unset=True, exclude={row_id})
    fields = {
        name: value for name, value in values.items() if value is not None or name in may_be_null
    }
    if not fields:
        raise ToolRefusedError("Name at least one field to change.")
    return fields


async def with_origin(fields: Mapping[str, Any], asker: Asker) -> dict[str, Any]:
    """The fields, with the `origin` of their words if the user is not the author.

    A row keeps that origin from then on.
    """
    origin = await origin_of(asker, *(fields.get(name) for name in _OF_WORDS))
    return {**fields, **({} if origin == "user" else {"origin": origin})}


def undo_of(change: FieldChange, **labels: object) -> dict[str, Any]:
    """The arguments of `undo_update`: the change as JSON, and `labels`, the row's id and names."""
    change_json = {"before": change.before, "after": change.after, "next_id": change.next_id}
    return {**labels, "change": change_json}


def undo_create(rows: DeletableRows, thing: str) -> Undo:
    """The function that deletes a created row; its phrase is named after the `thing`."""

    async def delete(undo: Mapping[str, Any], asker: Asker) -> str:
        was_deleted = await rows.delete(asker.user_id, undo[f"{thing}_id"])
        return (
            say(asker.locale, f"agenda-{thing}-create-undone", **_label_arguments(undo))
            if was_deleted
            else ""
        )

    return delete


def undo_update(rows: ChangeableRows, thing: str) -> Undo:
    """The function that restores changed fields; its phrases are named after the `thing`."""

    async def take_back(undo: Mapping[str, Any], asker: Asker) -> str:
        change = FieldChange(**undo["change"])
        is_back = await rows.take_back(asker.user_id, undo[f"{thing}_id"], change)
        key = f"agenda-{thing}-update-undone" if is_back else f"agenda-{thing}-changed-since"
        return say(asker.locale, key, **_label_arguments(undo))

    return take_back


def _label_arguments(undo: Mapping[str, Any]) -> dict[str, Any]:
    return {name: undo[name] for name in ("title", "name", "span") if name in undo}
