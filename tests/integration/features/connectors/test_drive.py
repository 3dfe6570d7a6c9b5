"""The connector of Google Drive against a stand-in for Google's interfaces, over real HTTP."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from starlette.applications import Starlette

from rich_agent.documents.connectors.port import ConnectorError, CursorExpiredError
from rich_agent.documents.connectors.rest_client import RequestLimits
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument, Unreadable
from rich_agent.domain.intranet import Intranet
from rich_agent.features.connectors.drive.changes import Drive, DriveConfig, GoogleHosts, open_drive
from rich_agent_sandbox.ledger import Fault, Ledger
from tests.integration.features.connectors.listing import (
    growth_while_listing,
    listed,
    may_read,
    readers,
)
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.drive.api import drive_routes
from tests.stand_ins.drive.state import DOCUMENT, FOLDER, DriveSandbox, StoredFile
from tests.unit.documents.documents import docx, word_paragraph

MB = 1_000_000
LIMITS = RequestLimits(timeout_s=5, pause_s=0)
HERE = Intranet.parse(["127.0.0.1"])
ANNA, BERT, CARA = "anna@example.com", "bert@example.com", "cara@example.com"
ADMIN = "admin@example.com"


@cache
def rsa_key() -> RSAPrivateKey:
    """The key of the service account."""
    return generate_private_key(65_537, 2_048)


@dataclass(slots=True)
class Cloud:
    """Google Drive with a folder that is shared with the account, which may edit it."""

    url: str
    state: DriveSandbox
    ledger: Ledger
    folder: StoredFile
    opened: list[Drive] = field(default_factory=list)

    def read_assertion(self, assertion: str) -> Mapping[str, Any]:
        """The claims of a service account's assertion, whose signature is checked."""
        public = rsa_key().public_key()
        claims = jwt.decode(assertion, public, algorithms=["RS256"], audience=f"{self.url}/token")
        assert claims["iss"] == self.state.account
        assert claims["scope"].startswith("https://www.googleapis.com/auth/")
        return dict(claims)

    def key(self, **changes: str) -> str:
        """The key file of the service account."""
        pem = rsa_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        named = {"type": "service_account", "client_email": self.state.account}
        token_uri = {"private_key": pem, "private_key_id": "1", "token_uri": f"{self.url}/token"}
        return json.dumps({**named, **token_uri, "project_id": "project", **changes})

    def sign_in(self, refresh_token: str) -> str:
        """The file that `gcloud` keeps of a sign-in."""
        client = {"client_id": "client", "client_secret": self.state.client_secret}
        kept = {"type": "authorized_user", "refresh_token": refresh_token, **client}
        return json.dumps({**kept, "token_uri": f"{self.url}/token"})

    def connector(self, secret: str = "", *, drive: str = "", admin: str = "") -> Drive:
        """A connector that does not wait."""
        address = f"https://drive.google.com/drive/{f'folders/{drive}' if drive else 'my-drive'}"
        opened = open_drive(
            DriveConfig(address=address, admin=admin),
            secret or self.key(),
            source="team",
            intranet=HERE,
            hosts=GoogleHosts(self.url, self.url),
            limits=LIMITS,
        )
        self.opened.append(opened)
        return opened

    def calls(self, method: str) -> int:
        """The number of calls of a method."""
        return sum(call.method == method for call in self.ledger.calls())


@pytest.fixture
async def cloud() -> AsyncIterator[Cloud]:
    """Google Drive."""
    state, ledger = DriveSandbox(), Ledger()
    folder = state.add("Team", FOLDER)
    state.share(folder, state.account, role="writer")
    with served(Starlette(routes=drive_routes(state, ledger))) as url:
        running = Cloud(url, state, ledger, folder)
        state.read_assertion = running.read_assertion
        yield running
        for connector in running.opened:
            await connector.aclose()


@pytest.fixture
def connector(cloud: Cloud) -> Drive:
    """A connector of what is shared with the service account."""
    return cloud.connector()


def person(email: str) -> str:
    """The principal of a person, a group or a domain."""
    return f"external:team:{email}"


