"""Queries of widgets among faults: `python -m bench.faults.widgets [--seed N] [--queries N]`.

Workers are killed and begun, PostgreSQL restarts, and Telegram refuses, breaks off and hangs.

Users have lists of tasks and approvals as widgets, and press their buttons; others send what no
button says, what was sent before, or for a widget that is gone or somebody else's. A checker then
compares the rows with what was pressed, and each widget with the rows.
"""

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import psycopg
import typer

from bench.faults.finding import Finding, promised
from bench.faults.ground import Crew, Ground, crew, open_ground
from rich_agent.domain.living_blocks import LivingBlock, with_state
from tests.acceptance.faults import end_leases
from tests.acceptance.scripting import calling
from tests.acceptance.test_commands import labels
from tests.acceptance.world import DEADLINE_S, Sent, wait_until

Json = dict[str, Any]
Nature = Literal["pressed", "replayed", "stranger", "gone", "invented"]
_BLOCK = re.compile(r"const block = (\{.*\}), words = ")
_TASK_VERBS = {
    "taskdone1": "update_task",
    "tasklater1": "update_task",
    "taskdelete1": "delete_task",
}
_FAULTS = ("429", "500", "502", "502_done", "reset", "timeout")
_FAILING = ("editMessageWidgetData", "sendWidget", "answerWidgetQuery", "deleteMessage")
_HUNG_S = 12.0
_DECIDED = 0.4
"""How often a user with an open card presses a button of the card."""
_ANSWERED_WITHIN_S = 15.0
_INVENTED = (
    "x",
    "answer1:999:0",
    "taskdone1",
    "taskdelete1:1:all:0",
    "taskundo1:1:all:0",
    "💥" * 16,
)
_TASKS = """
INSERT INTO tasks (user_id, title)
SELECT %s, 'Task ' || number FROM generate_series(1, 5) AS number
"""
_OPEN = """
SELECT count(*) AS number FROM telegram_inbox
WHERE user_id = %s AND done_at IS NULL AND dead_at IS NULL
"""
_DONE = """
SELECT count(*) AS number FROM telegram_inbox
WHERE update_id = ANY(%s) AND done_at IS NOT NULL
"""
_HANDLED = """
SELECT update_id, user_id, attempts, dead_at IS NOT NULL AS is_dead,
    extract(epoch FROM received_at)::float8 AS since, extract(epoch FROM done_at)::float8 AS until
FROM telegram_inbox WHERE update_id = ANY(%s)
"""
_MADE = """
SELECT request_id, user_id, tool, input, status, undo IS NOT NULL AS did_change,
    undone_at IS NOT NULL AS is_undone
FROM tool_executions WHERE call_id = 'press'
"""
_TASK_ROWS = """
SELECT id, title, status, due_date, deleted_at IS NOT NULL OR is_archived AS is_gone
FROM tasks WHERE user_id = %s
"""
_PARTS = """
SELECT update_id, part, state, message_id, after_id, is_doubtful, left(text, 20) AS text,
    created_at::time(2)::text, updated_at::time(2)::text
FROM telegram_outbox WHERE chat_id = %s ORDER BY created_at
"""
_RECORDED = "SELECT state FROM telegram_widgets WHERE chat_id = %s AND message_id = %s"


_OF_WIDGETS = {"Approve", "✓ 1"}
"""Labels of buttons of messages that are widgets here."""


@dataclass(frozen=True, slots=True)
class WidgetScale:
    """The size of a trial."""

    queries: int = 1_000
    users: int = 40
    workers: int = 4
    kill_every: int = 60
    restart_every: int = 350
    fault_every: int = 4
    pause_s: float = 0.08


