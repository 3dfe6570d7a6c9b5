"""OperatorRoles of those who look after the bot besides its admins."""

from alembic import op

revision = "operator_pages_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE operator_roles (
        user_id bigint PRIMARY KEY,
        role text NOT NULL,
        given_by bigint NOT NULL,
        given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT operator_roles_role_check
            CHECK (role IN ('owner', 'operator', 'viewer', 'author'))
    )
    """)
