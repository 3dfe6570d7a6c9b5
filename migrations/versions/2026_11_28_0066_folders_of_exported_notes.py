"""The export of notes follows from their declaration, with the names of their folders."""

revision = "app_0066"
down_revision = "app_0065"
branch_labels = None
depends_on = None

DECLARATIONS = "591c87a05045"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    """Change no table: the record is written after it."""


def downgrade() -> None:
    """Change no table."""
