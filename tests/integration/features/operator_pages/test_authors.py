"""Authors of the page Knowledge: they change what they read, and open nothing that is closed."""

import pytest

from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.domain.intranet import Intranet
from rich_agent.upstreams.guarded_network import is_in_intranet
from tests.integration.catalogue import execute, read
from tests.integration.features.operator_pages.served_pages import USERS, Pages

AUTHOR, OPERATOR = USERS["author"], USERS["operator"]
BASE = "/operator/knowledge"
ADDRESS = "https://salaries.example/"
FORM = {"target": ADDRESS, "kind": "page", "name": "Salaries"}
SOURCES = "SELECT name, status, space_id IS NULL AS is_open FROM rag_sources ORDER BY name"
CLOSED = ("Salaries", "active", False)


async def test_author_changes_no_source_that_they_may_not_read(
    pages: Pages, database_url: str
) -> None:
    """Neither by its page nor by adding it once more; who may read it does, but removes nothing."""
    spaces = PostgresSpaceRegistry(pages.repositories.databases.rag)
    await spaces.add("HR", grant=[f"user:{OPERATOR}"])
    async with await pages.browser(OPERATOR) as operator, await pages.browser(AUTHOR) as author:
        added = await operator.post(f"{BASE}/add", data={**FORM, "space": "HR"})
        path = added.headers["location"].partition("?")[0]
        sheets = {"files": ("a.txt", b"What everybody earns")}
        await operator.post(f"{BASE}/upload", data={"name": "Sheets", "space": "HR"}, files=sheets)
        before = read(database_url, SOURCES)
        assert CLOSED in before
        page = (await author.get(path)).text
        assert 'method="post"' not in page.partition("<main")[2].partition("</main")[0]
        for act in ("remove", "read", "schedule", "status", "file"):
            refused = await author.post(f"{path}/{act}", data={"every": "1h", "name": "a.txt"})
            assert refused.status_code == 400, act
            assert "may not read" in refused.text
        again = await author.post(f"{BASE}/add", data={**FORM, "name": "Mine"})
        assert again.status_code == 400
        files = {"files": ("a.txt", b"Nothing")}
        refused = await author.post(f"{BASE}/upload", data={"name": "Sheets"}, files=files)
        assert refused.status_code == 400
        assert read(database_url, SOURCES) == before
        kept = read(database_url, "SELECT convert_from(data, 'UTF8') AS text FROM rag_uploads")
        assert kept == {("What everybody earns",)}
        await spaces.add("HR", grant=[f"user:{AUTHOR}"])
        assert (await author.post(f"{path}/read")).status_code == 303
        assert f"{path}/remove" not in (await author.get(path)).text
        assert "only some" in (await author.post(f"{path}/remove")).text
        assert read(database_url, SOURCES) == before
        assert (await operator.post(f"{path}/remove")).status_code == 303


async def test_author_adds_no_address_of_the_intranet(pages: Pages, database_url: str) -> None:
    """Nor a list, which leads anywhere; an operator adds both."""
    intranet = {"target": "http://10.1.2.3/wiki", "kind": "page"}
    lists = {"target": "https://a.example/list.txt", "kind": "url-list"}
    async with await pages.browser(OPERATOR) as operator, await pages.browser(AUTHOR) as author:
        for form in (intranet, lists):
            for act in ("add", "look"):
                refused = await author.post(f"{BASE}/{act}", data=form)
                assert refused.status_code == 400
                assert "of the intranet" in refused.text
            assert read(database_url, SOURCES) == set()
            added = await operator.post(f"{BASE}/add", data=form)
            assert added.status_code == 303
            execute(database_url, "DELETE FROM rag_sources")


@pytest.mark.parametrize(
    ("url", "addresses", "expected"),
    [
        ("https://wiki.corp.example/a", (), True),
        ("http://10.1.2.3:8080/", (), True),
        ("https://inside.example/", ("10.1.2.3",), True),
        ("https://inside.example/", ("93.184.216.34", "::ffff:10.1.2.3"), True),
        ("https://public.example/", ("93.184.216.34",), False),
        ("https://nowhere.example/", None, False),
    ],
)
async def test_address_is_in_the_intranet_by_name_or_by_where_it_leads(
    url: str, addresses: tuple[str, ...] | None, *, expected: bool
) -> None:
    """Whatever its name is."""

    async def resolve(_host: str, _port: int) -> tuple[str, ...]:
        if addresses is None:
            raise OSError
        return addresses

    intranet = Intranet.parse(["*.corp.example", "10.0.0.0/8"])
    assert await is_in_intranet(url, intranet, resolve) is expected
