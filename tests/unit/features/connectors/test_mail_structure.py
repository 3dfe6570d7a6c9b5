"""Descriptions of mails as IMAP servers send them, well-formed and not."""

import pytest

from rich_agent.features.connectors.imap.mail_structure import (
    MailPart,
    fields_of,
    in_words,
    parse_responses,
    parts_of,
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        ("Grüße".encode().decode("latin-1"), "Grüße"),
        ("=?none?q?a?=", "=?none?q?a?="),
        ("two\r\n lines", "two lines"),
    ],
)
def test_headers_are_read_in_words(text: str, words: str) -> None:
    """A word that cannot be decoded stays as it is."""
    assert in_words(text) == words


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


@ENDS
@pytest.mark.parametrize("text", ["=?" * 100_000, "=?utf-8?q?" * 100_000, "=?a?b?=" * 100_000])
def test_grown_headers_are_cut(text: str) -> None:
    """Only their beginning is read."""
    assert len(in_words(text)) <= 500
