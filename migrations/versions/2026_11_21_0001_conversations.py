"""Users, their conversations, and the archive of turns that left the graph's state."""

from alembic import op

revision = "app_0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE users (
            telegram_user_id bigint PRIMARY KEY,
            username text,
            first_name text NOT NULL DEFAULT '',
            language_code text,
            created_at timestamptz NOT NULL DEFAULT now(),
            last_seen_at timestamptz NOT NULL DEFAULT now(),
            blocked_at timestamptz
        )
    """)
    op.execute("""
        CREATE TABLE conversations (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
            thread_id text NOT NULL UNIQUE,
            started_at timestamptz NOT NULL DEFAULT now()
        )
    """)
    op.execute("CREATE INDEX conversations_user_id_idx ON conversations (user_id)")
    op.execute("""
        CREATE TABLE messages (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            conversation_id bigint NOT NULL REFERENCES conversations ON DELETE CASCADE,
            user_id bigint NOT NULL,
            request_id text NOT NULL,
            role text NOT NULL CHECK (role IN ('user', 'assistant')),
            content text NOT NULL,
            meta_json jsonb NOT NULL DEFAULT '{}',
            created_at timestamptz NOT NULL DEFAULT now(),
            UNIQUE (conversation_id, request_id, role)
        )
    """)
    op.execute("""
        CREATE TABLE turn_archive (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            user_id bigint NOT NULL,
            thread_id text NOT NULL,
            request_id text NOT NULL,
            question text NOT NULL,
            answer text NOT NULL,
            meta_json jsonb NOT NULL DEFAULT '{}',
            created_at timestamptz NOT NULL DEFAULT now(),
            words tsvector NOT NULL
                GENERATED ALWAYS AS (to_tsvector('simple', question || ' ' || answer)) STORED,
            UNIQUE (thread_id, request_id)
        )
    """)
    op.execute("CREATE INDEX turn_archive_words_idx ON turn_archive USING gin (words)")
    op.execute("CREATE INDEX turn_archive_user_id_idx ON turn_archive (user_id, id)")


def downgrade() -> None:
    op.execute("DROP TABLE turn_archive, messages, conversations, users")
