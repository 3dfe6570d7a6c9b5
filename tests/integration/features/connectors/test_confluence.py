"""The connector of Confluence against a stand-in for Confluence Cloud, over real HTTP."""

import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent.documents.connectors.port import ConnectorError, CursorExpiredError
from rich_agent.documents.connectors.rest_client import RequestLimits
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument, Unreadable
from rich_agent.domain.intranet import Intranet
from rich_agent.features.connectors.confluence.pages import (
    Confluence,
    ConfluenceConfig,
    open_confluence,
)
from rich_agent_sandbox.ledger import Fault, Ledger
from tests.integration.features.connectors.listing import (
    growth_while_listing,
    listed,
    may_read,
    readers,
)
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.confluence.api import confluence_routes
from tests.stand_ins.confluence.site import ConfluenceSandbox, StoredSpace

MB = 1_000_000
TOKEN = ConfluenceSandbox().token
LIMITS = RequestLimits(timeout_s=5, pause_s=0)
HERE = Intranet.parse(["127.0.0.1"])
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
ANNA, BERT, CARA = "557058:anna", "557058:bert", "557058:cara"


@dataclass(slots=True)
class Wiki:
    """A site with one space, whose readers are Anna, and Bert and Cara through a group."""

    url: str
    site: ConfluenceSandbox
    ledger: Ledger
    space: StoredSpace
    opened: list[Confluence] = field(default_factory=list)

    def connector(self, *, token: str = TOKEN, **config: object) -> Confluence:
        """A connector of this site that does not wait."""
        asked = ConfluenceConfig.model_validate(
            {"address": self.url, "email": "bot@example.com", **config}
        )
        self.opened.append(
            open_confluence(asked, token, source="wiki", intranet=HERE, limits=LIMITS)
        )
        return self.opened[-1]

    def calls(self, method: str) -> int:
        """The number of calls of a method."""
        return sum(call.method == method for call in self.ledger.calls())


@pytest.fixture
async def wiki() -> AsyncIterator[Wiki]:
    """A site that was last changed long ago."""
    site, ledger = ConfluenceSandbox(clock=lambda: LONG_AGO), Ledger()
    site.groups["staff"] = [BERT, CARA]
    space = site.add_space("DOC", users=[ANNA], groups=["staff"])
    with served(Starlette(routes=[Mount("/wiki", routes=confluence_routes(site, ledger))])) as url:
        running = Wiki(url, site, ledger, space)
        yield running
        for connector in running.opened:
            await connector.aclose()


@pytest.fixture
def connector(wiki: Wiki) -> Confluence:
    """A connector of all spaces."""
    return wiki.connector()


def person(account: str) -> str:
    """The principal of a person or a group."""
    return f"external:wiki:{account}"


async def test_list_finds_pages_posts_and_attachments(wiki: Wiki, connector: Confluence) -> None:
    """Each has its place: a page and a blog post their own, an attachment that of its page."""
    page = wiki.site.add("page", "Leave", wiki.space)
    post = wiki.site.add("blogpost", "News", wiki.space)
    file = wiki.site.add("attachment", "form.pdf", wiki.space, parent=page)
    wiki.site.add("attachment", "photo.png", wiki.space, parent=page)
    wiki.site.add("attachment", "of nothing.pdf", wiki.space)
    found = await listed(connector)
    assert {key: one.place for key, one in found.entries.items()} == {
        f"pages/{page.id}": page.id,
        f"blogposts/{post.id}": post.id,
        f"attachments/{file.id}": page.id,
    }
    assert found.entries[f"pages/{page.id}"].url == (
        f"{wiki.url}/wiki/spaces/DOC/pages/{page.id}/Leave"
    )
    assert len({one.url for one in found.entries.values()}) == 3
    assert "1 png (photo.png)" in found.skipped


