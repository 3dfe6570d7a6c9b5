"""Versions of personas, and the order in which they were put into effect."""

from alembic import op

revision = "persona_0001"
down_revision = None


def upgrade() -> None:
    op.execute("""
    CREATE TABLE persona_versions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        space text NOT NULL,
        content jsonb NOT NULL,
        picture_type text NOT NULL DEFAULT '',
        picture bytea,
        made_by bigint,
        made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        questions jsonb NOT NULL DEFAULT '[]',
        preview jsonb NOT NULL DEFAULT '[]',
        previewed_at timestamptz,
        CONSTRAINT persona_versions_picture_check CHECK ((picture_type = '') = (picture IS NULL))
    )
    """)
    op.execute(
        "COMMENT ON COLUMN persona_versions.space IS 'Its name in small letters; '''' for the bot'"
    )
    op.execute("CREATE INDEX persona_versions_space_idx ON persona_versions (space, id)")
    op.execute("""
    CREATE TABLE persona_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        space text NOT NULL,
        version_id bigint REFERENCES persona_versions (id),
        changed_by bigint,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """)
    op.execute("CREATE INDEX persona_changes_space_idx ON persona_changes (space, id)")


def downgrade() -> None:
    op.execute("DROP TABLE persona_changes")
    op.execute("DROP TABLE persona_versions")
