"""reStructuredText, also that of Sphinx: its words, and nothing of its machinery."""

import pytest

from rich_agent.documents.extract.extraction import Extracted, extract
from rich_agent.documents.fetch.outcomes import RawDocument


def of(text: str) -> Extracted:
    """The content that is extracted from a document."""
    return extract(RawDocument("https://example.com/a.rst", text.encode(), "text/x-rst"))


@pytest.mark.req("RAG-3")
def test_rst_has_the_sections_and_anchors_of_its_page() -> None:
    """As docutils and Sphinx make them."""
    found = of("Title\n=====\n\nLead.\n\nA part\n------\n\nText.\n\n::\n\n    code\n")
    assert found.title == "Title"
    assert [(part.path, part.anchor) for part in found.sections] == [
        (("Title",), "title"),
        (("Title", "A part"), "a-part"),
    ]
    assert [block.text for block in found.sections[1].blocks] == ["Text.", "```\ncode\n```"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (":func:`~a.b.run` and :class:`C <a.C>`", "`run` and `C`"),
        (":ref:`some words <label>`, :doc:`guide`", "some words, guide"),
        (":py:meth:`!stop` of :class:`.Session`", "`stop` of `Session`"),
        ("``x_y`` and *stress*", "`x_y` and *stress*"),
        ("A bad reference_.", "A bad reference_."),
        ("A |version| of it", "A |version| of it"),
    ],
)
def test_rst_roles_keep_their_words(source: str, text: str) -> None:
    """Also those that only Sphinx knows, and what is broken."""
    assert of(source).text == text


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        (".. code-block:: python\n   :emphasize-lines: 1\n\n   x = 1\n", ["```\nx = 1\n```"]),
        (".. versionadded:: 3.1\n   It *is*.\n", ["New in version 3.1 It *is*."]),
        (".. unknown:: Some title\n   :option: 1\n\n   Content.\n", ["Some title", "Content."]),
        (".. figure:: a.png\n\n   A caption.\n", ["A caption."]),
        (".. only:: html\n\n   Content.\n", ["Content."]),
        (".. math::\n   :label: eq\n\n   a + b\n", ["```\na + b\n```"]),
    ],
)
def test_rst_directives_keep_their_content(source: str, blocks: list[str]) -> None:
    """Whatever options they have."""
    assert [block.text for block in of(source).sections[0].blocks] == blocks


@pytest.mark.parametrize(
    "silent",
    [
        ".. toctree::\n   :maxdepth: 2\n\n   secret\n",
        ".. include:: /etc/passwd\n",
        ".. literalinclude:: /etc/passwd\n",
        ".. raw:: html\n\n   <p>secret</p>\n",
        ".. csv-table::\n   :file: /etc/passwd\n",
        ".. image:: secret.png\n   :alt: secret\n",
        ".. index:: secret\n",
        ".. automodule:: secret\n",
        ".. a comment: secret\n",
        ".. |sub| replace:: secret\n",
        ".. currentmodule:: secret\n",
    ],
)
def test_rst_reads_no_file_and_shows_no_machinery(silent: str) -> None:
    """Neither what it leads to, nor a complaint of docutils."""
    assert of(f"Before.\n\n{silent}\nAfter.\n").text == "Before.\n\nAfter."


@pytest.mark.req("RAG-3")
def test_rst_documented_objects_are_sections() -> None:
    """As on the page that Sphinx makes of them."""
    found = of(
        "Title\n=====\n\n.. function:: os.open(path, \\\n                     mode)\n   :async:\n\n"
        "   Opens.\n\n.. class:: C\n\n   Is.\n\n   .. method:: f()\n\n      Does.\n"
    )
    assert [(part.path, [block.text for block in part.blocks]) for part in found.sections] == [
        (("Title", "os.open()"), ["```\nos.open(path, mode)\n```", "Opens."]),
        (("Title", "C"), ["Is."]),
        (("Title", "C", "f()"), ["Does."]),
    ]


def test_rst_fields_at_the_top_are_no_text() -> None:
    """They are read by Sphinx; others, further down, are text."""
    found = of(":orphan:\n:author: secret\n\nTitle\n=====\n\nText.\n\n:field: said\n")
    assert found.title == "Title"
    assert "secret" not in found.text
    assert "said" in found.text