async def test_list_keeps_to_spaces_that_are_named(wiki: Wiki) -> None:
    """Pages and attachments of other spaces are not read, nor may anybody read them."""
    other = wiki.site.add_space("HR", users=[ANNA])
    mine = wiki.site.add("page", "Mine", wiki.space)
    theirs = wiki.site.add("page", "Theirs", other)
    wiki.site.add("attachment", "theirs.pdf", other, parent=theirs)
    connector = wiki.connector(spaces=["DOC"])
    assert set((await listed(connector)).entries) == {f"pages/{mine.id}"}
    assert await may_read(connector, person(ANNA)) == {mine.id}
    with pytest.raises(ConnectorError, match="no space NO") as missing:
        await listed(wiki.connector(spaces=["DOC", "NO"]))
    assert missing.value.is_refused


async def test_list_goes_on_at_a_cursor_after_a_kill(wiki: Wiki) -> None:
    """Two processes together list everything, each thing once."""
    for number in range(600):
        wiki.site.add("page", f"Page {number}", wiki.space)
    wiki.site.add("blogpost", "News", wiki.space)
    before = await listed(wiki.connector(), portions=2)
    after = await listed(wiki.connector(), before.cursor)
    assert (len(before.entries), len(after.entries)) == (500, 101)
    assert not before.entries.keys() & after.entries.keys()


async def test_list_gives_changes_since_a_cursor(wiki: Wiki, connector: Confluence) -> None:
    """New and edited pages, and those that were put into the trash; nothing else is named."""
    old = [wiki.site.add("page", f"Old {number}", wiki.space) for number in range(3)]
    file = wiki.site.add("attachment", "old.pdf", wiki.space, parent=old[0])
    before = await listed(connector)
    wiki.site.clock = lambda: datetime.now(UTC)
    new = wiki.site.add("page", "New", wiki.space)
    wiki.site.edit(old[1], title="Renamed")
    wiki.site.trash(old[2])
    wiki.site.trash(file)
    after = await listed(connector, before.cursor)
    assert set(after.entries) == {f"pages/{new.id}", f"pages/{old[1].id}"}
    assert after.gone == {f"pages/{old[2].id}", f"attachments/{file.id}"}
    renamed = after.entries[f"pages/{old[1].id}"]
    assert renamed.version != before.entries[renamed.key].version
    assert renamed.url.endswith("/Renamed")


async def test_list_of_changes_stops_at_what_is_older(wiki: Wiki, connector: Confluence) -> None:
    """The newest come first, so that old pages are not listed again."""
    for number in range(1_000):
        wiki.site.add("page", f"Old {number}", wiki.space)
    cursor = (await listed(connector)).cursor
    wiki.ledger.forget()
    assert (await listed(connector, cursor)).entries == {}
    assert wiki.calls("pages") == 2  # the newest, and the trash


async def test_list_begins_changes_again_after_a_kill(wiki: Wiki, connector: Confluence) -> None:
    """The cursor moves on only when all changes were listed."""
    start = (await listed(connector)).cursor
    wiki.site.clock = lambda: datetime.now(UTC)
    for number in range(300):
        wiki.site.add("page", f"New {number}", wiki.space)
    killed = await listed(connector, start, portions=1)
    assert len((await listed(connector, killed.cursor)).entries) == 300


async def test_cursors_expire(wiki: Wiki, connector: Confluence) -> None:
    """After a day, if Confluence does not know it any more, and if it is none."""
    for number in range(300):
        wiki.site.add("page", f"Page {number}", wiki.space)
    found = await listed(connector)
    wiki.site.forget_cursors()
    yesterday = {
        **json.loads(found.cursor),
        "whole": time.time() - timedelta(days=2).total_seconds(),
    }
    for cursor in (found.cursors[0], json.dumps(yesterday), "nonsense"):
        with pytest.raises(CursorExpiredError):
            await listed(connector, cursor)


