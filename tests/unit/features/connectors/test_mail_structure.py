"""Descriptions of mails as IMAP servers send them, well-formed and not."""

import pytest

from rich_agent.documents.extract.mail import read_mail
from rich_agent.features.connectors.imap.mail_message import decode_part, text_message
from rich_agent.features.connectors.imap.mail_structure import (
    MailPart,
    fields_of,
    parse_responses,
    parts_of,
    picture_parts,
    text_parts,
)

TEXT = b'("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 12 1 NIL NIL NIL NIL)'
FILE = (
    b'("APPLICATION" "PDF" ("NAME" "old.pdf") NIL NIL "BASE64" 4000 NIL '
    b'("ATTACHMENT" ("FILENAME" "a (1) \\"b\\".pdf")) NIL NIL)'
)
ENDS = pytest.mark.timeout(60)
"""Work that grows as the square of a million characters would take hours."""


def parts(structure: bytes) -> list[MailPart]:
    """The parts of a mail that is described so."""
    (response,) = parse_responses([b"1 (UID 7 BODYSTRUCTURE " + structure + b")"])
    assert fields_of(response)["UID"] == "7"
    return parts_of(fields_of(response)["BODYSTRUCTURE"])


def test_parts_have_their_section_numbers() -> None:
    """Parts within parts are numbered by their way; a mail of one part is part 1."""
    assert [one.section for one in parts(TEXT)] == ["1"]
    nested = b"((" + TEXT + TEXT + b' "ALTERNATIVE" NIL)' + FILE + b' "MIXED" ("BOUNDARY" "x"))'
    found = parts(nested)
    assert [one.section for one in found] == ["1.1", "1.2", "2"]
    assert (found[2].name, found[2].media_type, found[2].size_bytes) == (
        'a (1) "b".pdf',
        "application/pdf",
        4000,
    )
    assert [one.section for one in text_parts(found)] == ["1.1", "1.2"]


def test_names_may_come_as_literals() -> None:
    """Servers send so what quotes cannot hold; a parenthesis in it is no structure."""
    data = [
        (b'3 (UID 9 BODYSTRUCTURE ("TEXT" "CSV" ("NAME" {6}', b"a).csv"),
        b') NIL NIL "8BIT" 5 1 NIL ("ATTACHMENT" NIL)))',
    ]
    (response,) = parse_responses(data)
    (part,) = parts_of(fields_of(response)["BODYSTRUCTURE"])
    assert (part.name, part.is_attachment) == ("a).csv", True)


@pytest.mark.parametrize(
    "structure",
    [
        b"()",
        b"NIL",
        b'("TEXT")',
        b'("TEXT" "PLAIN" NIL NIL NIL NIL "many" 1)',
        b"((((()))))",
        b'"TEXT"',
    ],
)
def test_structures_without_sense_have_no_parts(structure: bytes) -> None:
    """They stop nothing."""
    assert parts(structure) == []


def test_text_of_a_mail_is_written_with_its_forms_and_pictures() -> None:
    """Each form has all its parts, also where other parts of the form stood between them."""
    page = b'("TEXT" "HTML" ("CHARSET" "utf-8") NIL NIL "7BIT" 12 1 NIL NIL NIL NIL)'
    image = b'("IMAGE" "PNG" NIL "<a@b>" NIL "BASE64" 80 NIL NIL NIL)'
    related = b"(" + page + FILE + page + image + b' "RELATED" NIL)'
    found = parts(b"((" + TEXT + related + b' "ALTERNATIVE" NIL)' + TEXT + b' "MIXED" NIL)')
    shown = [part for part in found if part in text_parts(found) + picture_parts(found)]
    contents = {
        part.section: f"<p>part {part.section}</p>".encode() if "html" in part.media else b"plain"
        for part in shown
    }
    message = text_message(b"Subject: a\r\nX-Spam: 1\r\nFrom: b\r\n\r\n", shown, contents)
    mail = read_mail(message)
    assert (mail.subject, mail.head) == ("a", ["From: b"])
    assert [text.text.strip() for text in mail.texts] == [
        "<p>part 1.2.1</p>",
        "<p>part 1.2.3</p>",
        "plain",
    ]
    assert not mail.attachments


def test_parameters_of_a_part_write_no_other_fields() -> None:
    """A server, or the sender of a mail, cannot end the field."""
    structure = b'("TEXT" "PLAIN" ("CHARSET" "x\r\nTo: y") NIL NIL "7BIT" 5 1)'
    (part,) = parts(structure)
    assert b"\nTo" not in text_message(b"", [part], {part.section: b"text"})


@pytest.mark.parametrize(
    ("encoding", "content", "data"),
    [
        ("base64", b"YWJj", b"abc"),
        ("base64", b"YW\r\nJj", b"abc"),
        ("quoted-printable", b"50=25", b"50%"),
        ("8bit", b"\xe9", b"\xe9"),
    ],
)
def test_content_of_a_part_is_decoded(encoding: str, content: bytes, data: bytes) -> None:
    """In each encoding that mails have."""
    assert decode_part(MailPart("1", "text/plain", encoding, 4), content) == data


@ENDS
@pytest.mark.costs("it reads megabytes of descriptions")
@pytest.mark.parametrize(
    "data",
    [
        b"(" * 1_000_000,
        b")" * 1_000_000,
        b'"' * 1_000_001,
        b'"' + b"\\" * 1_000_001,
        b'"' + b'\\"' * 500_000,
        b"1 (UID 1 BODYSTRUCTURE " + b"(" * 200_000 + b")" * 200_000 + b")",
        b"1 (UID 1 BODYSTRUCTURE (" + TEXT * 10_000 + b' "MIXED"))',
        b"{1}" * 300_000,
    ],
)
def test_grown_descriptions_are_read_to_their_end(data: bytes) -> None:
    """A million characters are no more than that much work, and no stack runs over."""
    for response in parse_responses([data]):
        assert len(parts_of(fields_of(response).get("BODYSTRUCTURE"))) <= 50
