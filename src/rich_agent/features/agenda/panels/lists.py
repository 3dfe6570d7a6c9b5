"""The panels of all tasks and of all notes."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.feature import Tool, say
from rich_agent.feature.panels import (
    MOST_ROWS,
    Panel,
    PanelButton,
    PanelContent,
    PanelField,
    PanelForm,
    PanelGroup,
    PanelLink,
    PanelRequest,
    PanelRow,
)
from rich_agent.feature.tools import say_choice
from rich_agent.features.agenda.domain.plans import ListPosition, Note, NoteFolder
from rich_agent.features.agenda.domain.tasks import Task
from rich_agent.features.agenda.panels.task_rows import capitalized, new_task_form, task_row
from rich_agent.features.agenda.ports import Agenda, TaskFreshness

_DONE = "done"
_LONGEST_NOTE = 20_000


@dataclass(frozen=True, slots=True)
class TasksPanel:
    """All open tasks, or those that are done."""

    agenda: Agenda
    fresh: TaskFreshness

    def panel(self, tools: Sequence[Tool]) -> Panel:
        """The panel, with the tools of its buttons."""
        return Panel(
            name="tasks", heading="agenda-page-tasks", compose=self.compose, tools=tools, order=20
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """A part of the list."""
        user_id, locale = request.user_id, request.locale
        is_done = request.query.get("list") == _DONE
        after = ListPosition.read(request.query.get("after", ""), is_day=not is_done)
        if after is None:
            await self.fresh.freshen(user_id)
        tasks = await self.agenda.tasks.following(user_id, after, MOST_ROWS + 1, is_done=is_done)
        projects = await self.agenda.projects.all(user_id)
        rows = [task_row(task, request.clocks, projects) for task in tasks[:MOST_ROWS]]
        empty = [say(locale, "agenda-tasks-all-empty")] if not (rows or is_done or after) else []
        return PanelContent(
            groups=[PanelGroup(rows)] if rows else (),
            sentences=empty,
            forms=() if is_done else [new_task_form(locale, projects)],
            links=[
                PanelLink(capitalized(say_choice(locale, "todo")), {}, not is_done),
                PanelLink(capitalized(say_choice(locale, _DONE)), {"list": _DONE}, is_done),
            ],
            following=_following(tasks, is_done=is_done),
        )


def _following(tasks: Sequence[Task], *, is_done: bool) -> str:
    if len(tasks) <= MOST_ROWS:
        return ""
    last = tasks[MOST_ROWS - 1]
    return ListPosition(last.id, last.completed_at if is_done else last.due_date).text


@dataclass(frozen=True, slots=True)
class NotesPanel:
    """All notes, newest first."""

    agenda: Agenda

    def panel(self, tools: Sequence[Tool]) -> Panel:
        """The panel, with the tools of its buttons."""
        return Panel(
            name="notes", heading="agenda-page-notes", compose=self.compose, tools=tools, order=30
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """A part of the list."""
        user_id, locale = request.user_id, request.locale
        after = ListPosition.read(request.query.get("after", ""))
        notes = await self.agenda.notes.following(user_id, after, MOST_ROWS + 1)
        folders = await self.agenda.notes.folders(user_id)
        rows = [_note_row(note, request, folders) for note in notes[:MOST_ROWS]]
        more = len(notes) > MOST_ROWS
        last = notes[MOST_ROWS - 1] if more else None
        return PanelContent(
            groups=[PanelGroup(rows)] if rows else (),
            sentences=() if rows or after else [say(locale, "agenda-notes-empty")],
            forms=[
                PanelForm(say(locale, "tool-create_note"), "create_note", _note_fields(folders))
            ],
            following=ListPosition(last.id, last.updated_at).text if last else "",
        )


def _note_row(note: Note, request: PanelRequest, folders: Sequence[NoteFolder]) -> PanelRow:
    locale, of_note = request.locale, {"note_id": note.id}
    names = [folder.name for folder in folders if folder.id == note.folder_id]
    change = PanelForm(
        say(locale, "tool-update_note"), "update_note", _note_fields(folders, note), of_note
    )
    return PanelRow(
        key=f"note-{note.id}",
        text=note.title,
        details=[request.clocks.day_of(note.updated_at), *names],
        body=note.content,
        buttons=[PanelButton(say(locale, "agenda-note-delete"), "delete_note", of_note)],
        forms=[change],
    )


def _note_fields(folders: Sequence[NoteFolder], note: Note | None = None) -> Sequence[PanelField]:
    choices = [("", "–"), *((f"{one.id}", one.name) for one in folders)]
    folder_id = f"{(note.folder_id if note else None) or ''}"
    folder = [PanelField("folder_id", folder_id, kind="choice", choices=choices)] if folders else []
    text = note.content if note else ""
    return (
        PanelField("title", note.title if note else "", is_required=True),
        PanelField("content", text, kind="long", most=_LONGEST_NOTE),
        *folder,
    )