async def test_list_keeps_keys_of_what_is_moved(wiki: Wiki, connector: Confluence) -> None:
    """A page that is moved has another address, and the same key and version: it is not read."""
    other = wiki.site.add_space("HR", users=[ANNA])
    page = wiki.site.add("page", "Leave", wiki.space)
    (before,) = (await listed(connector)).entries.values()
    page.space = other.id
    (after,) = (await listed(connector)).entries.values()
    assert (after.key, after.version) == (before.key, before.version)
    assert after.url != before.url
    assert await may_read(connector, person(BERT)) == set()


@pytest.mark.soak
async def test_listing_of_100_000_pages_stays_small(wiki: Wiki, connector: Confluence) -> None:
    """No more than some portions are held: under 20 MB."""
    for number in range(100_000):
        wiki.site.add("page", f"Page {number}", wiki.space)
    count, grown = await growth_while_listing(connector)
    assert count == 100_000
    assert grown < 20 * MB, f"{grown / MB:.1f} MB"


async def test_read_gives_a_page_with_its_title(wiki: Wiki, connector: Confluence) -> None:
    """Its text is what the page shows, its title that of the page, however odd."""
    page = wiki.site.add("page", 'R&D "Leave"', wiki.space, body="<h2>Form</h2><p>By form 7.</p>")
    entry = (await listed(connector)).entries[f"pages/{page.id}"]
    document = await connector.read(entry, MB)
    assert isinstance(document, RawDocument)
    extracted = extract(document)
    assert extracted.title == 'R&D "Leave"'
    assert "By form 7." in extracted.text


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.md", "Ümläut 日本.md", 'a"b?c#d%2F.md', "x" * 200 + ".md", " .md"]
)
async def test_odd_names_are_read(wiki: Wiki, connector: Confluence, name: str) -> None:
    """A name is never a path: pages and files are asked for by their ids."""
    page = wiki.site.add("page", name, wiki.space, body="<p>Page.</p>")
    file = wiki.site.add("attachment", name, wiki.space, parent=page, body="# File\n\nText.")
    found = await listed(connector)
    for key, text in ((f"pages/{page.id}", b"Page."), (f"attachments/{file.id}", b"Text.")):
        document = await connector.read(found.entries[key], MB)
        assert isinstance(document, RawDocument)
        assert text in document.data
        assert document.name == name


async def test_a_file_of_2_gb_is_not_read(wiki: Wiki, connector: Confluence) -> None:
    """Its size is known before a byte of it is asked for."""
    page = wiki.site.add("page", "Files", wiki.space)
    file = wiki.site.add("attachment", "huge.pdf", wiki.space, parent=page, size=2_000 * MB)
    entry = (await listed(connector)).entries[f"attachments/{file.id}"]
    outcome = await connector.read(entry, 100 * MB)
    assert isinstance(outcome, Unreadable)
    assert outcome.reason == "the file is larger than 100 MB"
    assert wiki.calls("download") == wiki.calls("media") == 0


async def test_read_says_what_is_gone(wiki: Wiki, connector: Confluence) -> None:
    """From the trash, deleted for good, or hidden from the token."""
    pages = [wiki.site.add("page", f"Page {number}", wiki.space) for number in range(3)]
    entries = list((await listed(connector)).entries.values())
    wiki.site.trash(pages[0])
    wiki.site.purge(pages[1])
    wiki.site.hidden.add(pages[2].id)
    for entry in entries:
        outcome = await connector.read(entry, MB)
        assert isinstance(outcome, Unreadable)
        assert outcome.is_gone


async def test_rights_are_those_of_the_space(wiki: Wiki, connector: Confluence) -> None:
    """People and groups who may read the space, with the members of the groups."""
    page = wiki.site.add("page", "Leave", wiki.space)
    wiki.space.roles.append("all-licensed-users")
    assert await readers(connector) == {
        page.id: frozenset({person(ANNA), person("staff")}),
        person("staff"): frozenset({person(BERT), person(CARA)}),
    }