async def test_list_finds_what_is_shared_and_can_be_read(cloud: Cloud, connector: Drive) -> None:
    """Files below shared folders; no folders, no trash, and what cannot be read is said."""
    inner = cloud.state.add("Inner", FOLDER, parent=cloud.folder)
    notes = cloud.state.add("notes.md", parent=inner)
    plan = cloud.state.add("Plan", DOCUMENT, parent=cloud.folder)
    cloud.state.add("photo.png", "image/png", parent=cloud.folder)
    cloud.state.add("Survey", "application/vnd.google-apps.form", parent=cloud.folder)
    cloud.state.trash(cloud.state.add("old.md", parent=cloud.folder))
    cloud.state.add("of others.md")
    found = await listed(connector)
    assert set(found.entries) == {notes.id, plan.id}
    assert found.entries[notes.id].place == notes.id
    assert found.entries[notes.id].url.startswith(f"https://drive.google.com/file/d/{notes.id}/")
    assert found.skipped == ["1 image/png (photo.png), 1 form (Survey)"]


async def test_list_keeps_to_a_shared_drive(cloud: Cloud) -> None:
    """Of one that is named, nothing else is read; one that is not known is refused."""
    drive = cloud.state.add_drive("Handbook")
    inside = cloud.state.add("inside.md", parent=drive)
    cloud.state.add("outside.md", parent=cloud.folder)
    connector = cloud.connector(drive=drive.id)
    before = await listed(connector)
    assert set(before.entries) == {inside.id}
    cloud.state.edit(cloud.state.files[inside.id], name="renamed.md")
    cloud.state.move(inside, cloud.folder)
    after = await listed(connector, before.cursor)
    assert (after.entries, after.gone) == ({}, {inside.id})
    with pytest.raises(ConnectorError, match="not found") as missing:
        await listed(cloud.connector(drive="0ANotThere"))
    assert missing.value.is_refused


async def test_list_goes_on_at_a_cursor_after_a_kill(cloud: Cloud) -> None:
    """Two processes together list everything, also what changed between them."""
    files = [cloud.state.add(f"{number}.md", parent=cloud.folder) for number in range(2_500)]
    before = await listed(cloud.connector(), portions=2)
    cloud.state.edit(files[0], content=b"# New")
    after = await listed(cloud.connector(), before.cursor)
    assert (len(before.entries), len(after.entries)) == (2_000, 500)
    assert not before.entries.keys() & after.entries.keys()
    assert set((await listed(cloud.connector(), after.cursor)).entries) == {files[0].id}


async def test_list_gives_changes_since_a_cursor(cloud: Cloud, connector: Drive) -> None:
    """New, edited, renamed and moved files; deletions, the trash, and what is shared no more."""
    names = ("edited", "renamed", "moved", "trashed", "deleted", "unshared", "same", "image")
    files = {name: cloud.state.add(f"{name}.md", parent=cloud.folder) for name in names}
    alone = files["unshared"]
    alone.parent = ""
    cloud.state.share(alone, cloud.state.account)
    inner = cloud.state.add("Inner", FOLDER, parent=cloud.folder)
    before = await listed(connector)
    cloud.state.edit(files["edited"], content=b"# New")
    cloud.state.edit(files["renamed"], name="other name.md")
    cloud.state.edit(files["image"], name="image.png")
    files["image"].mime_type = "image/png"
    cloud.state.move(files["moved"], inner)
    cloud.state.trash(files["trashed"])
    cloud.state.delete(files["deleted"])
    cloud.state.unshare(alone, cloud.state.account)
    new = cloud.state.add("new.md", parent=inner)
    after = await listed(connector, before.cursor)
    ids = {name: file.id for name, file in files.items()}
    assert set(after.entries) == {new.id, ids["edited"], ids["renamed"], ids["moved"]}
    assert after.gone >= {ids[name] for name in ("trashed", "deleted", "unshared", "image")}
    assert ids["same"] not in after.gone
    versions = {
        name: before.entries[ids[name]].version == after.entries[ids[name]].version
        for name in ("edited", "renamed", "moved")
    }
    assert versions == {"edited": False, "renamed": False, "moved": True}


async def test_changes_go_on_after_a_kill(cloud: Cloud, connector: Drive) -> None:
    """Each portion of the changes has a cursor of its own."""
    start = (await listed(connector)).cursor
    for number in range(1_500):
        cloud.state.add(f"{number}.md", parent=cloud.folder)
    killed = await listed(connector, start, portions=1)
    rest = await listed(connector, killed.cursor)
    assert (len(killed.entries), len(rest.entries)) == (1_000, 500)


async def test_cursors_expire(cloud: Cloud, connector: Drive) -> None:
    """If Google rejects a token, says that it is gone, or if it is none."""
    for number in range(1_500):
        cloud.state.add(f"{number}.md", parent=cloud.folder)
    found = await listed(connector)
    cloud.ledger.plan_fault(Fault("drive", "410", "changes"))
    with pytest.raises(CursorExpiredError):
        await listed(connector, found.cursor)
    cloud.state.forget_tokens()
    for cursor in (found.cursors[0], found.cursor, "nonsense"):
        with pytest.raises(CursorExpiredError):
            await listed(connector, cursor)


