"""A record of who changed what in the bot, whose rows cannot be altered or deleted."""

from alembic import op

revision = "app_0075"
down_revision = "app_0074"
branch_labels = None
depends_on = None

UPGRADE = (
    """
    CREATE TABLE audit_records (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        by_user_id bigint,
        role text NOT NULL,
        action text NOT NULL,
        subject text NOT NULL,
        details jsonb NOT NULL,
        origin text NOT NULL,
        outcome text,
        CONSTRAINT audit_records_outcome_check CHECK (outcome IN ('done', 'refused', 'failed'))
    )
    """,
    "COMMENT ON COLUMN audit_records.by_user_id IS 'Null: a command of the shell'",
    """
    COMMENT ON COLUMN audit_records.outcome
    IS 'Null: the change has begun, and its end is not known'
    """,
    """
    CREATE FUNCTION audit_records_stay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            IF OLD.outcome IS NULL AND NEW.outcome IS NOT NULL
                AND (OLD.id, OLD.at, OLD.role, OLD.action, OLD.subject, OLD.origin)
                    = (NEW.id, NEW.at, NEW.role, NEW.action, NEW.subject, NEW.origin)
                AND OLD.by_user_id IS NOT DISTINCT FROM NEW.by_user_id
                AND OLD.details <@ NEW.details
            THEN
                RETURN NEW;
            END IF;
        END IF;
        RAISE EXCEPTION 'records of the audit are neither altered nor deleted';
    END
    $$
    """,
    """
    CREATE TRIGGER audit_records_stay BEFORE UPDATE OR DELETE ON audit_records
    FOR EACH ROW EXECUTE FUNCTION audit_records_stay()
    """,
    """
    CREATE TRIGGER audit_records_stay_all BEFORE TRUNCATE ON audit_records
    FOR EACH STATEMENT EXECUTE FUNCTION audit_records_stay()
    """,
)
DOWNGRADE = ("DROP TABLE audit_records", "DROP FUNCTION audit_records_stay()")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
