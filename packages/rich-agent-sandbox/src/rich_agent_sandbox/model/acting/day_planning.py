"""Leads the planning of a day: looks, asks for what is not known, proposes, changes, writes."""

import re
from collections.abc import Sequence

from rich_agent_sandbox.model.acting.arguments import (
    Wish,
    arguments_for,
    kind_of_parameter,
    needed_by,
    parts_of,
)
from rich_agent_sandbox.model.acting.results import (
    ListedThing,
    amendment_in,
    is_failure,
    things_in,
    words_in,
)
from rich_agent_sandbox.model.acting.scheduling import (
    Block,
    changed,
    day_to_plan,
    proposed,
    written_in,
)
from rich_agent_sandbox.model.acting.session import LINES, LedSession
from rich_agent_sandbox.model.acting.steps import Intended, Step
from rich_agent_sandbox.model.acting.wishes import asks_for_action, concepts, named_in, title_in
from rich_agent_sandbox.model.language.lengths import minutes_in
from rich_agent_sandbox.model.language.text import content_terms
from rich_agent_sandbox.model.prompt import Act
from rich_agent_sandbox.model.request import FunctionSpec

_USUAL_MINUTES = 30
_MOST_ASKED, _MOST_PLANNED = 5, 7
_AND = re.compile(r"\s(?:and|und|y)\s|と")


class LedDay(LedSession):
    """A day is planned."""

    def next_step(self) -> Step:
        """By what was done for this message, else by what is proposed, else from the beginning."""
        if self.is_kept():
            return Step(words=self.say("plan_done"))
        if any(is_failure(act) and not amendment_in(act) for act in self.prompt.acts):
            return Step()
        plan = next(
            (
                blocks
                for turn in reversed(self.prompt.turns)
                if turn.role == "assistant" and (blocks := written_in(turn.text))
            ),
            [],
        )
        if self.made("create", "event"):
            return self.end([one.line.removeprefix("- ") for one in plan], "schedule")
        if plan and (step := self._about(plan)):
            return step
        return self._propose()

    def _about(self, plan: list[Block]) -> Step | None:
        """Return the next step on what the message says of the proposal."""
        if self.said == self.prompt.question and "remind" in concepts("acts", self.said):
            return self.usual()
        other = changed(plan, self.said)
        if other != plan:
            return self._shown(other, [])
        if not concepts("values", self.said) & {"agreed"}:
            if concepts("acts", self.said) & {"swap", "delete"}:
                missed = self.say("not_found")
                return Step(words=f"{missed}\n\n{self.say('plan_question')}")
            return self.usual() if asks_for_action(self.said) else Step()
        block, tasks = self.tool("create", "event"), self.tool("get", "task")
        if tasks and not self.made("get", "task"):
            return Step((Intended(tasks.name, {}),))
        return Step(tuple(self._block(block, one) for one in plan)) if block else None

    def _block(self, spec: FunctionSpec, block: Block) -> Intended:
        """The call that writes a block; a task is named by its id where that is enough."""
        minutes = int(block.length.total_seconds() / 60)
        text = (
            f"“{block.title}” {block.start:%Y-%m-%d} at {block.start:%H:%M} for {minutes} minutes"
        )
        given, _ = arguments_for(spec.parameters, Wish(text, self.now))
        task = next((t for t in self.tasks() if t.title == block.of_task and t.id), None)
        kinds = {kind_of_parameter(*one): one[0] for one in parts_of(spec.parameters)}
        names = {kinds.get("id"), kinds.get("title")}
        if task and len(names) == 2 and not names & {None, *needed_by(spec.parameters)}:
            del given[kinds["title"]]
            given[kinds["id"]] = task.id
        return Intended(spec.name, given)

    def _propose(self) -> Step:
        """Look at what there is, ask for what is not known, then propose."""
        looked = self._looked()
        if looked.calls:
            return looked
        tasks = self._due()
        unknown = [task for task in tasks if not task.minutes][:_MOST_ASKED]
        answers = [words_in(act) for act in self.prompt.acts if "ask" in named_in(act.name).acts]
        if not tasks:
            return self._from_words()
        told = _estimates(unknown, answers[-1]) if answers else {}
        update, asks = self.tool("update", "task"), self.tool("ask")
        if unknown and asks and not answers:
            titles = ", ".join(task.title for task in unknown)
            text = self.say("plan_estimates", tasks=titles)
            return Step(
                (Intended(asks.name, arguments_for(asks.parameters, Wish(f"“{text}”"))[0]),)
            )
        if update and told and not self.made("update", "task"):
            calls = [self._estimate(update, title, told[title]) for title in told]
            return Step(tuple(calls))
        wanted = [(one.title, one.minutes or told.get(one.title, _USUAL_MINUTES)) for one in tasks]
        return self._proposal(wanted)

    def _from_words(self) -> Step:
        """A proposal from what the message lists, or the question what there is to do."""
        wanted = [_measured(part) for part in _items(self.prompt.question)]
        known = [(title, minutes) for title, minutes in wanted if title and minutes]
        return self._proposal(known) if known else Step(words=self.say("plan_empty"))

    def _proposal(self, wanted: Sequence[tuple[str, int]]) -> Step:
        day = day_to_plan(self.prompt.question, self.now)
        taken = [one for act in self.prompt.acts for one in _taken(act, day.isoformat())]
        return self._shown(*proposed(wanted, taken, day, self.now))

    def _shown(self, blocks: Sequence[Block], left: Sequence[str]) -> Step:
        if not blocks:
            return Step(words=self.say("plan_full"))
        day = f"{blocks[0].start:%Y-%m-%d}"
        parts = [self.say("plan_proposal", day=day), "\n".join(one.line for one in blocks)]
        if left:
            parts.append(self.say("plan_left", tasks=", ".join(left)))
        return Step(words="\n\n".join([*parts, self.say("plan_question")]))

    def _looked(self) -> Step:
        """The calls that show tasks and day: first of all, and once more after a change."""
        done = [act.name for act in self.prompt.acts]
        update, tasks = self.tool("update", "task"), self.tool("get", "task")
        calls = []
        if tasks and (tasks.name not in done or (update and done[-1] == update.name)):
            calls.append(Intended(tasks.name, {}))
        if (day := self.tool("get", "event")) and day.name not in done:
            wish = Wish(day_to_plan(self.prompt.question, self.now).isoformat(), self.now)
            calls.append(Intended(day.name, arguments_for(day.parameters, wish)[0]))
        return Step(tuple(calls))

    def _estimate(self, spec: FunctionSpec, title: str, minutes: int) -> Intended:
        wish = Wish(f"“{title}” {minutes} minutes", self.now, self.prompt.acts)
        return Intended(spec.name, arguments_for(spec.parameters, wish)[0])

    def _due(self) -> list[ListedThing]:
        """The open tasks that are due or meant for the day; without any, the first of all."""
        day = day_to_plan(self.prompt.question, self.now).isoformat()
        found = [task for task in self.tasks() if not task.is_done]
        due = [task for task in found if task.is_for(day)]
        return (due or found)[:_MOST_PLANNED]


