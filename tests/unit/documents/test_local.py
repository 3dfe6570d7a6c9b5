"""Local files by their addresses: what is listed can be read, and nothing else."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from rich_agent.documents.fetch.local import list_files, read_document
from rich_agent.documents.fetch.outcomes import RawDocument, Unreadable
from rich_agent.documents.source import make_source

MOST_BYTES = 1_000


def texts(root: Path) -> dict[str, str]:
    """Names and contents of files that are made below a folder."""
    made = {"b/c.md": "c", "a.txt": "a", "b/資 金#1?.md": "x", "b/100%41.md": "y"}
    for name, text in made.items():
        file = root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return made


@pytest.mark.req("RAG-1")
def test_listed_addresses_lead_back_to_their_files(tmp_path: Path) -> None:
    """Whatever characters a name holds, those that are no text at all included."""
    expected = sorted(texts(tmp_path).values())
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_text("z")
    for base_url in ("", "https://example.com/docs"):
        source = make_source(str(tmp_path), base_url=base_url)
        listing = list_files(source)
        outcomes = [read_document(source, url, MOST_BYTES) for url in listing.urls]
        read = [one.data.decode() for one in outcomes if isinstance(one, RawDocument)]
        assert sorted(read) == [*expected, "z"]
        assert all(url.isascii() for url in listing.urls)


def test_list_files_selects_by_the_path_below_the_folder(tmp_path: Path) -> None:
    """Patterns do not see where the folder lies."""
    texts(tmp_path)
    source = make_source(str(tmp_path), include=["b/*"], exclude=["100*"])
    listing = list_files(source)
    assert [url.rpartition("/")[2] for url in listing.urls] == [
        "c.md",
        "%E8%B3%87%20%E9%87%91%231%3F.md",
    ]
    assert (listing.is_complete, listing.skipped.total) == (True, 2)
    nothing = list_files(replace(source, include=("none/**",)))
    assert not nothing.is_complete
    assert nothing.problem.endswith("contains no document that matches")


def test_read_document_does_not_follow_a_linked_folder_out(tmp_path: Path) -> None:
    """Neither by a linked folder nor by one that took a folder's place after the listing."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "sub").mkdir(parents=True)
    outside.mkdir()
    (root / "sub" / "a.md").write_text("own")
    (outside / "a.md").write_text("secret")
    source = make_source(str(root))
    (url,) = list_files(source).urls
    (root / "sub" / "a.md").unlink()
    (root / "sub").rmdir()
    (root / "sub").symlink_to(outside)
    outcome = read_document(source, url, MOST_BYTES)
    assert outcome == Unreadable(url, "the file is a link that leads out of its folder")


def test_read_document_follows_links_within_the_folder(tmp_path: Path) -> None:
    """Also when the folder itself is reached by a link."""
    root = tmp_path / "root"
    (root / "v2").mkdir(parents=True)
    (root / "v2" / "a.md").write_text("own")
    (root / "latest.md").symlink_to("v2/a.md")
    (tmp_path / "link").symlink_to(root)
    source = replace(make_source(str(root)), root_url=(tmp_path / "link").as_uri())
    listing = list_files(source)
    assert len(listing.urls) == 2
    outcomes = [read_document(source, url, MOST_BYTES) for url in listing.urls]
    assert all(isinstance(one, RawDocument) and one.data == b"own" for one in outcomes)


def test_list_files_passes_over_links_that_lead_nowhere(tmp_path: Path) -> None:
    """A link to itself, to nothing, to a device: counted, not listed, and never opened."""
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "itself.md").symlink_to("itself.md")
    (tmp_path / "nothing.md").symlink_to("nowhere.md")
    (tmp_path / "device.md").symlink_to("/dev/zero")
    source = make_source(str(tmp_path))
    listing = list_files(source)
    assert (len(listing.urls), listing.skipped.total) == (1, 3)
    for name in ("itself", "device"):
        outcome = read_document(source, f"{tmp_path.as_uri()}/{name}.md", MOST_BYTES)
        assert isinstance(outcome, Unreadable)


@pytest.mark.parametrize(
    "place", ["/etc/passwd", "/%2E%2E/secret.md", "/sub/%2e%2e/%2e%2e/secret.md", "/../secret.md"]
)
def test_read_document_refuses_addresses_outside(tmp_path: Path, place: str) -> None:
    """However `..` is written."""
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "secret.md").write_text("secret")
    source = make_source(str(tmp_path / "root"))
    for url in (source.root_url + place, f"file://{place}", f"https://example.com{place}"):
        assert isinstance(read_document(source, url, MOST_BYTES), Unreadable)


def test_read_document_finds_a_file_by_its_bare_name(tmp_path: Path) -> None:
    """Whatever its suffix, in whatever case."""
    names = {"a.md": "a", "b.HTML": "b", "c.d.Md": "c"}
    for name, text in names.items():
        (tmp_path / name).write_text(text)
    source = make_source(str(tmp_path), base_url="https://example.com", strip_suffix=True)
    listing = list_files(source)
    assert listing.urls == tuple(f"https://example.com/{name}" for name in ("a", "b", "c.d"))
    read = [read_document(source, url, MOST_BYTES) for url in listing.urls]
    assert [one.data for one in read if isinstance(one, RawDocument)] == [b"a", b"b", b"c"]


def test_list_files_tells_what_it_may_not_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be opened makes the listing incomplete; the others are listed."""
    texts(tmp_path)
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path.endswith("/b"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    listing = list_files(make_source(str(tmp_path)))
    assert (len(listing.urls), listing.is_complete) == (1, False)
    assert listing.problem == f"{tmp_path}/b: Permission denied"
