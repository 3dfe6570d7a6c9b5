"""A real Dovecot, and servers that refuse, break off or send nonsense."""

import asyncio
import imaplib
import io
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest
from PIL import Image
from pydantic import ValidationError

from rich_agent.documents.connectors.port import ConnectorError
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument, Unreadable
from rich_agent.features.connectors.imap import mailbox as imap
from rich_agent.features.connectors.imap.mailbox import ImapConfig, ImapConnector, open_imap
from tests.integration.features.connectors.dovecot_server import Dovecot, mail, running_dovecot
from tests.integration.features.connectors.follower import Follower, rights_of

NUMBERS = count()


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    """One server; each test has a user of its own."""
    with running_dovecot() as server:
        yield server


@pytest.fixture
def user(dovecot: Dovecot) -> str:
    """A new user."""
    name = f"user{next(NUMBERS)}"
    dovecot.add_user(name, "s3cret")
    return name


@pytest.fixture
def client(dovecot: Dovecot, user: str) -> Iterator[imaplib.IMAP4]:
    """Another program that has the mailbox open."""
    opened = dovecot.client(user, "s3cret")
    opened.select()
    yield opened
    opened.shutdown()


def opened(port: int, user: str, **options: object) -> ImapConnector:
    """A mailbox on this machine, which Telegram's user 42 may ask about."""
    given = {"host": "127.0.0.1", "port": port, "user": user, "reader": 42, "security": "none"}
    return open_imap(ImapConfig.model_validate({**given, **options}), "s3cret", source="src")


@pytest.fixture
async def connector(dovecot: Dovecot, user: str) -> AsyncIterator[ImapConnector]:
    """The inbox of the user."""
    found = opened(dovecot.port, user)
    yield found
    await found.aclose()


def put(client: imaplib.IMAP4, message: EmailMessage | bytes, folder: str = "INBOX") -> None:
    """Add a mail to a folder."""
    data = message if isinstance(message, bytes) else message.as_bytes()
    assert client.append(folder, "", "", data)[0] == "OK"


def delete(client: imaplib.IMAP4, uid: int) -> None:
    """Delete a mail of the inbox."""
    client.uid("STORE", str(uid), "+FLAGS", "(\\Deleted)")
    client.expunge()


async def titles(follower: Follower, connector: ImapConnector) -> list[str]:
    """The titles of the documents, as answers show them."""
    documents = [await connector.read(one, 1_000_000) for one in follower.entries.values()]
    return sorted(extract(one).title for one in documents if isinstance(one, RawDocument))


