"""LangGraph's checkpoint and store tables, as its `setup()` makes them.

Frozen copy of the DDL of langgraph-checkpoint-postgres 3.2 without CONCURRENTLY, which no
transaction allows. The rows of its version tables tell the library that there is nothing to do.
"""

from alembic import op

revision = "app_0002"
down_revision = "app_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_checkpoints()
    _create_store()


def _create_checkpoints() -> None:
    op.execute("CREATE TABLE checkpoint_migrations (v integer PRIMARY KEY)")
    op.execute("""
        CREATE TABLE checkpoints (
            thread_id text NOT NULL,
            checkpoint_ns text NOT NULL DEFAULT '',
            checkpoint_id text NOT NULL,
            parent_checkpoint_id text,
            type text,
            checkpoint jsonb NOT NULL,
            metadata jsonb NOT NULL DEFAULT '{}',
            PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
        )
    """)
    op.execute("""
        CREATE TABLE checkpoint_blobs (
            thread_id text NOT NULL,
            checkpoint_ns text NOT NULL DEFAULT '',
            channel text NOT NULL,
            version text NOT NULL,
            type text NOT NULL,
            blob bytea,
            PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
        )
    """)
    op.execute("""
        CREATE TABLE checkpoint_writes (
            thread_id text NOT NULL,
            checkpoint_ns text NOT NULL DEFAULT '',
            checkpoint_id text NOT NULL,
            task_id text NOT NULL,
            idx integer NOT NULL,
            channel text NOT NULL,
            type text,
            blob bytea NOT NULL,
            task_path text NOT NULL DEFAULT '',
            PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
        )
    """)
    for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
        op.execute(f"CREATE INDEX {table}_thread_id_idx ON {table} (thread_id)")
    op.execute("INSERT INTO checkpoint_migrations SELECT generate_series(0, 9)")


def _create_store() -> None:
    op.execute("CREATE TABLE store_migrations (v integer PRIMARY KEY)")
    op.execute("CREATE TABLE vector_migrations (v integer PRIMARY KEY)")
    op.execute("""
        CREATE TABLE store (
            prefix text NOT NULL,
            key text NOT NULL,
            value jsonb NOT NULL,
            created_at timestamptz DEFAULT CURRENT_TIMESTAMP,
            updated_at timestamptz DEFAULT CURRENT_TIMESTAMP,
            expires_at timestamptz,
            ttl_minutes integer,
            PRIMARY KEY (prefix, key)
        )
    """)
    op.execute("CREATE INDEX store_prefix_idx ON store (prefix text_pattern_ops)")
    op.execute(
        "CREATE INDEX idx_store_expires_at ON store (expires_at) WHERE expires_at IS NOT NULL"
    )
    # The library fixes the dimensions here; without them another embedding model needs no
    # migration. The price is that no ANN index fits; one user's memories are few.
    op.execute("""
        CREATE TABLE store_vectors (
            prefix text NOT NULL,
            key text NOT NULL,
            field_name text NOT NULL,
            embedding vector,
            created_at timestamptz DEFAULT CURRENT_TIMESTAMP,
            updated_at timestamptz DEFAULT CURRENT_TIMESTAMP,
            PRIMARY KEY (prefix, key, field_name),
            FOREIGN KEY (prefix, key) REFERENCES store (prefix, key) ON DELETE CASCADE
        )
    """)
    op.execute("INSERT INTO store_migrations SELECT generate_series(0, 3)")
    op.execute("INSERT INTO vector_migrations SELECT generate_series(0, 2)")


def downgrade() -> None:
    op.execute("DROP TABLE store_vectors, store, vector_migrations, store_migrations")
    op.execute("DROP TABLE checkpoint_writes, checkpoint_blobs, checkpoints, checkpoint_migrations")
