"""The statements of real turns name whose rows they touch, as a database of many servers needs.

docs/many-servers.md says how the tables would be distributed.
"""

import re

import pytest

from tests.acceptance.world import ROOT, World, environment, running_bot, running_sandbox
from tests.database import PostgresServer
from tests.recorder import recorded

# By person; a thread and a prefix are those of a person.
KEYS = {
    **dict.fromkeys(
        (
            *("conversations", "turn_archive", "usage_days", "usage_reservations", "tasks"),
            *("projects", "goals", "notes", "note_folders", "schedules", "schedule_blocks"),
            *("telegram_questions", "guided_sessions", "user_files"),
            *("heard_recordings", "caldav_connections", "caldav_entries", "web_sessions"),
        ),
        "user_id",
    ),
    **dict.fromkeys(
        (
            *("checkpoints", "checkpoint_blobs", "checkpoint_writes", "retrieval_decisions"),
            *("clarifications", "approvals", "tool_executions", "vision_senders"),
        ),
        "thread_id",
    ),
    **dict.fromkeys(("store", "store_vectors"), "prefix"),
    "users": "telegram_user_id",
    "messages": "conversation_id",
    "user_file_units": "file_id",
}
# On one server: the queue, and what is small or the same for everybody.
ON_ONE_SERVER = frozenset(
    {
        *("telegram_inbox", "telegram_lanes", "telegram_outbox", "telegram_stops", "telegram_rate"),
        *("attempts", "due_work", "runs", "run_events", "approval_notices", "broadcasts"),
        *("broadcast_recipients", "access_list", "operator", "admin_alerts", "usage_forgotten"),
        *("model_capabilities", "archive_languages", "tool_pins"),
        *("schedule_firings", "confirmations"),
        *("setting_changes", "persona_changes"),
        *("telegram_widgets", "telegram_widget_refusals"),
    }
)
# By beginning: not part of any turn, but of a timer, which looks through all servers now and then.
TIMERS = {
    "SELECT extract(epoch FROM min(": "when something is due next, once for each process",
    "SELECT due.id, due.user_id": "reminders that are due",
}
TURNS = (
    "What is proof of history?",
    "Write a haiku now",
    "I live in Berlin and my favourite colour is green",
    "remind me tomorrow at 9 to water the plants",
    "What did I tell you about colours?",
)
_TABLE = re.compile(r"\b(?:from|join|into|update|using) ([a-z_]+)", re.IGNORECASE)


def rest_of_query(statement: str, begin: int) -> str:
    """The statement from there to where the innermost query around it ends."""
    depth = 0
    for at in range(begin, len(statement)):
        depth += (statement[at] == "(") - (statement[at] == ")")
        if depth < 0:
            return statement[begin:at]
    return statement[begin:]


def unkeyed(statement: str) -> set[str]:
    """The distributed tables that a query of the statement touches without naming their key."""
    return {
        found[1]
        for found in _TABLE.finditer(statement)
        if (key := KEYS.get(found[1]))
        and not re.search(
            rf"\b{key} (?:=|IN)|^INTO [^(]*\([^)]*\b{key}\b",
            rest_of_query(statement, found.start()),
        )
    }


@pytest.mark.feature("reminder")
@pytest.mark.costs("it reads every statement of a bot of its own")
def test_statements_of_a_turn_name_whose_rows_they_touch(
    database_server: PostgresServer, with_samples: str, user: int
) -> None:
    """From the inbox to the checkpoint; a new table has to have a place, too."""
    with (
        running_sandbox(ROOT / "sample" / "solana") as sandbox,
        database_server.database(with_samples) as direct,
        recorded(direct) as (through, statements),
    ):
        settings = environment(sandbox.url, through)
        world = World(sandbox, settings, direct)
        with running_bot(settings):
            # A statement is sent once for each connection: the first turn's are not the last.
            world.ask(user, "hi")
            before = len(statements)
            for text in TURNS:
                world.ask(user + 50_000, text)
            world.await_idle()
        seen = {" ".join(one.split()) for one in statements[before:]}
        stored = {row["name"] for row in world.rows(
            "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
        )}  # fmt: skip
    touched = {table for one in seen for table in _TABLE.findall(one)} & stored
    lacking = {
        one: tables
        for one in seen
        if (tables := unkeyed(one)) and not one.startswith(tuple(TIMERS))
    }
    assert lacking == {}
    placed = KEYS.keys() | ON_ONE_SERVER
    assert {table for table in touched - placed if not table.startswith("rag_")} == set()
    assert {"checkpoints", "messages", "store", "users", "usage_days", "turn_archive"} <= touched