@pytest.mark.soak
async def test_listing_of_100_000_files_stays_small(cloud: Cloud, connector: Drive) -> None:
    """No more than some portions are held: under 20 MB."""
    for number in range(100_000):
        cloud.state.add(f"{number}.md", parent=cloud.folder)
    count, grown = await growth_while_listing(connector)
    assert count == 100_000
    assert grown < 20 * MB, f"{grown / MB:.1f} MB"


async def test_documents_of_google_are_exported(cloud: Cloud, connector: Drive) -> None:
    """As files of Office, with the name as a title."""
    plan = cloud.state.add("Plan v1.2", DOCUMENT, parent=cloud.folder)
    plan.exported = docx(word_paragraph("We meet on Monday."))
    entry = (await listed(connector)).entries[plan.id]
    document = await connector.read(entry, MB)
    assert isinstance(document, RawDocument)
    extracted = extract(document)
    assert "We meet on Monday." in extracted.text
    assert extracted.title == "Plan v1.2"
    plan.exported = bytes(11 * MB)
    outcome = await connector.read(entry, 100 * MB)
    assert isinstance(outcome, Unreadable)
    assert "too large to be exported" in outcome.reason


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.md", "Ümläut 日本.md", 'a"b?c#d%2F.md', "x" * 200 + ".md", " .md"]
)
async def test_odd_names_are_read(cloud: Cloud, connector: Drive, name: str) -> None:
    """A name is never a path: files are asked for by their ids."""
    file = cloud.state.add(name, content=b"# File\n\nText.", parent=cloud.folder)
    document = await connector.read((await listed(connector)).entries[file.id], MB)
    assert isinstance(document, RawDocument)
    assert (document.data, document.name) == (b"# File\n\nText.", name)


async def test_a_file_of_2_gb_is_not_read(cloud: Cloud, connector: Drive) -> None:
    """Its size is known before a byte of it is asked for."""
    file = cloud.state.add("huge.pdf", "application/pdf", parent=cloud.folder, size=2_000 * MB)
    entry = (await listed(connector)).entries[file.id]
    outcome = await connector.read(entry, 100 * MB)
    assert isinstance(outcome, Unreadable)
    assert outcome.reason == "the file is larger than 100 MB"
    assert cloud.calls("file") == 1


async def test_read_says_what_is_gone_or_forbidden(cloud: Cloud, connector: Drive) -> None:
    """Gone: in the trash or deleted. Not gone: what its owner lets nobody download."""
    files = [cloud.state.add(f"{number}.md", parent=cloud.folder) for number in range(3)]
    entries = (await listed(connector)).entries
    cloud.state.trash(files[0])
    cloud.state.delete(files[1])
    files[2].can_download = False
    outcomes = [await connector.read(entries[file.id], MB) for file in files]
    assert [isinstance(one, Unreadable) and one.is_gone for one in outcomes] == [True, True, False]


async def test_rights_are_inherited_from_folders(cloud: Cloud, connector: Drive) -> None:
    """People and groups of the file and of each folder on the way, by their addresses."""
    inner = cloud.state.add("Inner", FOLDER, parent=cloud.folder)
    file = cloud.state.add("notes.md", parent=inner)
    cloud.state.share(cloud.folder, "Anna@Example.com")
    cloud.state.share(inner, "staff@example.com", kind="group", role="commenter")
    cloud.state.share(file, BERT, role="writer")
    found = await readers(connector)
    people = {ANNA, BERT, "staff@example.com", cloud.state.account}
    assert found == {file.id: {person(one) for one in people}}


async def test_members_of_groups_are_told_by_the_directory(cloud: Cloud) -> None:
    """Also those of groups within a group; only an administrator learns them."""
    cloud.state.groups["staff@example.com"] = [(ANNA, "USER"), ("leads@example.com", "GROUP")]
    cloud.state.groups["leads@example.com"] = [(BERT, "USER"), ("C0123", "CUSTOMER")]
    cloud.state.administrators.add(ADMIN)
    file = cloud.state.add("notes.md", parent=cloud.folder)
    cloud.state.share(file, "staff@example.com", kind="group")
    cloud.state.share(file, "deleted@example.com", kind="group")
    connector = cloud.connector(admin=ADMIN)
    assert (await readers(connector))[person("staff@example.com")] == {person(ANNA), person(BERT)}
    assert await may_read(connector, person(BERT)) == {file.id}
    assert await may_read(cloud.connector(admin=ANNA), person(BERT)) == set()
    assert await may_read(cloud.connector(), person(BERT)) == set()


