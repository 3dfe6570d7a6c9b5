"""Members of long lists that read a space: each is on a page, and can be removed."""

import lxml.html

from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from tests.integration.catalogue import execute, read
from tests.integration.features.operator_pages.served_pages import USERS, Pages

SPACES = "/operator/knowledge/spaces"
ADD = (
    "INSERT INTO rag_memberships (user_id, principal) "
    "SELECT n, list FROM generate_series(1001, 1450) AS n, unnest(ARRAY['list:team', 'list:b']) "
    "AS list"
)
LAST = "SELECT max(user_id) FROM rag_memberships WHERE principal = 'list:team'"


async def test_every_member_of_a_long_list_is_listed_and_can_be_removed(
    pages: Pages, database_url: str
) -> None:
    """A list turns its pages by itself; the others stay at their beginning."""
    spaces = PostgresSpaceRegistry(pages.repositories.databases.rag)
    await spaces.add("HR", grant=["list:team", "list:b"])
    execute(database_url, ADD)
    seen: list[str] = []
    following, path = "//nav[contains(@aria-label, 'list:team')]/a[@rel='next']/@href", SPACES
    listed = "//form[input[@name='list'][@value='{}']]/input[@type='hidden'][@name='user']/@value"
    async with await pages.browser(USERS["operator"]) as operator:
        while path:
            page = lxml.html.fromstring((await operator.get(path)).text)
            seen += page.xpath(listed.format("team"))
            assert page.xpath(listed.format("b"))[0] == "1001"
            path = next(iter(page.xpath(following)), "")
        assert seen == [str(number) for number in range(1001, 1451)]
        form = {"list": "team", "user": seen[-1], "remove": "yes"}
        assert (await operator.post(f"{SPACES}/member", data=form)).status_code == 303
        assert read(database_url, LAST) == {(1449,)}
        wrong = await operator.get(SPACES, params={"list": "team", "after": "9" * 30})
        assert wrong.status_code == 200
