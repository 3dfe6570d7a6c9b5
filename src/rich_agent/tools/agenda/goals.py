"""Tools that read and change a user's goals."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic import Field
from typing_extensions import override

from rich_agent.domain.agenda.plans import NewGoal, Timeframe
from rich_agent.phrases import say
from rich_agent.ports.agenda import Goals
from rich_agent.ports.tools import Asker
from rich_agent.tools.arguments import Day, LenientArguments, RowId, Title, told
from rich_agent.tools.changing import fields_given, undo_create, undo_of, undo_update
from rich_agent.tools.tool import Arguments, Outcome, Tool, ToolRefusedError


class GetGoals(LenientArguments):
    """Which goals to list."""

    timeframe: Timeframe | None = None


class CreateGoal(LenientArguments):
    """The new goal."""

    title: Title
    timeframe: Timeframe | None = None
    target_date: Day | None = Field(None, description="YYYY-MM-DD")
    progress: int = Field(0, ge=0, le=100, description="Percent.")

    @override
    def added(self) -> tuple[str, ...]:
        return (self.title,)


class UpdateGoal(Arguments):
    """The changes to a goal; what is left out stays."""

    goal_id: RowId
    title: Title | None = None
    timeframe: Timeframe | None = None
    target_date: Day | None = Field(None, description="YYYY-MM-DD; null: no date.")
    progress: int | None = Field(None, ge=0, le=100, description="Percent.")


@dataclass(frozen=True, slots=True)
class GoalTools:
    """Acts on the goals of the user who asks."""

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
            ),
            Tool(
                "update_goal",
                "Change a goal or its progress. Find its id with get_goals.",
                UpdateGoal,
                self.update_goal,
                "change",
                undo_update(self.goals, "goal"),
            ),
        )

    async def get_goals(self, wanted: GetGoals, asker: Asker) -> Outcome:
        """The goals, the next to be reached first."""
        found = await self.goals.all(asker.user_id, wanted.timeframe)
        rows = [told(asdict(goal)) | {"progress": goal.progress} for goal in found]
        return Outcome(
            {
                "total_count": len(rows),
                "goals": [{"goal_id": row.pop("id"), **row} for row in rows],
            }
        )

    async def create_goal(self, new: CreateGoal, asker: Asker) -> Outcome:
        """The id of the new goal."""
        goal = await self.goals.create(asker.user_id, NewGoal(**new.model_dump()))
        data = {"goal_id": goal.id, "title": goal.title, "created_at": goal.created_at}
        done = say(asker.locale, "goal-created", title=goal.title)
        return Outcome(data, done=done, undo={"goal_id": goal.id, "title": goal.title})

    async def update_goal(self, wanted: UpdateGoal, asker: Asker) -> Outcome:
        """Which properties changed."""
        fields = fields_given(wanted, "goal_id", {"target_date"})
        change = await self.goals.update(asker.user_id, wanted.goal_id, fields)
        if change is None:
            raise ToolRefusedError(
                f"Goal {wanted.goal_id} was not found. Find the id with get_goals."
            )
        found = await self.goals.all(asker.user_id)
        goal = next(one for one in found if one.id == wanted.goal_id)
        data = {
            "goal_id": goal.id,
            "updated_at": goal.updated_at,
            "updated_properties": sorted(change.before),
        }
        if not change.before:
            return Outcome(data)
        done = say(asker.locale, "goal-updated", title=goal.title, progress=goal.progress)
        return Outcome(data, done=done, undo=undo_of(change, goal_id=goal.id, title=goal.title))