@pytest.mark.parametrize(
    ("kind", "to", "discoverable", "readers_of_it"),
    [
        ("anyone", "", False, set()),
        ("anyone", "", True, {"everybody"}),
        ("domain", "Example.com", False, set()),
        ("domain", "Example.com", True, {person("example.com")}),
    ],
)
async def test_links_are_no_permissions(
    cloud: Cloud,
    connector: Drive,
    *,
    kind: str,
    to: str,
    discoverable: bool,
    readers_of_it: set[str],
) -> None:
    """A link names nobody; a file that is found without one may be read."""
    file = cloud.state.add("notes.md", parent=cloud.folder)
    cloud.state.share(file, to, kind=kind, discoverable=discoverable)
    found = await readers(connector)
    assert found[file.id] - {person(cloud.state.account)} == readers_of_it


@pytest.mark.parametrize(
    ("more", "is_reader"),
    [
        ({"deleted": True}, False),
        ({"view": "metadata"}, False),
        ({"view": "published"}, False),
        ({"expirationTime": (datetime.now(UTC) - timedelta(days=1)).isoformat()}, False),
        ({"expirationTime": (datetime.now(UTC) + timedelta(days=1)).isoformat()}, True),
        ({"inheritedPermissionsDisabled": True}, False),
        ({"inheritedPermissionsDisabled": True, "role": "owner"}, True),
        ({"pendingOwner": True}, True),
    ],
)
async def test_permissions_that_do_not_hold_admit_nobody(
    cloud: Cloud, connector: Drive, *, more: dict[str, Any], is_reader: bool
) -> None:
    """Deleted accounts, views, past times, and folders that cut off what they inherit."""
    inner = cloud.state.add("Inner", FOLDER, parent=cloud.folder)
    file = cloud.state.add("notes.md", parent=inner)
    cloud.state.share(inner, ANNA, **more)
    assert (file.id in await may_read(connector, person(ANNA))) is is_reader


async def test_rights_in_a_shared_drive_are_asked_for_once_in_a_folder(cloud: Cloud) -> None:
    """And again for each file with permissions of its own."""
    drive = cloud.state.add_drive("Handbook")
    cloud.state.share(drive, ANNA, role="organizer")
    folders = [cloud.state.add(f"Folder {number}", FOLDER, parent=drive) for number in range(2)]
    cloud.state.share(folders[1], BERT)
    files = [
        cloud.state.add(f"{number}.md", parent=folder) for folder in folders for number in range(9)
    ]
    cloud.state.share(files[0], CARA)
    connector = cloud.connector(drive=drive.id)
    found = await readers(connector)
    assert cloud.calls("permissions") == 3
    account = person(cloud.state.account)
    assert found[files[0].id] == {account, person(ANNA), person(CARA)}
    assert {found[one.id] for one in files[1:9]} == {frozenset({account, person(ANNA)})}
    assert {found[one.id] for one in files[9:]} == {
        frozenset({account, person(ANNA), person(BERT)})
    }


async def test_rights_follow_revocations_at_once(cloud: Cloud, connector: Drive) -> None:
    """On a file, on a folder above, by a move, by the trash, and in a group."""
    cloud.state.groups["staff@example.com"] = [(BERT, "USER")]
    cloud.state.administrators.add(ADMIN)
    connector = cloud.connector(admin=ADMIN)
    closed = cloud.state.add("Closed", FOLDER, parent=cloud.folder)
    opened = cloud.state.add("Open", FOLDER, parent=cloud.folder)
    cloud.state.share(opened, ANNA)
    cloud.state.share(opened, "staff@example.com", kind="group")
    files = [cloud.state.add(f"{number}.md", parent=opened) for number in range(4)]
    cloud.state.share(files[0], CARA)
    assert await may_read(connector, person(CARA)) == {files[0].id}
    assert await may_read(connector, person(BERT)) == {one.id for one in files}
    cloud.state.unshare(files[0], CARA)
    cloud.state.move(files[1], closed)
    cloud.state.trash(files[2])
    assert await may_read(connector, person(CARA)) == set()
    assert await may_read(connector, person(ANNA)) == {files[0].id, files[3].id}
    cloud.state.unshare(opened, ANNA)
    cloud.state.groups["staff@example.com"].clear()
    assert await may_read(connector, person(ANNA)) == set()
    assert await may_read(connector, person(BERT)) == set()