async def test_rights_need_every_restriction_on_the_way(wiki: Wiki, connector: Confluence) -> None:
    """A reader is admitted by the space, by the page and by all that it is in."""
    wiki.site.groups["leads"] = [CARA, "557058:outsider"]
    top = wiki.site.add("page", "Top", wiki.space)
    folder = wiki.site.add("folder", "Folder", wiki.space, parent=top)
    middle = wiki.site.add("page", "Middle", wiki.space, parent=folder)
    leaf = wiki.site.add("page", "Leaf", wiki.space, parent=middle)
    wiki.site.restrict(folder, users=[ANNA], groups=["staff"])
    wiki.site.restrict(middle, users=[ANNA], groups=["leads"])
    wiki.site.restrict(leaf, groups=["leads"])
    found = await readers(connector)
    assert found[top.id] == {person(ANNA), person("staff")}
    assert found[middle.id] == {person(ANNA), person(CARA)}
    assert found[leaf.id] == {person(CARA)}


async def test_rights_follow_revocations_at_once(wiki: Wiki, connector: Confluence) -> None:
    """A restriction, a move below one, a member who leaves, and a page in the trash."""
    secret = wiki.site.add("page", "Secret", wiki.space)
    pages = [wiki.site.add("page", f"Page {number}", wiki.space) for number in range(3)]
    wiki.site.restrict(secret, users=[ANNA])
    assert await may_read(connector, person(BERT)) == {one.id for one in pages}
    wiki.site.restrict(pages[0], users=[CARA])
    pages[1].parent = secret.id
    wiki.site.trash(pages[2])
    assert await may_read(connector, person(BERT)) == set()
    assert await may_read(connector, person(CARA)) == {pages[0].id}
    wiki.site.groups["staff"].remove(CARA)
    assert await may_read(connector, person(CARA)) == set()


async def test_rights_that_cannot_be_read_admit_nobody(wiki: Wiki, connector: Confluence) -> None:
    """A hidden ancestor, and groups whose members the token may not see or that were deleted."""
    hidden = wiki.site.add("folder", "Hidden", wiki.space)
    below = wiki.site.add("page", "Below", wiki.space, parent=hidden)
    limited = wiki.site.add("page", "Limited", wiki.space)
    wiki.site.restrict(limited, users=[ANNA], groups=["deleted"])
    wiki.site.purge(hidden)
    found = await readers(connector)
    assert found[below.id] == frozenset()
    assert found[limited.id] == {person(ANNA)}
    wiki.site.shows_groups = False
    found = await readers(connector)
    assert found[limited.id] == {person(ANNA)}
    assert person("staff") not in found


async def test_rights_of_a_space_that_is_lost_are_nobodys(wiki: Wiki) -> None:
    """The other spaces keep theirs; without any, nothing is named."""
    other = wiki.site.add_space("HR", users=[ANNA])
    pages = [wiki.site.add("page", "Leave", space) for space in (wiki.space, other)]
    connector = wiki.connector(spaces=["DOC", "HR"])
    assert await may_read(connector, person(ANNA)) == {one.id for one in pages}
    del wiki.site.spaces[other.id], wiki.site.contents[pages[1].id]
    assert await may_read(connector, person(ANNA)) == {pages[0].id}
    wiki.site.spaces.clear()
    assert await readers(connector) == {}


async def test_rights_know_restrictions_that_the_search_does_not(
    wiki: Wiki, connector: Confluence
) -> None:
    """A page that is not in Confluence's index yet is asked for itself."""
    page = wiki.site.add("page", "New", wiki.space)
    wiki.site.restrict(page, users=[ANNA])
    wiki.site.unindexed.add(page.id)
    assert (await readers(connector))[page.id] == {person(ANNA)}


async def test_rights_read_long_restrictions_to_their_end(
    wiki: Wiki, connector: Confluence
) -> None:
    """More people than one answer holds, and a group of more than one portion."""
    people = [f"557058:{number}" for number in range(250)]
    wiki.site.groups["staff"] = people
    page = wiki.site.add("page", "Many", wiki.space)
    wiki.site.restrict(page, users=people)
    found = await readers(connector)
    assert found[page.id] == {person(one) for one in people} == found[person("staff")]


