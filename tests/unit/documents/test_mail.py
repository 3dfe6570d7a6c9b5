"""Mails, mailboxes and saved pages, read as the people see them who open them."""

import io
import time
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image

from rich_agent.documents.extract.containers import (
    Container,
    InnerFile,
    Unpacking,
    read_container,
)
from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import MediaType
from tests.unit.documents.documents import Pdf, Words, archive, xlsx

_CASES = Path(__file__).parents[2] / "cases" / "readers"


def of(data: bytes | EmailMessage, media_type: MediaType = "message/rfc822") -> Extracted:
    """The content that is extracted from a mail."""
    content = data if isinstance(data, bytes) else data.as_bytes()
    return extract(RawDocument("file:///mail.eml", content, media_type))


def mail(text: str = "See the file.", subject: str = "Offer", **fields: str) -> EmailMessage:
    """A mail with this text."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = (
        "Ann <ann@x.example>",
        "bob@x.example",
        subject,
    )
    for name, value in fields.items():
        message[name] = value
    message.set_content(text)
    return message


def counts(document: Extracted) -> dict[str, tuple[int, int]]:
    """The parts that were counted: held and read, by kind."""
    return {part.kind: (part.held, part.read) for part in document.inventory.parts}


def under(document: Extracted, *path: str) -> str:
    """The text under a heading path."""
    return "\n".join(
        block.text for part in document.sections if part.path == path for block in part.blocks
    )


def png(width: int, height: int) -> bytes:
    """A picture of this size."""
    target = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(target, "PNG")
    return target.getvalue()


def test_encoded_mail_has_its_sender_subject_and_text() -> None:
    """Neither base64 nor encoded words are left."""
    found = of((_CASES / "mail_base64.eml").read_bytes())
    assert found.title == "Angebot für die Pumpe"
    assert "From: a@example.org" in found.text
    assert "Die Pumpe kostet 640 Euro und wird am Freitag geliefert." in found.text
    assert "RGll" not in found.text


def test_folded_header_keeps_its_spaces() -> None:
    """A word in ASCII on the next line is a word of its own."""
    found = of(b"Subject: =?utf-8?b?UHLDvGZ1bmc=?=\n 2026\n\nText")
    assert found.title == "Prüfung 2026"


def test_attachments_are_read_by_the_readers_of_their_types() -> None:
    """Each stands under its name; pages of a PDF file are named; a picture counts as not read."""
    message = mail()
    pdf = Pdf([[Words("The pump costs 640 euros.", 700)], [Words("It weighs 12 kg.", 700)]]).data()
    message.add_attachment(pdf, "application", "pdf", filename="Angebot für Anna.pdf")
    message.add_attachment(
        xlsx({"Prices": {"A1": "Item", "B1": "Price", "A2": "Pump", "B2": "640"}}),
        "application",
        "octet-stream",
        filename="prices.xlsx",
    )
    message.add_attachment(b"# Terms\n\nNet 30.", "text", "markdown", filename="terms.md")
    message.add_attachment(png(400, 300), "image", "png", filename="photo.png")
    found = of(message)
    names = "Attachments: Angebot für Anna.pdf, prices.xlsx, terms.md, photo.png"
    assert names in under(found)
    assert under(found, "Angebot für Anna.pdf", "p. 2") == "It weighs 12 kg."
    assert "640" in under(found, "prices.xlsx", "Prices")
    assert under(found, "terms.md", "Terms") == "Net 30."
    assert counts(found) == {"attachment": (4, 3)}


def test_mails_within_mails_are_read_with_their_attachments() -> None:
    """A forwarded mail is an attachment with the subject as its name."""
    inner = mail("The inner text.", "First question")
    inner.add_attachment(b"deep fact", "text", "plain", filename="deep.txt")
    outer = mail("Please look at this.", "Fwd")
    outer.add_attachment(inner)
    found = of(outer)
    assert "The inner text." in under(found, "First question.eml")
    assert under(found, "First question.eml", "deep.txt") == "deep fact"
    assert counts(found) == {"attachment": (2, 2)}


def test_page_of_a_mail_is_read_without_what_it_hides() -> None:
    """The richest form is read once; without words in the page, the plain text is."""
    message = mail("plain form")
    message.add_alternative(
        "<p style='display:none'>preview</p><p>The page.</p><blockquote>Is it ready?</blockquote>",
        subtype="html",
    )
    found = of(message)
    assert "The page." in found.text
    assert "> Is it ready?" in found.text
    assert "preview" not in found.text
    assert "plain form" not in found.text
    bare = mail("plain form")
    bare.add_alternative("<div><br></div>", subtype="html")
    assert "plain form" in of(bare).text


def test_pictures_in_a_mail_count_if_they_are_seen() -> None:
    """Trackers, small icons, pictures that nothing shows and pictures elsewhere do not."""
    message = mail("plain")
    message.add_alternative(
        '<p>Look:</p><img src="cid:big"><img src="cid:dot">'
        '<img src="cid:icon" width="20" height="20">'
        '<img src="https://x.example/remote.png">',
        subtype="html",
    )
    _, body = message.iter_parts()
    for name, size in (("big", 300), ("dot", 1), ("icon", 300), ("unused", 300)):
        body.add_related(png(size, size), "image", "png", cid=f"<{name}>", filename=f"{name}.png")
    assert counts(of(message)) == {"picture": (1, 0)}


def test_flowed_text_has_whole_paragraphs_and_keeps_quotes_and_signatures() -> None:
    """Lines that the sender's program broke are joined, others are not (RFC 3676)."""
    raw = (
        b"Subject: Flow\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n"
        b"The pump costs \n640 euros.\nNew line.\n> a question \n> over two lines\n> another\n"
        b" From space\n-- \nAnn\n"
    )
    assert of(raw).text.splitlines() == [
        "The pump costs 640 euros.",
        "New line.",
        "> a question over two lines",
        "> another",
        "From space",
        "-- ",
        "Ann",
    ]