QUICK_WIDGETS = WidgetScale(
    queries=40, users=8, kill_every=30, restart_every=0, fault_every=6, pause_s=0.02
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A widget as its user sees it."""

    message_id: int
    sent: LivingBlock
    state: str

    @property
    def now(self) -> LivingBlock:
        """The block that it shows."""
        return with_state(self.sent, self.state)


@dataclass(frozen=True, slots=True)
class Query:
    """A query that was sent; `is_sure` if nothing else could have changed its widget before."""

    user: int
    message_id: int
    data: str
    nature: Nature
    query_id: str
    update_id: int
    is_sure: bool = False


def shown_widgets(chat: Mapping[str, Any]) -> list[Shown]:
    """The widgets of a chat."""
    found = []
    for message in chat["messages"]:
        if widget := message["widget"]:
            written = _BLOCK.search(widget["html"])
            assert written
            parts = json.loads(written[1])  # all that a state can change
            kind = "tasks" if any(row["key"] for row in parts["rows"]) else "approval"
            block = LivingBlock.from_json({"kind": kind, "locale": "en", **parts})
            found.append(Shown(message["message_id"], block, widget["chat_data"]))
    return found


@dataclass(slots=True)
class WidgetChaos:
    """One trial; `replace_worker` ends a worker at once and begins another."""

    ground: Ground
    chance: random.Random
    scale: WidgetScale
    replace_worker: Callable[[], None]
    users: list[int] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    wished: list[tuple[int, str]] = field(default_factory=list)
    lists: Counter[int] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    kills: list[float] = field(default_factory=list)
    _deleted: dict[str, list[int]] = field(default_factory=dict)
    _looked_at: int = 0

    def play(self) -> None:
        """Set everybody up, then send all queries among messages and disturbances."""
        self.users = self.ground.new_users(self.scale.users)
        with psycopg.connect(self.ground.world.database_url, autocommit=True) as connection:
            for user in self.users:
                connection.execute(_TASKS, (user,))
        for user in self.users:
            self._list(user)
            self._wish(user)
        self.ground.wait_done(self.sent)
        while len(self.queries) < self.scale.queries:
            before = len(self.queries)
            self._act()
            for number in range(before, len(self.queries)):
                self._disturb(number)
            time.sleep(self.chance.uniform(0.0, 2 * self.scale.pause_s))

    def settle(self, finding: Finding) -> None:
        """Everything is done, in a Telegram that does not fail."""
        self.ground.sandbox.recover()
        every = [Sent(0, query.update_id) for query in self.queries] + self.sent
        with promised(finding):
            self.ground.wait_done(every, 5 * DEADLINE_S)

    def _act(self) -> None:
        user = self.chance.choice(self.users)
        way = self.chance.random()
        if way < 0.05:
            self._list(user)
        elif way < 0.09:
            self.sent.append(self.ground.sandbox.say(user, "hi"))
        elif way < 0.13:
            self._wish(user)
        elif way < 0.18:
            for _ in range(5):
                self._press(user, "pressed")
        elif way < 0.25:
            self._replay()
        elif way < 0.31:
            self._press(user, "stranger")
        elif way < 0.36:
            self._press(user, "gone")
        elif way < 0.43:
            self._press(user, "invented")
        else:
            self._press(user, "pressed")

    def _list(self, user: int) -> None:
        self.lists[user] += 1
        self.sent.append(self.ground.sandbox.say(user, "/tasks"))

    def _wish(self, user: int) -> None:
        """Ask for what needs approval: two tasks of names that nobody else has."""
        name = f"{len(self.wished)} of {user}"
        self.wished.append((user, name))
        calls = [calling("create_task", title=f"Thing {name} {part}") for part in ("a", "b")]
        self.ground.sandbox.script(f"Add the tasks of list {name}", {"calls": calls})
        self.sent.append(self.ground.sandbox.say(user, f"Add the tasks of list {name}"))

    def _press(self, user: int, nature: Nature) -> None:
        """Press a button that the user sees, or send something for its widget."""
        widgets = shown_widgets(self.ground.sandbox.chat(user))
        if not widgets:
            return
        undecided = [one for one in widgets if one.sent.kind == "approval" and one.now.actions]
        widget = self.chance.choice(
            undecided if undecided and self.chance.random() < _DECIDED else widgets
        )
        actions = sorted(widget.now.action_data)
        data = self.chance.choice(actions) if actions else "x"
        more: Json = {}
        message_id = widget.message_id
        if nature == "invented" or not actions:
            nature, data = "invented", self.chance.choice(_INVENTED)
        if nature == "stranger":
            more["from_user_id"] = user + 500_000
        if nature == "gone":
            message_id = self._gone(user) or message_id
            nature = "gone" if message_id != widget.message_id else "pressed"
        is_sure = nature == "pressed" and self._is_quiet(user, widget)
        self._send(Query(user, message_id, data, nature, "", 0, is_sure), more)

    def _gone(self, user: int) -> int | None:
        """The number of a message of the chat that was deleted."""
        sandbox, since = self.ground.sandbox, self._looked_at
        self._looked_at = sandbox.mark()
        for call in sandbox.calls("telegram", since):
            if call["method"] == "deleteMessage" and call["status"] == 200:
                chat_id, message_id = call["body"]["chat_id"], call["body"]["message_id"]
                self._deleted.setdefault(str(chat_id), []).append(int(message_id))
        deleted = self._deleted.get(str(user))
        return self.chance.choice(deleted) if deleted else None

    def _is_quiet(self, user: int, widget: Shown) -> bool:
        with suppress(psycopg.Error):
            recorded = self.ground.world.rows(_RECORDED, user, widget.message_id)
            is_told = bool(recorded) and recorded[0]["state"] == widget.state
            # One that was sent just now may not be stored yet.
            earlier = [query.update_id for query in self.queries if query.user == user]
            are_done = self.ground.world.rows(_DONE, earlier)[0]["number"] == len(earlier)
            return is_told and are_done and not self.ground.world.rows(_OPEN, user)[0]["number"]
        return False

    def _replay(self) -> None:
        earlier = [query for query in self.queries if query.nature == "pressed"]
        if earlier:
            query = self.chance.choice(earlier[-30:])
            again = Query(query.user, query.message_id, query.data, "replayed", "", 0)
            self._send(again, {"query_id": query.query_id})

    def _send(self, query: Query, more: Json) -> None:
        body = {"message_id": query.message_id, "data": query.data, **more}
        url = f"{self.ground.sandbox.url}/sim/chats/{query.user}/widget-queries"
        answer = self.ground.sandbox.http.post(url, json=body)
        if answer.status_code != 200:  # too many of one user, or a message that is no widget now
            self.done["kept back by the client"] += 1
            return
        told = answer.json()
        made = Query(
            *(query.user, query.message_id, query.data, query.nature),
            *(told["query_id"], told["update_id"], query.is_sure),
        )
        self.queries.append(made)
        self.done[made.nature] += 1

    def _disturb(self, number: int) -> None:
        scale = self.scale
        if number % scale.fault_every == 1:
            kind, method = self.chance.choice(_FAULTS), self.chance.choice(_FAILING)
            more = {"retry_after": 1} if kind == "429" else {"delay_s": _HUNG_S}
            self.ground.sandbox.fail("telegram", kind, method=method, **more)
            self.done[f"fault {kind}"] += 1
        if number % scale.kill_every == scale.kill_every - 1:
            self.kills.append(time.time())
            self.replace_worker()
            self.done["kill"] += 1
        if scale.restart_every and number % scale.restart_every == scale.restart_every - 1:
            self.ground.postgres.restart()
            self.done["restart"] += 1


@dataclass(slots=True)
class WidgetJudge:
    """Compares rows, queries and widgets after a trial."""

    chaos: WidgetChaos
    finding: Finding
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def ground(self) -> Ground:
        """The world of the trial."""
        return self.chaos.ground

    def judge(self) -> None:
        """Say everything that was promised and does not hold."""
        self._check_answers()
        self._check_changes()
        with ThreadPoolExecutor(8) as hands:
            list(hands.map(self._look_at, self.chaos.users))
        self._check_wishes()
        told = ", ".join(f"{name} {count}" for name, count in sorted(self.reasons.items()))
        done = ", ".join(f"{name} {count}" for name, count in sorted(self.chaos.done.items()))
        self.finding.measured += [f"{len(self.chaos.queries)} queries: {told}", done]

    def _expect(self, holds: bool, otherwise: str) -> None:  # noqa: FBT001 - an assertion reads so
        self.finding.expect(holds, otherwise)

    def _check_answers(self) -> None:
        """Each query is answered once, or it is said why not."""
        calls: dict[str, list[int]] = {}
        for call in self.ground.sandbox.calls("telegram"):
            if call["method"] == "answerWidgetQuery":
                query_id = str(call["body"]["widget_query_id"])
                calls.setdefault(query_id, []).append(call["status"])
        handled = self._handled()
        by_id: dict[str, list[Query]] = {}
        for query in self.chaos.queries:
            by_id.setdefault(query.query_id, []).append(query)
        answers = {
            one["query_id"]: one["answer"]
            for user in self.chaos.users
            for one in self.ground.sandbox.chat(user)["widget_queries"]
        }
        for query_id, queries in by_id.items():
            self.reasons["replays of an answered query"] += len(queries) - 1
            row = handled.get(queries[0].update_id)
            self._expect(row is not None and not row["is_dead"], f"{queries[0]} was not done")
            if row is None:
                continue
            if answers.get(query_id) is not None:
                self.reasons["answered"] += 1
                continue
            reason = self._reason(row, calls.get(query_id, []))
            self.reasons[reason or "unanswered without a reason"] += 1
            self._expect(bool(reason), f"{queries[0]} was never answered")

    def _handled(self) -> dict[int, Json]:
        ids = [query.update_id for query in self.chaos.queries]
        return {row["update_id"]: row for row in self.ground.world.rows(_HANDLED, ids)}

    def _reason(self, row: Json, statuses: list[int]) -> str:
        """The reason for which a query has no answer, "" for none."""
        took_s = row["until"] - row["since"]
        if 400 in statuses and took_s > _ANSWERED_WITHIN_S - 1:
            return "unanswered: older than 15 s"
        if statuses:
            return "unanswered: the call failed"
        was_killed = any(row["since"] - 1 < at < row["until"] for at in self.chaos.kills)
        if row["attempts"] > 1 or was_killed:
            return "unanswered: its process was killed"
        return ""

    def _check_changes(self) -> None:
        """Each press did its work once; what is no press did nothing."""
        made = {row["request_id"]: row for row in self.ground.world.rows(_MADE)}
        for query in self.chaos.queries:
            row = made.get(f"tg:{query.update_id}")
            tool = _TASK_VERBS.get(query.data.partition(":")[0])
            if query.nature in {"stranger", "gone", "invented"}:
                self._expect(row is None, f"{query} changed something")
            elif row is not None:
                self._expect(row["tool"] == tool, f"{query} ran {row['tool']}")
                is_done = row["status"] == "success"
                self.reasons["done" if is_done else "about a task that was gone"] += 1
            elif query.is_sure and tool:
                self.finding.broken.append(f"{query} was not done")
            elif tool:
                self.reasons["outdated when it came"] += 1
        strangers = {user + 500_000 for user in self.chaos.users}
        self._expect(
            not any(row["user_id"] in strangers for row in made.values()), "a stranger acted"
        )
        for user in self.chaos.users:
            of_user = [row for row in made.values() if row["user_id"] == user]
            for task in self.ground.world.rows(_TASK_ROWS, user):
                self._check_task(task, [r for r in of_user if r["input"]["task_id"] == task["id"]])

    def _check_task(self, task: Json, made: list[Json]) -> None:
        """A task is what the presses that were not undone have made of it."""
        lasting = [row for row in made if row["did_change"] and not row["is_undone"]]
        is_deleted = any(row["tool"] == "delete_task" for row in lasting)
        self._expect(task["is_gone"] == is_deleted, f"{task} after {made}")
        if any(row["tool"] == "delete_task" for row in made):
            return
        is_done = any(row["input"].get("status") == "done" for row in lasting)
        is_moved = any("due_date" in row["input"] for row in lasting)
        self._expect((task["status"] == "done") == is_done, f"{task} after {made}")
        self._expect((task["due_date"] is not None) == is_moved, f"{task} after {made}")

    def _look_at(self, user: int) -> None:
        with promised(self.finding):
            for widget in shown_widgets(self.ground.sandbox.chat(user)):
                self._press_once_more(user, widget.message_id)
            self._check_alone(user)

    def _press_once_more(self, user: int, message_id: int) -> None:
        """Press what the widget shows; then it shows what the rows say."""
        for _ in range(2):
            widget = self._widget(user, message_id)
            if widget is None:
                return  # sent anew, and looked at there
            shown = widget.now.action_data or widget.sent.action_data
            told = self._touch(user, message_id, min(shown, key=_lateness))
            if told.get("note") != "This button no longer works.":
                break
            if widget.sent.kind == "tasks":
                self.reasons["lists old at the end, and brought to the truth by an answer"] += 1
        widget = self._widget(user, message_id)
        if widget is None:
            return
        recorded = self.ground.world.rows(_RECORDED, user, message_id)
        if not recorded:
            self.finding.measured.append(self._trail(user))
        self._expect(bool(recorded), f"widget {message_id} of {user} has no row")
        if recorded:
            self._expect(recorded[0]["state"] == widget.state, f"{message_id} shows another state")
        if widget.sent.kind == "approval":
            self._expect(not widget.now.actions, f"card {message_id} of {user} is still open")
            return
        rows = {str(row["id"]): row for row in self.ground.world.rows(_TASK_ROWS, user)}
        for row in widget.now.rows:
            self._expect(
                row.mark == _mark(rows.get(row.key)), f"{row} of {user} is {rows.get(row.key)}"
            )

    def _trail(self, user: int) -> str:
        """All that was sent to a chat, and what the bot knows of it."""
        calls = [
            f"{call['started_at']:.2f} {call['method']} {call['status']}"
            f" {call['body'].get('message_id', '')}"
            for call in self.ground.sandbox.calls("telegram")
            if str(call["body"].get("chat_id")) == str(user) and call["method"] != "sendChatAction"
        ]
        known = [str(dict(row)) for row in self.ground.world.rows(_PARTS, user)]
        return "\n    ".join([f"chat {user}", *calls, *known])

    def _touch(self, user: int, message_id: int, data: str) -> Json:
        def ask() -> Json | None:
            url = f"{self.ground.sandbox.url}/sim/chats/{user}/widget-queries"
            body = {"message_id": message_id, "data": data}
            answer = self.ground.sandbox.http.post(url, json=body)
            return dict(answer.json()) if answer.status_code == 200 else None

        query = wait_until(ask, "the client lets the query go")
        find = self.ground.sandbox.widget_answer
        told = wait_until(lambda: find(user, query["query_id"]), "the last press is answered")
        self.ground.wait_done([Sent(0, query["update_id"])])
        return dict(json.loads(told))

    def _widget(self, user: int, message_id: int) -> Shown | None:
        widgets = shown_widgets(self.ground.sandbox.chat(user))
        return next((one for one in widgets if one.message_id == message_id), None)

    def _check_alone(self, user: int) -> None:
        """Never a widget and its text: nothing of what is a widget is a text with buttons."""
        chat = self.ground.sandbox.chat(user)
        texts = [one for one in chat["messages"] if one["from"] == "bot" and not one["widget"]]
        doubled = [one["text"] for one in texts if _OF_WIDGETS.intersection(labels(one))]
        self._expect(not doubled, f"texts beside widgets of {user}: {doubled}")
        blocks = [one.sent for one in shown_widgets(chat)]
        lists = sum(block.kind == "tasks" for block in blocks)
        self._expect(
            lists <= self.chaos.lists[user],
            f"{lists} lists of {user}, {self.chaos.lists[user]} asked",
        )
        for owner, name in self.chaos.wished:
            cards = sum(any(f"Thing {name} " in row.text for row in block.rows) for block in blocks)
            if owner == user:
                self._expect(cards <= 1 + lists, f"{cards} cards for {name}")

    def _check_wishes(self) -> None:
        """All that was approved is there once, and nothing else is."""
        for user, name in self.chaos.wished:
            titles = Counter(row["title"] for row in self.ground.world.rows(_TASK_ROWS, user))
            found = [titles[f"Thing {name} {part}"] for part in ("a", "b")]
            cards = list(self._cards(user, name))
            is_approved = any(card.now.note == "✓ Approve" for card in cards)
            told = (
                "approved" if is_approved else "not approved" if cards else "asked without a card"
            )
            self.reasons[f"wishes {told}"] += 1
            seen = [(card.now.note, sorted(card.now.action_data)) for card in cards]
            self._expect(found == [is_approved] * 2, f"{name}: {found}, cards {seen}")

    def _cards(self, user: int, name: str) -> Iterator[Shown]:
        for widget in shown_widgets(self.ground.sandbox.chat(user)):
            texts = [row.text for row in widget.sent.rows]
            if widget.sent.kind == "approval" and any(f"Thing {name} " in text for text in texts):
                yield widget


def _lateness(data: str) -> tuple[int, str]:
    """The order in which a widget's buttons are tried: those that change something first."""
    verbs = ("taskdone1", "answer1")
    verb = data.partition(":")[0]
    return verbs.index(verb) if verb in verbs else len(verbs), data


def _mark(task: Mapping[str, Any] | None) -> str:
    """The mark that the row of a task has."""
    if task is None or task["is_gone"]:
        return ""
    return "done" if task["status"] == "done" else "open"


def widget_trial(ground: Ground, bots: Crew, seed: int, scale: WidgetScale) -> Finding:
    """One seed, from the first widget to the last press."""
    finding = Finding()
    chance = random.Random(seed)  # noqa: S311 - repeatable

    def replace_worker() -> None:
        *_, newest = bots.members
        if newest is bots.members[0]:
            bots.kill(newest)
            bots.start("run")
            end_leases(ground.world)
        elif len(bots.members) > 2:
            bots.kill(chance.choice(bots.members[1:]))
            bots.begin("worker")

    chaos = WidgetChaos(ground, chance, scale, replace_worker)
    chaos.play()
    chaos.settle(finding)
    if not finding.broken:
        WidgetJudge(chaos, finding).judge()
    finding.expect(bots.all_live(), "a process ended by itself")
    return finding


def main(
    seed: Annotated[list[int] | None, typer.Option(help="Seeds; one by default.")] = None,
    queries: Annotated[int, typer.Option(help="Queries of a trial.")] = 1_000,
) -> None:
    """Disturb, and check."""
    scale, seeds = replace(WidgetScale(), queries=queries), seed or [1]
    has_failed = False
    with open_ground() as ground:
        ground.world.environment["WIDGETS"] = "auto"
        for number in seeds:
            began = time.monotonic()
            ground.forget()
            with crew(ground, "serve", *["worker"] * scale.workers) as bots:
                finding = widget_trial(ground, bots, number, scale)
            has_failed |= bool(finding.broken)
            print(f"seed {number} ({time.monotonic() - began:.0f} s): {finding.verdict}")
            print("  " + "\n  ".join(finding.measured), flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    typer.run(main)