def _taken(act: Act, day: str) -> list[Block]:
    """Return the blocks that an answer lists of a day that is scheduled already."""
    lines = [f"{one.start}–{one.end} {one.title}" for one in things_in(act) if one.start]
    return written_in("\n".join([day, *lines]))


def _estimates(tasks: Sequence[ListedThing], answer: str) -> dict[str, int]:
    """Minutes by title: what is said next to a title, or in the order of the tasks."""
    told = [(set(content_terms(part)), minutes_in(part)[0]) for part in _items(answer)]
    known = [(terms, minutes) for terms, minutes in told if minutes]
    found = {}
    for at, task in enumerate(tasks):
        named = [m for terms, m in known if terms & set(content_terms(task.title))]
        in_order = [known[at][1]] if len(known) == len(tasks) else [m for _, m in known[:1]]
        if named or (known and not any(terms & _terms(tasks) for terms, _ in known)):
            found[task.title] = (named or in_order)[0]
    return found


def _terms(tasks: Sequence[ListedThing]) -> set[str]:
    return {term for task in tasks for term in content_terms(task.title)}


def _items(text: str) -> list[str]:
    """The items of a text that lists some in a sentence."""
    return [item for line in LINES.split(text) for item in _AND.split(line) if item.strip()]


def _measured(item: str) -> tuple[str, int | None]:
    minutes, title = minutes_in(item)
    return title_in(title), minutes