def test_invitation_tells_when_and_where() -> None:
    """Its text is what a calendar shows, not the code; alarms do not count."""
    calendar = (
        "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VTIMEZONE\r\nDTSTART:19700101T000000\r\n"
        "END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Review\\, second part\r\n"
        "DTSTART;TZID=Europe/Berlin:20261201T093000\r\nDTEND:20261201T093000Z\r\n"
        'LOCATION:Room\r\n  4\r\nORGANIZER;CN="Ann: A":mailto:ann@x.example\r\n'
        "BEGIN:VALARM\r\nDESCRIPTION:Beep\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    message = mail("You are invited.")
    message.add_alternative(calendar, subtype="calendar")
    found = of(message).text
    for line in (
        "You are invited.",
        "Review, second part",
        "Start: 2026-12-01 09:30 Europe/Berlin",
        "End: 2026-12-01 09:30 UTC",
        "Location: Room 4",
        "Organizer: Ann: A <ann@x.example>",
    ):
        assert line in found
    assert "Beep" not in found
    assert "UID" not in found


@pytest.mark.parametrize(
    ("raw", "title", "text"),
    [
        (b"Subject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?=\n\nx", "日本", "x"),
        (b"Subject: =?gb2312?B?xOO6ww==?=\nFrom: a@b\n\nhello", "你好", "hello"),
        (b"Subject: raw \xc3\xa9\n\nplain \xe9 text", "raw é", "plain é text"),
        (b"Subject: =?none?q?a?=\n\nx", "a", "x"),
        (b"Subject: x\nContent-Type: text/plain; charset=cp1251\n\n\xcf\xf0\xe8", "x", "При"),
        (b"Subject: q\nContent-Transfer-Encoding: quoted-printable\n\n6=\n40 =24", "q", "640 $"),
    ],
)
def test_charsets_of_mails_are_decoded(raw: bytes, title: str, text: str) -> None:
    """In headers and texts, named or not."""
    found = of(raw)
    assert found.title == title
    assert text in found.text


def test_wrong_boundary_does_not_hide_the_parts() -> None:
    """The boundary that stands in the text counts if that of the header does not."""
    raw = (
        b"Subject: Lost\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=wrong\n\n"
        b"--right\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
        b"VGhlIHRleHQu\n--right\nContent-Type: text/plain; name=a.txt\n\nattached\n--right--\n"
    )
    found = of(raw)
    assert "The text." in found.text
    assert under(found, "a.txt") == "attached"


def test_sealed_mail_is_refused_as_encrypted() -> None:
    """Its content is told to be protected, not to be damaged."""
    raw = b"Subject: s\nContent-Type: application/pkcs7-mime; name=smime.p7m\n\nMIIB"
    with pytest.raises(ExtractionError) as refused:
        of(raw)
    assert refused.value.kind == "encrypted"


def test_mailbox_is_read_mail_by_mail() -> None:
    """Each mail stands under its number and its subject; a line in a text begins no mail."""
    first = b"From ann@x.example Fri Nov 27 2026\nSubject: One\n\nFrom here on\n\nFrom afar.\n"
    second = b"From bob@x.example Fri Nov 27 11:00:00 2026\nSubject: Two\n\nsecond\n"
    found = of(first + b"\n" + second, "application/mbox")
    assert "From afar." in under(found, "1.eml", "One")
    assert "second" in under(found, "2.eml", "Two")
    assert counts(found) == {"file": (2, 2)}


_SAVED = (
    b"From: <Saved by Blink>\nSnapshot-Content-Location: https://x.example/a\nSubject: T\n"
    b'MIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary="b"\n\n'
    b"--b\nContent-Type: text/html; charset=iso-8859-1\nContent-ID: <frame-1>\n"
    b"Content-Transfer-Encoding: quoted-printable\nContent-Location: https://x.example/a\n\n"
    b"<html><head><title>Prices</title></head><body><nav>Home</nav><main><h1>Prices</h1>"
    b"<p>The pump costs 6=\n40 euros in Z=FCrich.</p>"
    b'<iframe src=3D"cid:frame-2"></iframe></main></body></html>\n'
    b"--b\nContent-Type: text/html\nContent-ID: <frame-2>\n\n<p>The lamp costs 20.</p>\n"
    b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--\n"
)


def test_saved_page_is_read_like_the_page() -> None:
    """Its content with its frames, without the menus; its address is not taken as its own."""
    found = of(_SAVED, "multipart/related")
    assert found.title == "Prices"
    assert "The pump costs 640 euros in Zürich." in found.text
    assert "The lamp costs 20." in found.text
    assert "Home" not in found.text
    assert found.canonical_url == ""
    assert of(_SAVED).text == found.text


def test_zip_is_read_file_by_file() -> None:
    """Each file stands under its path; what cannot be read is counted, system files are not."""
    found = of(
        archive(
            {
                "handbook/returns.md": "# Returns\n\nWithin 14 days.",
                "handbook/prices.csv": "item,price\npump,640\n",
                "handbook/photo.png": png(300, 300),
                "handbook/empty.txt": "",
                "__MACOSX/handbook/._returns.md": "x",
                "handbook/.DS_Store": "x",
            }
        ),
        "application/zip",
    )
    assert under(found, "handbook/returns.md", "Returns") == "Within 14 days."
    assert "640" in under(found, "handbook/prices.csv")
    assert counts(found) == {"file": (3, 2)}


def test_zip_with_nothing_to_read_is_refused_for_its_reason() -> None:
    """A password is told as such."""
    data = bytearray(archive({"a.txt": "secret"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    with pytest.raises(ExtractionError) as refused:
        of(bytes(data), "application/zip")
    assert refused.value.kind == "encrypted"
    with pytest.raises(ExtractionError):
        of(archive({"a.png": png(9, 9)}), "application/zip")


def test_many_files_are_read_up_to_the_limit_and_told() -> None:
    """The first 200 of a mail or an archive are read, the others counted."""
    files = {f"{number:04}.txt": f"fact {number}" for number in range(260)}
    found = of(archive(files), "application/zip")
    assert counts(found) == {"file": (260, 200)}
    part = b"--b\nContent-Type: text/plain; name=a.txt\n\nx\n"
    head = b"Subject: many\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    held, read = counts(of(head + part * 300))["attachment"]
    assert (held, read) == (300, 200)


def test_attachment_that_takes_too_much_memory_leaves_the_rest_of_the_mail() -> None:
    """It is counted as not read."""

    def read(raw: RawDocument) -> Extracted:
        if raw.name == "big.csv":
            raise MemoryError
        return extract(raw)

    files = [InnerFile(name, "text/csv", lambda: b"a,b\n1,2") for name in ("big.csv", "small.csv")]
    own = Extracted("Mail", "The text.", ())
    found = read_container(Container(own, files, "attachment"), Unpacking(), read)
    assert found.inventory.unread == {"attachment": 1}
    assert [part.path for part in found.sections] == [("small.csv",)]


def test_files_within_files_end_at_a_depth() -> None:
    """Forty archives or mails in each other are no more than a few."""
    data: bytes = archive({"fact.txt": "the fact"})
    for _ in range(40):
        data = archive({"inner.zip": data})
    with pytest.raises(ExtractionError):
        of(data, "application/zip")
    message = mail("innermost", "0")
    for level in range(1, 40):
        outer = mail(f"level {level}", str(level))
        outer.add_attachment(message)
        message = outer
    found = of(message)
    assert "level 39" in found.text
    assert "innermost" not in found.text
    assert counts(found)["attachment"][1] < 10


@pytest.mark.costs("it reads megabytes of hostile mails")
@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: " + b"=?utf-8?q?" * 200_000 + b"\n\nlong",
        b"X-A: b\n" * 50_000 + b"\n\nmany",
        b"Subject: a\nContent-Type: text/plain; " + b"a=b;" * 100_000 + b"\n\nx",
        b"Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 20_000,
        b"Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--c\nContent-" * 100_000,
        b"Subject: a\nContent-Type: text/plain; format=flowed\n\n" + b"> a \n" * 100_000,
    ],
)
def test_grown_mails_take_time_in_proportion(raw: bytes) -> None:
    """A megabyte of headers, parameters or boundaries ends within seconds."""
    started = time.process_time()
    with suppress(ExtractionError):
        of(raw)
    assert time.process_time() - started < 5