async def test_rights_that_are_not_shown_admit_nobody(cloud: Cloud) -> None:
    """An account that may only read sees no permissions, on its own and in shared drives."""
    drive = cloud.state.add_drive("Handbook")
    files = [cloud.state.add("a.md", parent=one) for one in (drive, cloud.folder)]
    for file in files:
        cloud.state.share(file, ANNA)
    cloud.state.shows_permissions = False
    for connector in (cloud.connector(), cloud.connector(drive=drive.id)):
        assert await may_read(connector, person(ANNA)) == set()


async def test_busy_and_failing_service_says_when_to_come_again(
    cloud: Cloud, connector: Drive
) -> None:
    """A short rest is taken in place, a long one is told, a failure after three attempts."""
    file = cloud.state.add("notes.md", parent=cloud.folder)
    for kind in ("403_rate", "500"):
        cloud.ledger.plan_fault(Fault("drive", kind, "files"))
    assert set((await listed(connector)).entries) == {file.id}
    cloud.ledger.plan_fault(Fault("drive", "429", "files", retry_after=120))
    with pytest.raises(ConnectorError, match="too many requests") as busy:
        await listed(connector)
    assert (busy.value.after_s, busy.value.is_refused) == (120, False)
    for kind in ("500", "403_rate"):
        cloud.ledger.plan_fault(Fault("drive", kind, "files", times=3))
        with pytest.raises(ConnectorError) as failing:
            await listed(connector)
        assert not failing.value.is_refused


async def test_busy_service_takes_no_rights_away(cloud: Cloud) -> None:
    """Too many requests for permissions are an error; nobody is taken for no reader."""
    drive = cloud.state.add_drive("Handbook")
    cloud.state.add("a.md", parent=drive)
    connector = cloud.connector(drive=drive.id)
    cloud.ledger.plan_fault(Fault("drive", "403_rate", "permissions", times=3))
    with pytest.raises(ConnectorError, match="too many requests"):
        await readers(connector)


async def test_slow_and_broken_answers_are_told(cloud: Cloud, connector: Drive) -> None:
    """A deadline, and a connection that breaks."""
    connector.client._client.timeout = 0.2
    cloud.ledger.plan_fault(Fault("drive", "slow", "files", delay_s=2))
    with pytest.raises(ConnectorError, match="no answer within"):
        await listed(connector)
    cloud.ledger.plan_fault(Fault("drive", "truncated", "files"))
    with pytest.raises(ConnectorError):
        await listed(connector)


async def test_expired_access_tokens_are_renewed(cloud: Cloud) -> None:
    """For a service account and for a user, in the middle of a listing."""
    for number in range(2_500):
        cloud.state.add(f"{number}.md", parent=cloud.folder)
    for secret in (cloud.key(), cloud.sign_in(cloud.state.refresh_token)):
        connector, count = cloud.connector(secret), 0
        async for changes in connector.list(""):
            count += len(changes.entries)
            cloud.state.expire_tokens()
        assert count == 2_500


async def test_revoked_sign_in_is_refused(cloud: Cloud) -> None:
    """A refresh token that was revoked, and a key that is deleted, damaged or something else."""
    foreign = generate_private_key(65_537, 2_048)
    pem = foreign.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    for secret in (
        cloud.sign_in("1//revoked"),
        cloud.key(private_key=pem),
        cloud.key(private_key="-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----"),
    ):
        connector = cloud.connector(secret)
        for attempt in (listed(connector), readers(connector), connector.check()):
            with pytest.raises(ConnectorError) as refused:
                await attempt
            assert refused.value.is_refused
            assert "connect again" in refused.value.hint
    with pytest.raises(ConnectorError, match="no key of a service account") as other:
        cloud.connector("hunter2")
    assert "--secret-file" in other.value.hint
    assert "hunter2" not in other.value.explain()


async def test_check_says_what_is_read(cloud: Cloud) -> None:
    """The account, the shared drive, and whether groups are known."""
    drive = cloud.state.add_drive("Handbook")
    assert await cloud.connector().check() == (
        f"signed in as {cloud.state.account}, who reads what is shared with this account; "
        "members of groups are not known: set admin"
    )
    checked = await cloud.connector(drive=drive.id, admin=ADMIN).check()
    assert checked.endswith("the shared drive Handbook; members of groups are known")


@pytest.mark.parametrize("address", ["https://example.com/drive/x", "drive", "file:///drive/"])
def test_config_takes_addresses_of_drive_only(address: str) -> None:
    """An address elsewhere is a mistake."""
    with pytest.raises(ValueError, match="begins with https:"):
        DriveConfig(address=address)