async def test_busy_and_failing_service_says_when_to_come_again(wiki: Wiki) -> None:
    """A short rest is taken in place, a long one is told, a failure after three attempts."""
    wiki.site.add("page", "Leave", wiki.space)
    connector = wiki.connector()
    wiki.ledger.plan_fault(Fault("confluence", "429", "pages", retry_after=0))
    wiki.ledger.plan_fault(Fault("confluence", "500", "pages"))
    assert len((await listed(connector)).entries) == 1
    wiki.ledger.plan_fault(Fault("confluence", "429", "pages", retry_after=120))
    with pytest.raises(ConnectorError, match="too many requests") as busy:
        await listed(connector)
    assert (busy.value.after_s, busy.value.is_refused) == (120, False)
    wiki.ledger.plan_fault(Fault("confluence", "500", "pages", times=3))
    with pytest.raises(ConnectorError, match="HTTP 500") as failing:
        await listed(connector)
    assert (failing.value.after_s, failing.value.is_refused) == (None, False)


async def test_slow_and_broken_answers_are_told(wiki: Wiki) -> None:
    """A deadline, a connection that breaks, and a site that is away."""
    page = wiki.site.add("page", "Leave", wiki.space)
    connector = wiki.connector()
    connector.client._client.timeout = 0.2
    wiki.ledger.plan_fault(Fault("confluence", "slow", "pages", delay_s=2))
    with pytest.raises(ConnectorError, match="no answer within"):
        await listed(connector)
    wiki.ledger.plan_fault(Fault("confluence", "truncated", "pages"))
    with pytest.raises(ConnectorError):
        await listed(connector)
    wiki.ledger.plan_fault(Fault("confluence", "slow", "pages", delay_s=2))
    connector.client._client.timeout = 5
    connector.client._limits = RequestLimits(deadline_s=0.2)
    with pytest.raises(ConnectorError, match="not complete within"):
        await listed(connector)
    with pytest.raises(ConnectorError, match="no connection") as gone:
        await listed(wiki.connector(address="http://127.0.0.1:1"))
    assert not gone.value.is_refused
    assert page.id


async def test_token_that_no_header_can_hold_is_told(wiki: Wiki) -> None:
    """Bytes of a terminal in another encoding end in words, without the token in them."""
    with pytest.raises(ConnectorError, match="no connection") as slip:
        await listed(wiki.connector(token="geh\udce4im", email=""))
    assert "geh" not in slip.value.explain()


@pytest.mark.parametrize("is_public", [False, True])
async def test_expired_token_is_refused(wiki: Wiki, *, is_public: bool) -> None:
    """Also by a site that anybody may read: what an anonymous reader sees is not everything."""
    wiki.site.add("page", "Leave", wiki.space)
    wiki.site.is_public = is_public
    connector = wiki.connector(token="expired")
    for attempt in (listed(connector), readers(connector), connector.check()):
        with pytest.raises(ConnectorError) as refused:
            await attempt
        assert refused.value.is_refused
        assert "token" in refused.value.hint
        assert "connect again" in refused.value.hint.lower()


async def test_check_says_who_is_signed_in(wiki: Wiki, connector: Confluence) -> None:
    """And which spaces are read; a service account has a token without an address."""
    words = "signed in as Bot, who may read 1 spaces: DOC"
    assert await connector.check() == words
    assert await wiki.connector(email="").check() == words


def test_config_takes_keys_of_spaces_only() -> None:
    """A key is written into a query, so nothing that would end a quotation is one."""
    address = "https://example.atlassian.net"
    config = ConfluenceConfig(address=address, spaces=("DOC", "~5b10ac8d82e05b22cc7d4ef5"))
    assert len(config.spaces) == 2
    with pytest.raises(ValueError, match="pattern"):
        ConfluenceConfig(address=address, spaces=('A") or type = (page',))
