"""The latest question of each user, so that an edit of it is answered anew; turns' revisions."""

from alembic import op

revision = "app_0005"
down_revision = "app_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "CREATE TABLE telegram_questions ("
        " user_id bigint PRIMARY KEY,"
        " update_id bigint NOT NULL,"
        " message_ids bigint[] NOT NULL,"
        " updates bytea[] NOT NULL,"
        " revision bigint NOT NULL DEFAULT 0,"
        " answered bigint,"
        " told bigint[] NOT NULL DEFAULT '{}'"
        ")"
    )
    op.execute("ALTER TABLE messages ADD revision bigint NOT NULL DEFAULT 0")


def downgrade() -> None:
    op.execute("ALTER TABLE messages DROP revision")
    op.execute("DROP TABLE telegram_questions")
