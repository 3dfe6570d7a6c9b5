"""The rights of a reader as a condition of SQL, the same in every statement that reads documents.

A source without a space is open to everybody who may use the bot. Any other is open to those
principals of the reader that its space names; a membership of a Telegram group counts only for
some minutes after Telegram was asked, and one of a group of a service for a day after the service
was, or until the time that is stored with it, so that nobody reads on what nobody can vouch for.

In a source that has rights, each document is open only to the audience of its place, besides: to
principals of the reader, and to groups of the service that have one of them as a member. What a
service said of rights holds for a day; then nobody reads the source until it could be asked again.
"""

from typing import Any, LiteralString

from rich_agent.domain.rights import EVERYBODY, Reader

MEMBERSHIP_HOLDS = "interval '10 minutes'"
_HOLDS = "(holds_until IS NULL OR holds_until > now())"

PRINCIPALS = f"""
(%(principals)s::text[] || ARRAY(
    SELECT principal FROM rag_memberships
    WHERE user_id = %(reader)s::bigint AND is_member AND {_HOLDS}
        AND (checked_at IS NULL OR checked_at > now() - {MEMBERSHIP_HOLDS})
))
"""
TOLD_HOLDS = "interval '1 day'"
SPACE_PRINCIPALS = f"""
({PRINCIPALS} || ARRAY(
    SELECT whole.name FROM rag_memberships AS known
    JOIN rag_principals AS account ON account.name = known.principal
    JOIN rag_members AS member ON member.member_id = account.id
    JOIN rag_principals AS whole ON whole.id = member.group_id
    JOIN rag_sources AS teller ON teller.id = member.source_id
    WHERE known.user_id = %(reader)s::bigint AND known.is_member AND {_HOLDS}
        AND starts_with(known.principal, 'external:')
        AND teller.status = 'active' AND teller.rights_read_at > now() - {TOLD_HOLDS}
))
"""
"""The reader's principals to which spaces may be open, with groups of services."""
CURRENT = f"""
(NOT source.has_rights OR coalesce(source.rights_read_at > now() - {TOLD_HOLDS}, false))
"""
"""Whether the rights of documents of `source`, a row of rag_sources, are known and recent."""
READABLE = f"""
(%(sees_all)s OR {CURRENT} AND (source.space_id IS NULL OR source.space_id IN (
    SELECT id FROM rag_spaces WHERE readers && {SPACE_PRINCIPALS}
)))
"""
"""Whether the reader may read `source`, a row of rag_sources."""
PRINCIPAL_IDS = f"""
ARRAY(
    WITH own AS (SELECT id FROM rag_principals WHERE name = ANY({PRINCIPALS}))
    SELECT id FROM own
    UNION ALL SELECT group_id FROM rag_members WHERE member_id IN (SELECT id FROM own)
)
"""
AUDIENCES = f"SELECT id FROM rag_audiences WHERE principals && {PRINCIPAL_IDS}"
"""The audiences that the reader belongs to."""
MAY_READ = f"""
(%(sees_all)s OR NOT source.has_rights OR coalesce((
    SELECT audience_id FROM rag_places WHERE id = document.place_id
) IN ({AUDIENCES}), false))
"""
"""Whether the reader of a source may read its `document`, a row of rag_documents."""
OPEN = f"({READABLE} AND {MAY_READ})"
"""Whether the reader may read `document` of `source`."""
SHOWN = f"""
({READABLE} AND (%(sees_all)s OR NOT source.has_rights OR EXISTS (
    SELECT FROM rag_places AS place JOIN rag_documents AS document ON document.place_id = place.id
    WHERE place.source_id = source.id AND place.audience_id IN ({AUDIENCES})
)))
"""
"""Whether the reader may see `source` in lists: with rights, only if they may read a document."""
IN_FEW = """
(source_id = ANY(%(sources)s) OR document_id IN (SELECT unnest(%(documents)s::bigint[])))
"""
"""Whether a row with `source_id` and `document_id` belongs to the sources or the documents."""
IN_SCOPE = """
(source_id = ANY(%(sources)s) OR source_id = ANY(%(guarded)s) AND (
    SELECT place.audience_id FROM rag_documents AS document
    JOIN rag_places AS place ON place.id = document.place_id WHERE document.id = document_id
) = ANY(%(audiences)s::integer[]))
"""
"""Whether a row belongs to the sources, or to a readable document of the guarded sources."""
CHOSEN = """
CASE WHEN %(spaces)s::integer[] IS NULL
THEN source.space_id IS NULL OR source.space_id NOT IN (
    SELECT space_id FROM rag_unchosen_spaces WHERE user_id = %(reader)s::bigint
)
ELSE source.space_id = ANY(%(spaces)s) END
"""
"""Whether `source` is in the named spaces or, if none is named, in no space that is put away."""


def of_anybody(condition: LiteralString) -> LiteralString:
    """A condition of this module for the reader `ANYBODY`, next to the reader of its statement."""
    return (
        condition.replace("%(principals)s", f"'{{{EVERYBODY}}}'")
        .replace("%(reader)s", "NULL")
        .replace("%(sees_all)s", "false")
    )


def rights_of(reader: Reader) -> dict[str, Any]:
    """The parameters of `READABLE` and `PRINCIPALS` for a reader."""
    return {
        "reader": reader.user_id,
        "principals": reader.principals,
        "sees_all": reader.sees_all,
    }
