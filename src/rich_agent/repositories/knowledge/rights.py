"""The rights of a reader as a condition of SQL, the same in every statement that reads documents.

A source without a space is open to everybody who may use the bot. Any other is open to those
principals of the reader that its space names; a membership of a Telegram group counts only for
some minutes after Telegram was asked, so that nobody reads on what nobody can vouch for.
"""

from typing import Any

from rich_agent.domain.rights import Reader

MEMBERSHIP_HOLDS = "interval '10 minutes'"

PRINCIPALS = f"""
(%(principals)s::text[] || ARRAY(
    SELECT principal FROM rag_memberships
    WHERE user_id = %(reader)s::bigint AND is_member
        AND (checked_at IS NULL OR checked_at > now() - {MEMBERSHIP_HOLDS})
))
"""
READABLE = f"""
(%(sees_all)s OR source.space_id IS NULL OR source.space_id IN (
    SELECT id FROM rag_spaces WHERE readers && {PRINCIPALS}
))
"""
"""Whether the reader may read `source`, a row of rag_sources."""
CHOSEN = """
CASE WHEN %(spaces)s::integer[] IS NULL
THEN source.space_id IS NULL OR source.space_id NOT IN (
    SELECT space_id FROM rag_unchosen_spaces WHERE user_id = %(reader)s::bigint
)
ELSE source.space_id = ANY(%(spaces)s) END
"""
"""Whether `source` is of the named spaces, or without a name of none that the reader put away."""


def rights_of(reader: Reader) -> dict[str, Any]:
    """The values that `READABLE` and `PRINCIPALS` name."""
    return {
        "reader": reader.user_id,
        "principals": reader.principals,
        "sees_all": reader.sees_all,
    }
