"""Nextcloud's files, shares and groups, from a stand-in over HTTP."""

from collections.abc import AsyncIterator, Iterator

import pytest

from rich_agent.documents.connectors.port import ConnectorError, CursorExpiredError
from rich_agent.documents.fetch.outcomes import Unreadable
from rich_agent.domain.intranet import Intranet
from rich_agent.features.connectors.webdav import files as webdav
from rich_agent.features.connectors.webdav.files import WebdavConfig, WebdavConnector, open_webdav
from tests.integration.features.connectors.follower import ODD_NAMES, Follower, rights_of
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.nextcloud.api import nextcloud_app
from tests.stand_ins.nextcloud.cloud import CloudFault, NextcloudSandbox

ANNA, BOB, CAROL, DAVE = (f"external:src:{name}" for name in ("anna", "bob", "carol", "dave"))


@pytest.fixture
def cloud() -> NextcloudSandbox:
    """Four people; anna is connected."""
    made = NextcloudSandbox()
    for name in ("anna", "bob", "carol", "dave"):
        made.add_user(name, f"{name}-app-password")
    return made


@pytest.fixture
def url(cloud: NextcloudSandbox) -> Iterator[str]:
    """The address of the cloud."""
    with served(nextcloud_app(cloud)) as address:
        yield address


@pytest.fixture
async def anna(url: str) -> AsyncIterator[WebdavConnector]:
    """Anna's files."""
    connector = opened(url)
    yield connector
    await connector.aclose()


def opened(url: str, path: str = "") -> WebdavConnector:
    """A folder of anna's."""
    config = WebdavConfig(address=f"{url}/remote.php/dav/files/anna/{path}", user="anna")
    return open_webdav(
        config, "anna-app-password", source="src", intranet=Intranet.parse(["127.0.0.1"])
    )


async def readers_of(follower: Follower, connector: WebdavConnector) -> dict[str, set[str]]:
    """The people who may read each file, by its path."""
    rights = await rights_of(connector)
    return {
        one.version.partition("/files/anna/")[2]: rights.get(one.place, set())
        for one in follower.entries.values()
    }