async def test_mails_and_their_attachments_are_documents_of_one_user(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """Pictures are left out; nothing is marked as read."""
    message = mail("Contract of 2026", "Dear Anna,\n\nplease find <the contract> attached.\nBob")
    message.add_attachment(b"# Terms\n\nNet 30.", "text", "markdown", filename="terms & more.md")
    message.add_attachment(b"\x89PNG", "image", "png", filename="photo.png")
    put(client, message)
    follower = await Follower().sync(connector)
    text, attached = [await connector.read(one, 1_000) for one in follower.entries.values()]
    assert isinstance(text, RawDocument)
    assert isinstance(attached, RawDocument)
    page = extract(text)
    assert page.title == "Contract of 2026"
    assert "From: bob@example.org" in page.text
    assert "please find <the contract> attached." in page.text.replace("\\", "")
    assert (attached.media_type, attached.name) == ("text/markdown", "terms & more.md")
    assert attached.data == b"# Terms\n\nNet 30."
    assert follower.skipped[0].counts == {"attachments of other kinds": 1}
    places = await rights_of(connector)
    assert {frozenset(places[one.place]) for one in follower.entries.values()} == {
        frozenset({"user:42"})
    }
    client.noop()
    assert client.search(None, "SEEN") == ("OK", [b""])
    assert "only user 42 may ask" in await connector.check()


def _alternative() -> EmailMessage:
    made = mail("Both", "the plain one")
    made.add_alternative("<p>the page</p>", subtype="html")
    return made


def _page() -> EmailMessage:
    made = mail("Page")
    made.set_content("<p>Grüße</p><p style='display:none'>hidden</p>", "html", "iso-8859-1", "8bit")
    return made


@pytest.mark.parametrize(
    ("message", "title", "text"),
    [
        (_alternative(), "Both", "the page"),
        (_page(), "Page", "Grüße"),
        (mail("Grüße 🎉", "日本語のメール"), "Grüße 🎉", "日本語のメール"),
        (b"Subject: =?utf-8?b?w6k=?= x\r\n\r\nno structure", "é x", "no structure"),
        (b"Subject: raw \xc3\xa9\r\n\r\nplain \xe9", "raw é", "plain é"),
        (b"Subject: <b>R&D\r\n\r\ntext", "<b>R&D", "text"),
        (b"\r\nwithout any header", "(no subject)", "without any header"),
        (
            (
                b"Subject: q\r\nContent-Type: text/plain; charset=x-none\r\n"
                b"Content-Transfer-Encoding: quoted-printable\r\n\r\n50=25 of\r\n"
            ),
            "q",
            "50% of",
        ),
    ],
)
async def test_texts_of_mails_are_read_in_any_form(
    client: imaplib.IMAP4,
    connector: ImapConnector,
    message: EmailMessage | bytes,
    title: str,
    text: str,
) -> None:
    """Encodings, HTML, missing headers, and names that would be markup."""
    put(client, message)
    follower = await Follower().sync(connector)
    (entry,) = follower.entries.values()
    outcome = await connector.read(entry, 100_000)
    assert isinstance(outcome, RawDocument)
    page = extract(outcome)
    assert page.title.replace("\\", "") == title
    assert text in page.text
    assert "hidden" not in page.text


async def test_mail_over_imap_is_read_like_a_mail_in_a_file(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """Its page, with the broken lines of other forms joined, and the pictures in it counted."""
    message = mail("Plan", "soft \nline")
    message.replace_header("Content-Type", "text/plain; charset=utf-8; format=flowed")
    message.add_alternative("<p>The plan.</p><img src='cid:plan@x'><p>Done.</p>", subtype="html")
    form = list(message.iter_parts())[-1]
    assert isinstance(form, EmailMessage)
    picture = io.BytesIO()
    Image.new("RGB", (400, 300)).save(picture, "PNG")
    form.add_related(picture.getvalue(), "image", "png", cid="<plan@x>", disposition="inline")
    put(client, message)
    follower = await Follower().sync(connector)
    (entry,) = follower.entries.values()
    outcome = await connector.read(entry, 100_000)
    assert isinstance(outcome, RawDocument)
    file = RawDocument("file:///plan.eml", message.as_bytes(), "message/rfc822")
    assert extract(outcome) == extract(file)
    assert extract(outcome).text.endswith("The plan.\n\nDone.")
    assert extract(outcome).inventory.unread == {"picture": 1}


@pytest.mark.parametrize(
    "name",
    ["a b.md", "50%.md", "c#?.md", '"quoted".md', "🎉.md", "日本.md", "x" * 150 + ".md", "a\\b.md"],
)
async def test_odd_names_of_attachments_are_read(
    client: imaplib.IMAP4, connector: ImapConnector, name: str
) -> None:
    """In the forms that RFC 2231 has for them."""
    message = mail("Odd")
    message.add_attachment(b"text", "text", "markdown", filename=name)
    put(client, message)
    follower = await Follower().sync(connector)
    (entry,) = [one for one in follower.entries.values() if "SECTION" in one.url]
    outcome = await connector.read(entry, 1_000)
    assert isinstance(outcome, RawDocument)
    assert outcome.name.replace('"', "") == name.replace('"', "")


async def test_new_deleted_and_moved_mails_are_noticed(
    client: imaplib.IMAP4, dovecot: Dovecot, user: str
) -> None:
    """A mail that is moved is another one there; attachments go with their mails."""
    client.create("Archive")
    connector = opened(dovecot.port, user, folders=["INBOX", "Archive"])
    for number in range(4):
        message = mail(f"Mail {number}")
        message.add_attachment(b"text", "text", "plain", filename="a.txt")
        put(client, message)
    follower = await Follower().sync(connector)
    assert len(follower.entries) == 8
    client.noop()
    delete(client, 1)
    client.uid("MOVE", "2", "Archive")
    put(client, mail("Mail 4"))
    await follower.sync(connector)
    assert sum(follower.portions) == 3
    assert len(follower.gone) == 4
    found = [one for one in await titles(follower, connector) if one != "a"]
    assert found == [f"Mail {number}" for number in range(1, 5)]
    await connector.aclose()


async def test_a_folder_that_stays_open_shows_what_came_and_went(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """Over one connection, with mails read in between."""
    follower = Follower()
    for number in range(3):
        put(client, mail(f"Mail {number}"))
        await follower.sync(connector)
        assert len(await titles(follower, connector)) == number + 1
    client.noop()
    delete(client, 2)
    await follower.sync(connector)
    assert await titles(follower, connector) == ["Mail 0", "Mail 2"]
    client.noop()
    delete(client, 1)
    put(client, mail("Mail 3"))
    await follower.sync(connector)
    assert await titles(follower, connector) == ["Mail 2", "Mail 3"]


async def test_a_mail_that_is_deleted_while_the_folder_is_open_is_gone(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """Between listing and reading."""
    put(client, mail("One"))
    follower = await Follower().sync(connector)
    client.noop()
    delete(client, 1)
    for _ in range(2):
        (entry,) = follower.entries.values()
        outcome = await connector.read(entry, 1_000)
    assert isinstance(outcome, Unreadable)
    assert outcome.is_gone


async def test_an_unchanged_mailbox_costs_one_question(
    client: imaplib.IMAP4, connector: ImapConnector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is not even opened."""
    put(client, mail("One"))
    follower = await Follower().sync(connector)
    await follower.sync(connector)
    monkeypatch.setattr(connector._session, "uids", None)
    await follower.sync(connector)
    assert len(follower.entries) == 1


@pytest.mark.parametrize("dies_after", [1, 2, 3])
async def test_a_listing_that_is_killed_goes_on_behind_its_last_mail(
    client: imaplib.IMAP4,
    connector: ImapConnector,
    monkeypatch: pytest.MonkeyPatch,
    dies_after: int,
) -> None:
    """Mails that were deleted meanwhile are gone, and new ones are there."""
    monkeypatch.setattr(imap, "_PORTION", 3)
    for number in range(10):
        put(client, mail(f"Mail {number}"))
    follower = await Follower().sync(connector, dies_after=dies_after)
    listed = len(follower.entries)
    assert 0 < listed < 10
    client.noop()
    delete(client, 1)
    delete(client, 10)
    put(client, mail("Mail 10"))
    follower.named = None
    await follower.sync(connector)
    assert sum(follower.portions) == 10 - listed
    assert await titles(follower, connector) == sorted(f"Mail {n}" for n in (*range(1, 9), 10))


async def test_a_folder_that_was_made_again_is_listed_anew(
    client: imaplib.IMAP4, dovecot: Dovecot, user: str
) -> None:
    """Its mails have the numbers of others."""
    client.create("Box")
    put(client, mail("Old"), "Box")
    connector = opened(dovecot.port, user, folders=["Box"])
    follower = await Follower().sync(connector)
    (old,) = follower.entries.values()
    await connector.aclose()  # Dovecot cannot tell the folders apart if one is open
    client.delete("Box")
    client.create("Box")
    put(client, mail("New"), "Box")
    outcome = await connector.read(old, 1_000)
    assert isinstance(outcome, Unreadable)
    assert outcome.is_gone
    await follower.sync(connector)
    assert await titles(follower, connector) == ["New"]
    await connector.aclose()


async def test_folders_that_are_not_asked_for_any_more_are_gone(
    client: imaplib.IMAP4, dovecot: Dovecot, user: str
) -> None:
    """Names of folders are any text."""
    client.create('"&ZeVnLA- 50%#"')
    put(client, mail("There"), '"&ZeVnLA- 50%#"')
    put(client, mail("Here"))
    both = opened(dovecot.port, user, folders=["INBOX", "日本 50%#"])
    follower = await Follower().sync(both)
    assert await titles(follower, both) == ["Here", "There"]
    await both.aclose()
    one = opened(dovecot.port, user)
    await follower.sync(one)
    assert await titles(follower, one) == ["Here"]
    await one.aclose()


async def test_mails_with_the_same_message_id_are_several(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """Nobody can replace a mail by sending another with its id."""
    for subject in ("Real", "Forged"):
        put(client, mail(subject, **{"Message-ID": "<one@example.org>"}))
    follower = await Follower().sync(connector)
    assert await titles(follower, connector) == ["Forged", "Real"]


async def test_what_is_too_large_is_refused_by_its_size(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """The text of a mail with a large attachment is read all the same."""
    message = mail("Large")
    message.add_attachment(bytes(300_000), "text", "plain", filename="a.txt")
    put(client, message)
    follower = await Follower().sync(connector)
    outcomes = [await connector.read(one, 100_000) for one in follower.entries.values()]
    text, attached = sorted(outcomes, key=lambda one: isinstance(one, Unreadable))
    assert isinstance(text, RawDocument)
    assert isinstance(attached, Unreadable)
    assert "has 0.4 MB, and at most 0.1 MB are read" in attached.reason


async def test_mails_that_are_malformed_on_purpose_stop_no_other(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """Thousands of parts, parts within parts, and headers without end."""
    head = b"Subject: %b\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    many = b'--b\r\nContent-Type: text/plain; name="a.txt"\r\n\r\nx\r\n' * 9_000
    put(client, head % b"many" + many)
    deep = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (n, n + 1)
        for n in range(90)
    )
    put(client, (head % b"deep").replace(b"=b\r", b"=b0\r") + deep)
    put(client, b"Subject: " + b"=?utf-8?q?" * 20_000 + b"\r\n\r\nlong")
    put(client, mail("Fine"))
    follower = await Follower().sync(connector)
    assert len(follower.entries) < 60
    follower.entries = {key: one for key, one in follower.entries.items() if "/" not in key}
    assert "Fine" in await titles(follower, connector)


async def test_a_password_that_is_not_valid_any_more_is_named(
    client: imaplib.IMAP4, dovecot: Dovecot, user: str
) -> None:
    """For listing, reading and the check; with what to do."""
    put(client, mail("One"))
    connector = opened(dovecot.port, user)
    follower = await Follower().sync(connector)
    (entry,) = follower.entries.values()
    await connector.aclose()
    connector._session.secret = "revoked"
    follower.cursor = ""
    for asked in (follower.sync(connector), connector.read(entry, 1_000), connector.check()):
        with pytest.raises(ConnectorError, match="Authentication failed") as refused:
            await asked
        assert refused.value.is_refused
        assert "app password" in refused.value.hint


async def test_a_missing_folder_is_named(dovecot: Dovecot, user: str) -> None:
    """Its mails stay until the operator says what is meant."""
    connector = opened(dovecot.port, user, folders=["Nowhere"])
    with pytest.raises(ConnectorError, match="the folder Nowhere cannot be opened") as refused:
        await Follower().sync(connector)
    assert refused.value.is_refused
    await connector.aclose()


async def test_a_connection_that_was_closed_meanwhile_is_opened_again(
    client: imaplib.IMAP4, connector: ImapConnector
) -> None:
    """Servers close what is idle for half an hour."""
    put(client, mail("One"))
    follower = await Follower().sync(connector)
    session = connector._session
    assert session._mailbox is not None
    session._mailbox.client.sock.close()
    assert await titles(follower, connector) == ["One"]


@asynccontextmanager
async def strange_server(answers: Sequence[bytes]) -> AsyncIterator[int]:
    """The port of a server that answers each command so, with its tag before the last line."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answers[0])
        for answer in answers[1:]:
            line = await reader.readline()
            if b"AUTHENTICATE" in line:
                writer.write(b"+\r\n")
                await reader.readline()
            writer.write(answer.replace(b"TAG", line.partition(b" ")[0]))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


CAPABLE = b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\nTAG OK done\r\n"


@pytest.mark.parametrize(
    ("answers", "words", "is_refused"),
    [
        ([b"* BYE too many connections\r\n"], "too many connections", False),
        ([b"HTTP/1.1 400 Bad Request\r\n"], "127.0.0.1", False),
        ([b"* OK hello\r\n", CAPABLE, b"TAG NO [UNAVAILABLE] later\r\n"], "later", False),
        ([b"* OK hello\r\n", CAPABLE, b"TAG NO [LIMIT] too often\r\n"], "too often", False),
        ([b"* OK hello\r\n", CAPABLE, b"TAG NO [EXPIRED] expired\r\n"], "expired", True),
        ([b"* OK hello\r\n", CAPABLE, b"TAG OK in\r\n", b"* BYE\r\n"], "127.0.0.1", False),
    ],
)
async def test_servers_that_break_off_or_refuse_are_told_apart(
    answers: Sequence[bytes], words: str, *, is_refused: bool
) -> None:
    """A trouble that passes by itself, and one that only the operator can mend."""
    async with strange_server(answers) as port:
        connector = opened(port, "anna")
        with pytest.raises(ConnectorError, match=words) as failed:
            await asyncio.wait_for(Follower().sync(connector), 30)
        await connector.aclose()
    assert failed.value.is_refused is is_refused


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate that its owner signed, and its key."""
    command = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=x"
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "cert", tmp_path / "key"


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_a_certificate_that_nobody_trusts_is_refused(
    certificate: tuple[Path, Path], security: str
) -> None:
    """Before the password is sent."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK [CAPABILITY IMAP4rev1 STARTTLS] hello\r\n")
        for answer in (b"* CAPABILITY IMAP4rev1 STARTTLS\r\n%b OK done\r\n", b"%b OK go\r\n"):
            tag = (await reader.readline()).partition(b" ")[0]
            writer.write(answer % tag)
        with suppress(OSError):
            await writer.start_tls(context)
        writer.close()

    given = context if security == "tls" else None
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=given)
    async with server:
        connector = opened(server.sockets[0].getsockname()[1], "anna", security=security)
        with pytest.raises(ConnectorError, match="certificate is not trusted") as refused:
            await asyncio.wait_for(connector.check(), 30)
        await connector.aclose()
    assert refused.value.is_refused


def test_a_mailbox_is_somebodys() -> None:
    """Without its reader there is no connection."""
    for wrong in ({}, {"reader": 0}, {"reader": "everybody"}, {"reader": 1, "host": "a/b"}):
        with pytest.raises(ValidationError):
            ImapConfig.model_validate({"host": "h", "user": "anna", **wrong})
