"""The first time of a reminder is exported to the minute, as before its export was declared."""

revision = "app_0069"
down_revision = "app_0068"
branch_labels = None
depends_on = None

DECLARATIONS = "6afd8583dfd5"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    """Change no table: the record is written after it."""


def downgrade() -> None:
    """Change no table."""