async def test_files_have_the_readers_of_their_nearest_share_and_of_those_around_it(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Shares are inherited by folders and files, and a share within another adds its readers."""
    cloud.add_group("legal", "carol", "dave", admins=("anna",))
    for path in ("own.md", "Team/plan.md", "Team/deep/down/note.md", "Team/law/case.md", "one.md"):
        cloud.put(f"anna/{path}")
    cloud.share("anna/Team", "user", "bob")
    cloud.share("anna/Team/law", "group", "legal")
    cloud.share("anna/one.md", "user", "dave")
    follower = await Follower().sync(anna)
    assert await readers_of(follower, anna) == {
        "own.md": {ANNA},
        "Team/plan.md": {ANNA, BOB},
        "Team/deep/down/note.md": {ANNA, BOB},
        "Team/law/case.md": {ANNA, BOB, CAROL, DAVE},
        "one.md": {ANNA, DAVE},
    }


async def test_files_that_others_shared_are_read_by_those_and_by_whom_they_gave_them_to(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Of bob's folder, anna sees only that her group got it."""
    cloud.add_group("sales", "anna", "carol", admins=("anna",))
    cloud.put("bob/Offers/big.md")
    cloud.share("bob/Offers", "group", "sales")
    follower = await Follower().sync(anna)
    assert await readers_of(follower, anna) == {"Offers/big.md": {ANNA, BOB, CAROL}}


async def test_shares_that_open_nothing_to_people_of_the_server_open_nothing(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Links, mail, other servers, teams, rights to upload only, and what has expired."""
    for number, kind in enumerate(("link", "mail", "remote", "team")):
        cloud.put(f"anna/{number}.md")
        cloud.share(f"anna/{number}.md", kind, "bob")
    cloud.put("anna/drop/box.md")
    cloud.share("anna/drop", "user", "bob", permissions=4)
    cloud.put("anna/old.md")
    cloud.share("anna/old.md", "user", "bob", expiration="2020-01-01 00:00:00")
    cloud.put("anna/new.md")
    cloud.share("anna/new.md", "user", "bob", expiration="2999-01-01 00:00:00")
    readers = await readers_of(await Follower().sync(anna), anna)
    assert readers.pop("new.md") == {ANNA, BOB}
    assert set(map(frozenset, readers.values())) == {frozenset({ANNA})}
    assert len(readers) == 6


async def test_what_is_mounted_in_a_shared_folder_is_not_shared_with_it(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Nextcloud shows no mounted storage to those who got the folder around it."""
    cloud.put("anna/Team/plan.md")
    cloud.folder("anna/Team/disk", is_mounted=True)
    cloud.put("anna/Team/disk/secret.md")
    cloud.put("anna/Team/disk/lent/book.md")
    cloud.share("anna/Team", "user", "bob")
    cloud.share("anna/Team/disk/lent", "user", "carol")
    assert await readers_of(await Follower().sync(anna), anna) == {
        "Team/plan.md": {ANNA, BOB},
        "Team/disk/secret.md": {ANNA},
        "Team/disk/lent/book.md": {ANNA, CAROL},
    }


async def test_a_right_taken_back_is_gone_before_the_files_are_listed_again(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """No ETag changes by a share; the place is nobody's until a listing finds the outer one."""
    cloud.put("anna/Team/law/case.md")
    cloud.share("anna/Team", "user", "bob")
    inner = cloud.share("anna/Team/law", "user", "carol")
    follower = await Follower().sync(anna)
    cloud.unshare(inner)
    assert await readers_of(follower, anna) == {"Team/law/case.md": set()}
    await follower.sync(anna)
    assert await readers_of(follower, anna) == {"Team/law/case.md": {ANNA, BOB}}


async def test_a_new_share_is_found_although_no_file_has_changed(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Only the folders are listed again that the share reaches."""
    for path in ("Team/law/case.md", "Team/plan.md", "Home/diary.md"):
        cloud.put(f"anna/{path}")
    follower = await Follower().sync(anna)
    cloud.share("anna/Team/law", "user", "carol")
    cloud.requests.clear()
    await follower.sync(anna)
    assert (await readers_of(follower, anna))["Team/law/case.md"] == {ANNA, CAROL}
    listed = [path for method, path in cloud.requests if method == "PROPFIND"]
    assert not [path for path in listed if "Home" in path]


async def test_members_of_a_group_that_cannot_be_seen_read_nothing_as_such(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """The check says so, and what would help."""
    cloud.add_group("legal", "carol")
    cloud.put("anna/law.md")
    cloud.share("anna/law.md", "group", "legal")
    assert await readers_of(await Follower().sync(anna), anna) == {"law.md": {ANNA}}
    assert "the members of legal cannot be seen" in await anna.check()
    cloud.group_admins["legal"] = {"anna"}
    assert "cannot be seen" not in await anna.check()


async def test_a_group_named_like_a_person_is_not_that_person(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """The group bob holds carol; bob himself reads nothing."""
    cloud.add_group("bob", "carol", admins=("anna",))
    cloud.put("anna/x.md")
    cloud.share("anna/x.md", "group", "bob")
    assert await readers_of(await Follower().sync(anna), anna) == {"x.md": {ANNA, CAROL}}


async def test_unchanged_folders_are_not_asked_about_again(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """One request tells that nothing has changed; a change costs the folders on its way."""
    for number in range(30):
        cloud.put(f"anna/{number}/inner/a.md")
    follower = await Follower().sync(anna)
    cloud.requests.clear()
    await follower.sync(anna)
    assert [method for method, _ in cloud.requests].count("PROPFIND") == 1
    assert len(follower.entries) == 30
    cloud.put("anna/7/inner/a.md", b"changed")
    cloud.requests.clear()
    await follower.sync(anna)
    assert [method for method, _ in cloud.requests].count("PROPFIND") == 4
    assert follower.portions == [1]
    assert follower.gone == ()


async def test_renamed_and_moved_files_keep_their_keys(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Also in folders that are moved; nothing is said to be gone but what is."""
    for path in ("a/one.md", "a/two.md", "b/c/three.md", "b/four.md"):
        cloud.put(f"anna/{path}")
    follower = await Follower().sync(anna)
    before = {one.version.rpartition("/")[2]: one.key for one in follower.entries.values()}
    cloud.move("anna/a/one.md", "anna/b/uno.md")
    cloud.move("anna/b/c", "anna/a/c2")
    cloud.delete("anna/b/four.md")
    await follower.sync(anna)
    assert follower.gone == (before["four.md"],)
    assert {one.key: one.version.partition("/anna/")[2] for one in follower.entries.values()} == {
        before["one.md"]: "b/uno.md",
        before["two.md"]: "a/two.md",
        before["three.md"]: "a/c2/three.md",
    }
    assert set(await follower.texts(anna)) == {"uno.md", "two.md", "three.md"}


async def test_addresses_do_not_tell_folders_of_the_owner(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Somebody who got one file does not learn where it lies."""
    cloud.put("anna/Layoffs 2027/handbook.md")
    follower = await Follower().sync(anna)
    (entry,) = follower.entries.values()
    assert entry.url.endswith(f"/f/{entry.key}")
    outcome = await anna.read(entry, 1_000)
    assert "Layoffs" not in repr(outcome)


@pytest.mark.parametrize("dies_after", [1, 2, 3, 5])
async def test_a_listing_that_is_killed_goes_on_where_it_was(
    cloud: NextcloudSandbox,
    anna: WebdavConnector,
    monkeypatch: pytest.MonkeyPatch,
    dies_after: int,
) -> None:
    """Finished folders are not listed again, and what changed meanwhile is not missed."""
    monkeypatch.setattr(webdav, "_PORTION", 3)
    for number in range(20):
        cloud.put(f"anna/{number % 5}/deep/{number}.md")
    follower = await Follower().sync(anna, dies_after=dies_after)
    listed = set(follower.entries)
    cloud.delete("anna/4/deep/4.md")
    cloud.delete("anna/0/deep/5.md")
    cloud.put("anna/2/deep/new.md")
    cloud.move("anna/3/deep", "anna/1/deeper")
    await follower.sync(anna)
    assert {one.version.partition("/anna/")[2] for one in follower.entries.values()} == {
        *(f"{n % 5}/deep/{n}.md" for n in range(20) if n % 5 != 3 and n not in {4, 5}),
        *(f"1/deeper/{n}.md" for n in range(20) if n % 5 == 3),
        "2/deep/new.md",
    }
    assert listed
    # The same for a listing of changes.
    for number in range(0, 20, 2):
        path = f"anna/{number % 5}/deep/{number}.md"
        if number % 5 != 3 and number != 4:
            cloud.put(path, b"changed")
    cloud.delete("anna/1/deeper/3.md")
    await follower.sync(anna, dies_after=1)
    cloud.delete("anna/0/deep/10.md")
    await follower.sync(anna)
    left = {one.version.rpartition("/")[2] for one in follower.entries.values()}
    assert left == {*(f"{n}.md" for n in range(20) if n not in {3, 4, 5, 10}), "new.md"}


async def test_a_position_that_cannot_be_read_has_everything_listed_again(
    anna: WebdavConnector,
) -> None:
    """A cursor of another version of the product, or a damaged one."""
    with pytest.raises(CursorExpiredError):
        await Follower(cursor="@@").sync(anna)


async def test_only_the_folder_that_is_named_is_read_and_its_shares_reach_it_from_above(
    cloud: NextcloudSandbox, url: str
) -> None:
    """The share of a folder around it counts."""
    cloud.put("anna/Team/law/case.md")
    cloud.put("anna/other.md")
    cloud.share("anna/Team", "user", "bob")
    connector = opened(url, "Team/law/")
    assert await readers_of(await Follower().sync(connector), connector) == {
        "Team/law/case.md": {ANNA, BOB}
    }
    await connector.aclose()


async def test_refusals_say_what_to_do(cloud: NextcloudSandbox, url: str) -> None:
    """An app password that was revoked, for listing, reading, rights and the check."""
    cloud.put("anna/a.md")
    connector = opened(url)
    follower = await Follower().sync(connector)
    cloud.passwords["anna"] = "another"
    for asked in (
        follower.sync(connector),
        connector.read(follower.one("a.md"), 1_000),
        rights_of(connector),
        connector.check(),
    ):
        with pytest.raises(ConnectorError, match="wrong \\(401\\)") as refused:
            await asked
        assert refused.value.is_refused
        assert "app password" in refused.value.hint
    await connector.aclose()


@pytest.mark.parametrize("path", ["/files/anna/a", "/shares", "/cloud/user"])
async def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(
    cloud: NextcloudSandbox, anna: WebdavConnector, path: str
) -> None:
    """Too many requests is no refusal, and the same listing succeeds later."""
    cloud.put("anna/a/b.md")
    follower = Follower()
    cloud.faults.append(CloudFault(429, path, headers={"Retry-After": "120"}))
    with pytest.raises(ConnectorError) as busy:
        await follower.sync(anna)
    assert (busy.value.after_s, busy.value.is_refused) == (120.0, False)
    await follower.sync(anna)
    assert len(follower.entries) == 1


async def test_a_failing_server_is_asked_again_and_then_left_alone(
    cloud: NextcloudSandbox, anna: WebdavConnector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two failures pass unnoticed; of a maintenance that lasts, the operator learns."""
    monkeypatch.setattr(webdav, "_PAUSES_S", (0.01, 0.01))
    cloud.put("anna/a/b.md")
    cloud.faults.append(CloudFault(500, "/files/anna/a", times=2))
    follower = await Follower().sync(anna)
    assert len(follower.entries) == 1
    cloud.faults.append(CloudFault(503, "/files/anna", times=3))
    with pytest.raises(ConnectorError, match="HTTP 503") as away:
        await anna.read(follower.one("b.md"), 1_000)
    assert not away.value.is_refused


async def test_a_file_of_two_gigabytes_is_refused_unread(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """By its size; only what was on its way already is transferred."""
    cloud.put("anna/huge.txt", b"", size=2_000_000_000)
    follower = await Follower().sync(anna)
    outcome = await anna.read(follower.one("huge.txt"), 100_000_000)
    assert isinstance(outcome, Unreadable)
    assert "has 2000 MB, and at most 100 MB are read" in outcome.reason
    assert cloud.sent_bytes < 20_000_000


async def test_a_file_that_is_deleted_while_it_is_read_is_gone(
    cloud: NextcloudSandbox, anna: WebdavConnector
) -> None:
    """Between listing and reading."""
    cloud.put("anna/a.md")
    follower = await Follower().sync(anna)
    cloud.delete("anna/a.md")
    outcome = await anna.read(follower.one("a.md"), 1_000)
    assert isinstance(outcome, Unreadable)
    assert outcome.is_gone


async def test_odd_names_are_read(cloud: NextcloudSandbox, anna: WebdavConnector) -> None:
    """In names of files and of folders."""
    for name in ODD_NAMES:
        cloud.put(f"anna/{name}", name.encode())
        cloud.put(f"anna/in {name}/x{name}", name.encode())
    follower = await Follower().sync(anna)
    texts = await follower.texts(anna)
    assert texts == {
        **{name: name for name in ODD_NAMES},
        **{f"x{name}": name for name in ODD_NAMES},
    }
