"""Identities, sign-ins that are under way, and tokens that were used once."""

from alembic import op

revision = "oidc_0001"
down_revision = None

_IDENTITIES = """
CREATE TABLE oidc_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id bigint NOT NULL UNIQUE,
    name text NOT NULL DEFAULT '',
    email text NOT NULL DEFAULT '',
    groups text[] NOT NULL DEFAULT '{}',
    tokens bytea,
    session text NOT NULL DEFAULT '',
    checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    checking_at timestamptz,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (issuer, subject)
)
"""
_OTHERS = (
    """
    CREATE TABLE oidc_sign_ins (
        secret_hash bytea PRIMARY KEY,
        page text NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TABLE oidc_logouts (
        token_hash bytea PRIMARY KEY,
        used_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )
    """,
    """
    CREATE TABLE oidc_link_codes (
        user_id bigint PRIMARY KEY,
        code_hash bytea NOT NULL UNIQUE,
        expires_at timestamptz NOT NULL
    )
    """,
)
_COMMENTS = {
    "tokens": "Sealed: with them the provider is asked again",
    "checking_at": "When a process began to ask the provider again",
}


def upgrade() -> None:
    for statement in (_IDENTITIES, *_OTHERS):
        op.execute(statement)
    for column, comment in _COMMENTS.items():
        op.execute(f"COMMENT ON COLUMN oidc_identities.{column} IS '{comment}'")
