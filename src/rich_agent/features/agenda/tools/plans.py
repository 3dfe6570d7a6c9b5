"""Tools that read and change a user's goals, projects and notes."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from rich_agent.feature import Arguments, Asker, Outcome, Rule, Tool, ToolRefusedError, say
from rich_agent.feature.text import shorten
from rich_agent.feature.tools import (
    Day,
    LenientArguments,
    Limit,
    RowId,
    Title,
    foreign_words,
    origin_of,
    without_empty,
)
from rich_agent.features.agenda.domain.plans import Goal, NewGoal, NewProject, Project, Timeframe
from rich_agent.features.agenda.ports import Goals, Notes, Projects
from rich_agent.features.agenda.tools.changing import (
    changed_fields,
    undo_create,
    undo_of,
    undo_update,
    with_origin,
)
from rich_agent.features.agenda.tools.names import (
    naming_of_folders,
    naming_of_goals,
    naming_of_projects,
)


class GetGoals(LenientArguments):
    """A query for goals."""

    timeframe: Timeframe | None = None


class CreateGoal(LenientArguments):
    """The new goal."""

    title: Title
    timeframe: Timeframe | None = None
    target_date: Day | None = Field(None, description="YYYY-MM-DD")
    progress: int = Field(0, ge=0, le=100, description="Percent.")


class UpdateGoal(Arguments):
    """Changes to a goal. Fields that are left out stay as they are."""

    null_clears = True
    goal_id: RowId
    title: Title | None = None
    timeframe: Timeframe | None = None
    target_date: Day | None = Field(None, description="YYYY-MM-DD; null: no date.")
    progress: int | None = Field(None, ge=0, le=100, description="Percent.")


@dataclass(frozen=True, slots=True)
class GoalTools:
    """Tools for the goals of the user who asks."""

    goals: Goals

    def tools(self) -> Sequence[Tool]:
        """Every tool for goals."""
        return (
            Tool(
                "get_goals",
                "List the user's goals with their progress.",
                GetGoals,
                self.get_goals,
                aliases=("get_user_goals",),
            ),
            Tool(
                "create_goal",
                "Set a goal.",
                CreateGoal,
                self.create_goal,
                "change",
                undo_create(self.goals, "goal"),
                rule=Rule.of_own_texts("title"),
            ),
            Tool(
                "update_goal",
                "Change a goal or its progress. Find its id with get_goals.",
                UpdateGoal,
                self.update_goal,
                "change",
                undo_update(self.goals, "goal"),
                rule=Rule(writes=("title",)),
                names={"goal_id": naming_of_goals(self.goals)},
            ),
        )

    async def get_goals(self, arguments: GetGoals, asker: Asker) -> Outcome:
        """The goals, the earliest target date first."""
        goals = await self.goals.all(asker.user_id, arguments.timeframe)
        rows = [
            without_empty(_visible_fields(goal)) | {"progress": goal.progress} for goal in goals
        ]
        return Outcome(
            {
                "total_count": len(rows),
                "goals": [{"goal_id": row.pop("id"), **row} for row in rows],
            },
            words=foreign_words(goals),
        )

    async def create_goal(self, new: CreateGoal, asker: Asker) -> Outcome:
        """Create a goal; returns its id."""
        origin = await origin_of(asker, new.title)
        new_goal = NewGoal(**new.model_dump(), origin=origin)
        goal = await self.goals.create(asker.user_id, new_goal)
        data = {"goal_id": goal.id, "title": goal.title, "created_at": goal.created_at}
        notice = say(asker.locale, "agenda-goal-created", title=goal.title)
        undo = {"goal_id": goal.id, "title": goal.title}
        return Outcome(data, done=notice, undo=undo, words=foreign_words([goal]))

    async def update_goal(self, arguments: UpdateGoal, asker: Asker) -> Outcome:
        """Change a goal; returns the names of the changed properties."""
        fields = changed_fields(arguments, "goal_id", {"target_date"})
        values = await with_origin(fields, asker)
        change = await self.goals.update(asker.user_id, arguments.goal_id, values)
        if change is None:
            raise ToolRefusedError(
                f"Goal {arguments.goal_id} was not found. Find the id with get_goals."
            )
        goals = await self.goals.all(asker.user_id)
        goal = next(one for one in goals if one.id == arguments.goal_id)
        data = {
            "goal_id": goal.id,
            "updated_at": goal.updated_at,
            "updated_properties": sorted(change.before.keys() & fields.keys()),
        }
        words = foreign_words([goal])
        if not change.before:
            return Outcome(data, words=words)
        notice = say(asker.locale, "agenda-goal-updated", title=goal.title, progress=goal.progress)
        undo = undo_of(change, goal_id=goal.id, title=goal.title)
        return Outcome(data, done=notice, undo=undo, words=words)


_MOST_CHARS = 300
"""Length of a description in a list."""


def _read_importance(value: object) -> object:
    """The importance, 1 to 5, of a number, a word such as "high", or one to five stars."""
    if not isinstance(value, str):
        return value
    word = value.strip().lower().replace("\ufe0f", "")
    return _IMPORTANCES.get(word, word)


_IMPORTANCES = {"lowest": 1, "low": 2, "medium": 3, "high": 4, "highest": 5} | {
    "⭐" * number: number for number in range(1, 6)
}
Importance = Annotated[int, BeforeValidator(_read_importance), Field(ge=1, le=5)]


class GetProjects(LenientArguments):
    """A query for projects."""

    include_archived: bool = False


class CreateProject(LenientArguments):
    """The new project."""

    name: Title
    description: str = Field(max_length=4000, description="What it is to achieve.")
    importance: Importance = Field(3, description="5 is the highest.")
    action_plan: str = Field("", max_length=4000)


class UpdateProject(Arguments):
    """Changes to a project. Fields that are left out stay as they are."""

    project_id: RowId
    name: Title | None = None
    description: str | None = Field(None, max_length=4000)
    importance: Importance | None = Field(None, description="5 is the highest.")
    action_plan: str | None = Field(None, max_length=4000)
    is_archived: bool | None = None


@dataclass(frozen=True, slots=True)
class ProjectTools:
    """Tools for the projects of the user who asks."""

    projects: Projects

    def tools(self) -> Sequence[Tool]:
        """Every tool for projects."""
        return (
            Tool(
                "get_projects",
                "List the user's projects with the number of their tasks.",
                GetProjects,
                self.get_projects,
                aliases=("get_user_projects",),
            ),
            Tool(
                "create_project",
                "Start a project, to which tasks can belong.",
                CreateProject,
                self.create_project,
                "change",
                undo_create(self.projects, "project"),
                rule=Rule.of_own_texts("name", "description", "action_plan"),
            ),
            Tool(
                "update_project",
                "Change or archive a project. Find its id with get_projects.",
                UpdateProject,
                self.update_project,
                "change",
                undo_update(self.projects, "project"),
                rule=Rule(writes=("name", "description", "action_plan")),
                names={"project_id": naming_of_projects(self.projects)},
            ),
        )

    async def get_projects(self, arguments: GetProjects, asker: Asker) -> Outcome:
        """The projects, the most important first."""
        projects = await self.projects.all(asker.user_id, with_archived=arguments.include_archived)
        rows = []
        for project in projects:
            row = {**_visible_fields(project), "open_tasks": None, "done_tasks": None}
            row["description"] = shorten(project.description, _MOST_CHARS)
            row["action_plan"] = shorten(project.action_plan, _MOST_CHARS)
            counts = {"open": project.open_tasks, "done": project.done_tasks}
            rows.append({"project_id": row.pop("id"), **without_empty(row), "task_counts": counts})
        data = {"total_count": len(rows), "projects": rows}
        return Outcome(data, words=foreign_words(projects))

    async def create_project(self, new: CreateProject, asker: Asker) -> Outcome:
        """Create a project; returns its id."""
        origin = await origin_of(asker, new.name, new.description, new.action_plan)
        new_project = NewProject(**new.model_dump(), origin=origin)
        project = await self.projects.create(asker.user_id, new_project)
        data = {"project_id": project.id, "name": project.name, "created_at": project.created_at}
        notice = say(asker.locale, "agenda-project-created", name=project.name)
        undo = {"project_id": project.id, "name": project.name}
        return Outcome(data, done=notice, undo=undo, words=foreign_words([project]))

    async def update_project(self, arguments: UpdateProject, asker: Asker) -> Outcome:
        """Change a project; returns the names of the changed properties."""
        fields = changed_fields(arguments, "project_id")
        values = await with_origin(fields, asker)
        change = await self.projects.update(asker.user_id, arguments.project_id, values)
        project = await self.projects.find(asker.user_id, arguments.project_id)
        if change is None or project is None:
            raise ToolRefusedError(
                f"Project {arguments.project_id} was not found. Find the id with get_projects."
            )
        properties = sorted(change.before.keys() & fields.keys())
        data, words = (
            {"project_id": project.id, "updated_properties": properties},
            foreign_words([project]),
        )
        if not change.before:
            return Outcome(data, words=words)
        notice = say(asker.locale, "agenda-project-updated", name=project.name)
        undo = undo_of(change, project_id=project.id, name=project.name)
        return Outcome(data, done=notice, undo=undo, words=words)


_MOST_SHOWN, _FEWEST_CHARS = 9_000, 80
"""Characters of all notes of a list that a model reads, and the fewest of each note."""


class GetRecentNotes(LenientArguments):
    """A query for notes, one page of them."""

    folder_id: RowId | None = None
    limit: Limit = 10


class CreateNote(LenientArguments):
    """The new note."""

    title: Title
    content: str = Field(max_length=20_000, description="Markdown.")
    folder_id: RowId | None = None


@dataclass(frozen=True, slots=True)
class NoteTools:
    """Tools for the notes of the user who asks."""

    notes: Notes

    def tools(self) -> Sequence[Tool]:
        """Every tool for notes."""
        return (
            Tool(
                "get_recent_notes",
                "Read the user's newest notes, and the names of their folders.",
                GetRecentNotes,
                self.get_recent_notes,
                names={"folder_id": naming_of_folders(self.notes)},
                is_always_offered=True,
            ),
            Tool(
                "create_note",
                "Write a note for the user.",
                CreateNote,
                self.create_note,
                "change",
                undo_create(self.notes, "note"),
                rule=Rule.of_own_texts("title", "content"),
                names={"folder_id": naming_of_folders(self.notes)},
                is_always_offered=True,
            ),
        )

    async def get_recent_notes(self, arguments: GetRecentNotes, asker: Asker) -> Outcome:
        """The newest notes; long ones are cut, so that all fit."""
        folders = {folder.id: folder.name for folder in await self.notes.folders(asker.user_id)}
        if arguments.folder_id is not None and arguments.folder_id not in folders:
            raise _no_folder(arguments.folder_id)
        notes, total = await self.notes.page(
            asker.user_id, arguments.limit, folder_id=arguments.folder_id
        )
        share = max(_FEWEST_CHARS, _MOST_SHOWN // max(1, len(notes)))
        rows = [
            {
                "note_id": note.id,
                "title": note.title,
                "content": note.content[:share],
                **without_empty({"cut": len(note.content) > share, "folder_id": note.folder_id}),
                "updated_at": note.updated_at,
            }
            for note in notes
        ]
        folder_rows = [{"folder_id": number, "name": name} for number, name in folders.items()]
        more = {"total_count": total, "has_more": total > len(rows), "folders": folder_rows}
        return Outcome({**more, "notes": rows}, words=foreign_words(notes))

    async def create_note(self, new: CreateNote, asker: Asker) -> Outcome:
        """Create a note; returns its id."""
        origin = await origin_of(asker, new.title, new.content)
        note = await self.notes.create(
            asker.user_id, new.title, new.content, new.folder_id, origin=origin
        )
        if note is None:
            raise _no_folder(new.folder_id)
        data = {"note_id": note.id, "title": note.title, "created_at": note.created_at}
        notice = say(asker.locale, "agenda-note-created", title=note.title)
        undo = {"note_id": note.id, "title": note.title}
        return Outcome(data, done=notice, undo=undo, words=foreign_words([note]))


def _visible_fields(row: Goal | Project) -> dict[str, Any]:
    """The fields of a row that a model reads, which is all but its `origin`."""
    return {name: value for name, value in asdict(row).items() if name != "origin"}


def _no_folder(folder_id: int | None) -> ToolRefusedError:
    return ToolRefusedError(
        f"Folder {folder_id} was not found. Leave folder_id out, or see get_recent_notes."
    )
