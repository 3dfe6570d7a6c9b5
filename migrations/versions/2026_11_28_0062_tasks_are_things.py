"""Tasks are things that a wish to forget finds by their declaration, as all others are."""

revision = "app_0062"
down_revision = "app_0061"
branch_labels = None
depends_on = None

DECLARATIONS = "b45765181c53"
"""A hash of what is recorded when this is the newest: see `recording.digest_of`."""


def upgrade() -> None:
    """Change no table: the record is written after it."""


def downgrade() -> None:
    """Change no table."""
