"""Runs the ten conversations against one server, all at once, through the real bot over HTTP."""

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg.rows import dict_row

from bench.servers.answers import Answer, BadAnswer, Sent, expect
from bench.servers.conversations import CONVERSATIONS, PRIVATE
from rich_agent_sandbox.openai.servers.personality import Personality
from tests.acceptance.world import ROOT, Sandbox, World, environment, running_bot

TURNS = ROOT / "tests" / "turns.toml"
"""The turns of the conversations that the demo's stand-in does not know, for SANDBOX_TURNS."""
_POLL_S = 0.1
_DEADLINE_S = 120.0


def settings_for(one: Personality, sandbox: str, database_url: str) -> dict[str, str]:
    """The bot's environment: the address chooses the server.

    Where a server has no embeddings or takes no images, another one does that, as the how-to says.
    """
    more = {"OPENAI_BASE_URL": f"{sandbox}/servers/{one.name}/v1"}
    if one.embeddings is None:
        more["EMBEDDING_BASE_URL"] = f"{sandbox}/v1"
    if not one.sees:
        more["VISION_BASE_URL"] = f"{sandbox}/v1"
    return environment(sandbox, database_url, **more)


@contextmanager
def bot_on(one: Personality, sandbox: Sandbox, database_url: str) -> Iterator[World]:
    """A bot that uses the server."""
    settings = settings_for(one, sandbox.url, database_url)
    with running_bot(settings):
        yield World(sandbox, settings, database_url)


def converse(world: World, first_user: int) -> dict[str, str]:
    """Hold the conversations; return what is wrong with each, "" where all was answered well."""
    before = world.sandbox.mark()
    talks = [
        _Talk(name, user, begin(user))
        for user, (name, begin) in enumerate(CONVERSATIONS.items(), start=first_user)
    ]
    with psycopg.connect(world.database_url, row_factory=dict_row, autocommit=True) as rows:
        _hold(talks, world.sandbox, rows)
        problems = {talk.name: talk.problem or _failure(talk.user, rows) for talk in talks}
    searched = str([call["body"] for call in world.sandbox.calls("tavily", before)])
    if PRIVATE.home in searched or PRIVATE.job in searched:
        problems["memory"] = problems["memory"] or "something private went to the web"
    return problems


@dataclass(slots=True)
class _Talk:
    """One conversation of one user, as far as it has come."""

    name: str
    user: int
    steps: Generator[Sent, Answer, None]
    problem: str = ""
    update_id: int = 0
    below: int = 0
    last: Answer | None = None
    is_over: bool = False

    def begin(self, sandbox: Sandbox) -> None:
        self._send(next(self.steps), sandbox)

    def go_on(self, sandbox: Sandbox) -> None:
        """Read the answer to what was sent, check it, and send what comes next."""
        try:
            messages = sandbox.replies(self.user, self.below)
            expect(messages, "is not there")
            self.last = Answer.of(messages)
            self.last.check()
            self._send(self.steps.send(self.last), sandbox)
        except StopIteration:
            self.is_over = True
        except BadAnswer as error:
            self.is_over, self.problem = True, f"The answer {error}."

    def _send(self, sent: Sent, sandbox: Sandbox) -> None:
        if not sent.press:
            more = {"photo": sent.photo} if sent.photo else {}
            message = sandbox.say(self.user, sent.text, **more)
            self.update_id, self.below = message.update_id, message.message_id
            return
        assert self.last is not None
        data = self.last.data[self.last.buttons.index(sent.press)]
        body = {"message_id": self.last.message_id, "callback_data": data}
        url = f"{sandbox.url}/sim/chats/{self.user}/press"
        self.update_id = sandbox.http.post(url, json=body).raise_for_status().json()["update_id"]
        self.below = self.last.message_id - 1


def _hold(
    talks: list[_Talk], sandbox: Sandbox, rows: psycopg.Connection[dict[str, object]]
) -> None:
    """Let all users talk until each is through, or the time is up."""
    for talk in talks:
        talk.begin(sandbox)
    end = time.monotonic() + _DEADLINE_S
    while waiting := {talk.update_id: talk for talk in talks if not talk.is_over}:
        if time.monotonic() > end:
            for talk in waiting.values():
                talk.problem = f"No answer within {_DEADLINE_S:g} s."
            return
        found = rows.execute(
            "SELECT update_id FROM telegram_inbox WHERE update_id = ANY(%s) "
            "AND (done_at IS NOT NULL OR dead_at IS NOT NULL)",
            (list(waiting),),
        ).fetchall()
        for row in found:
            waiting[int(str(row["update_id"]))].go_on(sandbox)
        if not found:
            time.sleep(_POLL_S)


def _failure(user: int, rows: psycopg.Connection[dict[str, object]]) -> str:
    """That a turn of the user was planned without the model, if one was."""
    found = rows.execute(
        "SELECT FROM retrieval_decisions "
        "WHERE thread_id = %s AND nodes::text LIKE '%%planner_failed%%'",
        (f"tg:{user}",),
    )
    return "A turn was planned without the model." if found.rowcount else ""
