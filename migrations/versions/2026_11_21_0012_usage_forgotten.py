"""Today's usage of users who were forgotten: /forget gives nobody a second day."""

from alembic import op

revision = "app_0012"
down_revision = "app_0011"
branch_labels = None
depends_on = None

_UPGRADE = (
    """
    CREATE TABLE usage_forgotten (
        day date NOT NULL,
        tag text NOT NULL,
        tokens bigint NOT NULL,
        images bigint NOT NULL,
        searches bigint NOT NULL,
        PRIMARY KEY (day, tag)
    )
    """,
    """
    COMMENT ON COLUMN usage_forgotten.tag IS
        'A hash of the day and the user: it names nobody, and the row is gone the day after'
    """,
)


def upgrade() -> None:
    for statement in _UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TABLE usage_forgotten")
