"""Mails that Outlook saved: the same as any other mail."""

import pytest

from rich_agent.documents.extract.extraction import Extracted, ExtractionError, extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import sniff_type
from tests.unit.documents.documents import Pdf, Words
from tests.unit.documents.outlook_files import compound_file, outlook_mail


def of(data: bytes) -> Extracted:
    """The content that is extracted from the file."""
    return extract(RawDocument("file:///mail.msg", data, "application/vnd.ms-outlook"))


def test_outlook_mail_has_its_people_date_text_and_files() -> None:
    """Names, the time of sending, the text, and an attachment by the reader of its type."""
    pdf = Pdf([[Words("The pump costs 640 euros.", 700)]]).data()
    streams = outlook_mail(
        *("Angebot für die Pumpe", "Grüße,\r\nAnna"),
        attachments={"Angebot.pdf": pdf, "logo.bin": bytes(300)},
        texts={"0c1a": "Anna Berg", "5d01": "anna@x.example", "0e04": "Bob; Carl", "0e03": "Dora"},
    )
    found = of(compound_file(streams))
    assert found.title == "Angebot für die Pumpe"
    assert found.sections[0].blocks[0].text == (
        "From: Anna Berg <anna@x.example>\nTo: Bob; Carl\nCc: Dora\nDate: 2026-11-26 16:00 UTC\n"
        "Attachments: Angebot.pdf, logo.bin"
    )
    assert "Grüße,\nAnna" in found.text
    assert "640 euros" in found.sections[1].blocks[0].text
    assert found.sections[1].path[:2] == ("Angebot.pdf", "p. 1")
    assert found.inventory.to_json() == {"attachment": [2, 1]}


def test_outlook_mail_is_read_by_its_page_and_the_headers_of_its_way() -> None:
    """The page in its own charset; the headers say more than the names."""
    streams = outlook_mail(
        *("Page", "plain"),
        html="<p>Gr\u00fc\u00dfe <b>640</b></p>".encode("cp1252"),
        texts={"007d": "From: Anna <a@x.example>\r\nDate: Fri, 27 Nov 2026 10:00:00 +0100\r\n"},
    )
    text = of(compound_file(streams)).text
    assert "Grüße **640**" in text
    assert "From: Anna <a@x.example>" in text
    assert "Date: Fri, 27 Nov 2026 10:00:00 +0100" in text
    assert "plain" not in text


def test_mail_within_an_outlook_mail_is_read() -> None:
    """With its own attachments."""
    inner = outlook_mail("Inner", "the inner text", attachments={"a.txt": b"inner fact"})
    found = of(compound_file(outlook_mail("Outer", "see below", attachments={"x": inner})))
    assert "the inner text" in found.text
    assert [part.path for part in found.sections][1:] == [
        ("Inner.eml",),
        ("Inner.eml", "a.txt"),
    ]


@pytest.mark.parametrize("cut", [600, 1_100, 2_000])
def test_damaged_outlook_mail_is_refused(cut: int) -> None:
    """Cut off at any place."""
    data = compound_file(outlook_mail("Cut", "text" * 900))
    with pytest.raises(ExtractionError):
        of(data[:cut])


def test_outlook_mail_is_known_by_its_bytes() -> None:
    """Other files of this container are none."""
    assert sniff_type(compound_file(outlook_mail("A"))) == "application/vnd.ms-outlook"
    assert sniff_type(compound_file({"WordDocument": b"x"})) is None
