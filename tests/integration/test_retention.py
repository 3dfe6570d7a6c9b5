"""Retention: every table is pruned by age, or stays for a reason."""

import dataclasses

import psycopg
import pytest
from psycopg import sql

from rich_agent.composition.repositories import make_repositories
from rich_agent.composition.retention import prune, retention_rules
from rich_agent.feature import loaded_features
from rich_agent.graph.build import build_graph
from rich_agent.ports.inbox import InboxRules, ReceivedUpdate
from rich_agent.repositories.database.pools import Databases, open_pools
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.repositories.turns.past_turns import PostgresDecisions, PostgresTranscript
from rich_agent.settings.settings import Settings
from rich_agent.turns.runner import GraphTurns
from tests.integration.catalogue import execute, tables_of
from tests.integration.turns_on_postgres import cast_for, run

AGEING = {
    *("telegram_inbox", "telegram_outbox", "telegram_stops", "telegram_questions"),
    *("telegram_widgets", "telegram_widget_refusals"),
    *("approvals", "approval_notices"),
    *("schedules", "schedule_firings", "runs", "run_events", "uploads"),
    *("usage_days", "usage_reservations", "usage_forgotten"),
    *("checkpoints", "checkpoint_blobs", "turn_archive", "messages"),
    *("tool_executions", "tool_permissions", "guided_sessions"),
    # What Telegram said of groups; the lists of people are the operator's.
    "rag_memberships",
    *("web_sessions", "web_login_codes"),
    *("retrieval_decisions", "answer_feedback", "vision_answers"),
    *("user_files", "user_file_units"),
    "guest_questions",
    # Lessons are learned from, or given up, within days, unless they were set aside.
    *("attempts", "due_work"),
}
STAYING = {
    # Who is known, and to whom the bot may talk.
    *("users", "conversations", "access_list", "operator"),
    # What was changed in the bot: a record that lost rows would prove nothing.
    *("audit_records", "setting_changes"),
    # Whom the owner of the bot lets see its pages, and invited.
    *("operator_roles", "operator_invites"),
    *("persona_versions", "persona_changes"),
    # What a user can read in /memory and delete there.
    *("store", "store_vectors"),
    # What a user plans and notes is theirs; `tasks` and `notes` lose only what the user deleted.
    *("tasks", "projects", "goals", "notes", "note_folders", "schedule_blocks"),
    # Their task list, until the user ends it.
    *("caldav_connections", "caldav_entries"),
    # A row for each of a few causes, for each model in use, and for each tool of a server.
    *("admin_alerts", "model_capabilities", "archive_languages", "tool_pins"),
    # What images show, whoever sends them: each once. Who sent them goes with /forget.
    *("vision_images", "vision_summaries", "vision_senders"),
    # One row at most for a user or a process, gone or written over when there is a next one.
    *("telegram_lanes", "telegram_rate", "clarifications", "confirmations"),
    # Of a turn that is under way; gone with its checkpoint.
    "checkpoint_writes",
    # The documents, which the operator registers and removes.
    *("rag_sources", "rag_documents", "rag_chunks", "rag_embeddings", "rag_vector_spaces"),
    "rag_scanned_pages",
    # Files that operators uploaded, gone with their source.
    "rag_uploads",
    # One row: what the documents are about, written again when they change.
    "rag_domain",
    *(
        "rag_terms",
        "rag_corpus",
        "rag_embedded_texts",
        "rag_refused_chunks",
        "rag_spaces",
        "rag_unchosen_spaces",
    ),
    # Those who may read them; what no source names any more goes when rights are next read.
    *("rag_principals", "rag_audiences", "rag_places", "rag_members"),
    "rag_sync_runs",
    # Of sources, and gone with them; an entry also when its service says so.
    *("rag_connections", "rag_entries", "rag_clocks", "rag_hooks"),
    # Which migrations were run, and what they found declared.
    *("user_tables", "rag_user_tables"),
    *("alembic_version_app", "alembic_version_rag"),
    *("checkpoint_migrations", "store_migrations", "vector_migrations"),
}
TRACES = (
    (
        "INSERT INTO telegram_inbox (update_id, user_id, urgent, raw, done_at, dead_at) "
        "VALUES (1, 42, false, '', now(), NULL), (2, 42, false, '', NULL, now())"
    ),
    "INSERT INTO telegram_outbox (update_id, part, chat_id) VALUES (1, 0, 42)",
    "INSERT INTO due_work (kind, key, user_id, set_aside_at) VALUES ('polish', 'vase', 42, now())",
    "INSERT INTO attempts (kind, key, holder, user_id, letter) VALUES ('lesson', 1, 5, 42, -9)",
    (
        "INSERT INTO guest_questions (update_id, user_tag, group_tag, outcome) "
        "VALUES (1, 'u', 'g', 'answered')"
    ),
    "INSERT INTO rag_memberships VALUES (42, 'telegram_group:-1', now())",
    "INSERT INTO telegram_stops (update_id, user_id) VALUES (1, 42)",
    "INSERT INTO telegram_widgets (chat_id, message_id, block) VALUES (42, 7, '{}')",
    "INSERT INTO telegram_widget_refusals (chat_id) VALUES (42)",
    (
        "INSERT INTO telegram_questions (user_id, update_id, message_ids, updates) "
        "VALUES (42, 1, '{5}', '{a}')"
    ),
    (
        "INSERT INTO approvals (user_id, thread_id, request_id, revision, locale, intent, "
        "question, answer, citations, message_id, state, decided_at, settled_at) VALUES (42, "
        "'tg:42', 'r1', 0, 'en', 'i', 'q', 'a', '[]', 1, 'approved', now(), now())"
    ),
    (
        "INSERT INTO approval_notices (approval_id, user_id, kind) SELECT id, 7, 'review' "
        "FROM approvals"
    ),
    (
        "INSERT INTO schedules (user_id, text, kind, local_start, tz, status) "
        "VALUES (42, 't', 'reminder', now(), 'Asia/Tokyo', 'done')"
    ),
    (
        "INSERT INTO schedule_firings (schedule_id, occurrence, state, due_at) "
        "SELECT id, now(), 'missed', now() FROM schedules"
    ),
    "INSERT INTO runs (update_id, user_id, run_id, thread, asked) VALUES (-1, 42, 'r', 't', '{}')",
    "INSERT INTO uploads (user_id, mime, data) VALUES (42, 'image/png', '')",
    "INSERT INTO run_events (update_id, seq, event) VALUES (-1, 1, '{}')",
    "INSERT INTO usage_days VALUES (42, now()::date, 'text', 'm', 1, 0, 9, 0, 9, 0, 0)",
    "INSERT INTO usage_reservations (user_id, request_id, tokens) VALUES (42, 'r9', 1)",
    "INSERT INTO usage_forgotten VALUES (now()::date, 't', 1, 0, 0)",
    "INSERT INTO answer_feedback SELECT id, 'up' FROM retrieval_decisions",
    (
        "INSERT INTO tool_executions (user_id, thread_id, request_id, call_id, tool, input) "
        "VALUES (42, 'tg:42', 'r1', 'c', 'create_task', '{}')"
    ),
    (
        "INSERT INTO tool_permissions (user_id, server, tool, digest, title, arguments) "
        "VALUES (42, 'office', 'send', 'd', 'office: send', '{}')"
    ),
    ("INSERT INTO web_sessions (secret_hash, user_id, expires_at) VALUES ('h', 42, now())"),
    ("INSERT INTO web_login_codes (user_id, code_hash, expires_at) VALUES (42, 'h', now())"),
    (
        "INSERT INTO guided_sessions (user_id, template, status, ended_at) "
        "VALUES (42, 'plan', 'completed', now())"
    ),
    (
        "INSERT INTO vision_answers (thread_id, sha256, model, question_hash, answer) "
        "VALUES ('tg:42', 's', 'm', 'h', 'a')"
    ),
    (
        "INSERT INTO user_files (user_id, thread_id, name, media_type, size_bytes, sha256, ref, "
        "tokens) VALUES (42, 'tg:42', 'n', 'text/plain', 1, 'h', 'f', 1)"
    ),
    (
        "INSERT INTO user_file_units (file_id, position, kind, number, heading, content, tokens) "
        "SELECT id, 1, 'section', 1, '', 'c', 1 FROM user_files"
    ),
)
OF_DAYS = {"telegram_widget_refusals", "usage_reservations", "usage_forgotten", "guest_questions"}
_DATED = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = 'public' AND data_type IN ('date', 'timestamp with time zone')
"""


def let_pass(url: str, days: int) -> None:
    """Let everything that has a date be so many days older."""
    with psycopg.connect(url) as connection:
        for table, column in connection.execute(_DATED).fetchall():
            older = sql.SQL("UPDATE {0} SET {1} = {1} - make_interval(days => {2})")
            names = (sql.Identifier(name) for name in (table, column))
            connection.execute(older.format(*names, sql.Literal(days)))


def filled(url: str) -> set[str]:
    """The tables that hold anything."""
    with psycopg.connect(url) as connection:
        return {
            table
            for table in tables_of(url)
            if connection.execute(
                sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(table))
            ).rowcount
        }


async def live_through(databases: Databases, url: str) -> None:
    """Two turns of the real graph, and traces of everything else that ages."""
    app, cast = databases.app, cast_for()
    services = dataclasses.replace(
        cast.services(),
        transcript=PostgresTranscript(app),
        archive=PostgresArchive(app),
        decisions=PostgresDecisions(databases.rag),
    )
    checkpointer = make_checkpointer(app)
    turns = GraphTurns(build_graph(checkpointer), services, checkpointer)
    await run(turns, "How old is the moon?", request_id="r1")
    await run(turns, "And how old is the sun?", request_id="r2")
    execute(url, *TRACES)


def tables_of_features() -> set[str]:
    """Their declarations say what ages; a test of declarations holds them to that."""
    declared = {one.name: one.tables().tables for one in loaded_features() if one.tables}
    versions = {f"alembic_version_{name}" for name in declared}
    return versions.union(*declared.values())


def test_every_table_ages_or_stays_for_a_reason(database_url: str) -> None:
    """A new one of the core has to be put on either side."""
    assert AGEING.isdisjoint(STAYING)
    of_the_core = (AGEING | STAYING) - tables_of_features()
    assert tables_of(database_url) - tables_of_features() == of_the_core


@pytest.mark.req("DATA")
async def test_what_is_older_than_the_settings_say_is_forgotten(database_url: str) -> None:
    """Inbox, outbox, checkpoints, archive and all that hangs on them; nothing before its time."""
    settings = Settings.load(conversation_days=400)
    async with open_pools(database_url, database_url, max_size=4) as databases:
        rules = retention_rules(make_repositories(settings, databases), settings)
        await live_through(databases, database_url)
        before = filled(database_url)
        assert before >= AGEING - {"turn_archive"}
        assert await prune(rules) == 0
        let_pass(database_url, 29)
        await prune(rules)
        assert filled(database_url) == before - OF_DAYS
        let_pass(database_url, 70)
        await prune(rules)
        assert not filled(database_url) & {"telegram_inbox", "telegram_outbox", "checkpoints"}
        assert filled(database_url) >= {"turn_archive", "messages", "retrieval_decisions"}
        let_pass(database_url, 302)
        await prune(rules)
        assert not filled(database_url) & AGEING


async def test_conversations_are_kept_for_ever_unless_said_otherwise(database_url: str) -> None:
    """Their texts, and how the answers came about."""
    async with open_pools(database_url, database_url, max_size=4) as databases:
        await live_through(databases, database_url)
        let_pass(database_url, 5_000)
        settings = Settings.load()
        await prune(retention_rules(make_repositories(settings, databases), settings))
        assert filled(database_url) >= {"turn_archive", "messages", "retrieval_decisions"}
        assert not filled(database_url) & {"telegram_inbox", "checkpoints", "usage_days"}


async def test_what_is_not_answered_leaves_next_to_nothing(database_url: str) -> None:
    """No bytes of what is done or over the cap, and after a day no row of it or of a stranger."""
    member, stranger, flooder = 42, 43, 44

    def message(update_id: int, user_id: int) -> ReceivedUpdate:
        return ReceivedUpdate(update_id, user_id, b"x" * 10_000, urgent=user_id == flooder)

    async with (
        open_pools(database_url, database_url, max_size=4) as databases,
        PostgresInbox(databases.app, InboxRules(max_pending=3)) as inbox,
    ):
        execute(database_url, "INSERT INTO users (telegram_user_id) VALUES (42), (44)")
        for user_id in (member, stranger, flooder):
            await inbox.store([message(user_id * 100 + n, user_id) for n in range(10)])
        for urgent in (True, False):
            while lane := await inbox.claim(urgent=urgent):
                await inbox.finish(lane)
        assert stored(database_url) == {(member, 10, 0), (stranger, 10, 0), (flooder, 10, 0)}
        let_pass(database_url, 1)
        await inbox.prune(30)
        assert stored(database_url) == {(member, 3, 0), (flooder, 3, 0)}


def stored(url: str) -> set[tuple[int, int, int]]:
    """Of each user the number of updates, and of their bytes."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT user_id, count(*)::int, sum(length(raw))::int FROM telegram_inbox GROUP BY 1"
        )
        return set(found.fetchall())
