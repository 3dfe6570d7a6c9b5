"""Names that a person may give for a source, and what is said when it cannot be one."""

from pathlib import Path

import pytest

from rich_agent.documents.source import SourceError, SourceType, addresses, make_source, web_address


@pytest.mark.req("RAG-1")
def test_make_source_finds_out_the_kind(tmp_path: Path) -> None:
    """The target alone is enough for all five kinds."""
    page = tmp_path / "notes.md"
    page.write_text("# Notes")
    urls = tmp_path / "urls.txt"
    urls.write_text("# my pages\nhttps://example.com/a\n\nhttps://example.com/b\n")
    prose = tmp_path / "prose.txt"
    prose.write_text("See https://example.com/a for more.")
    kinds = [
        make_source(target).type
        for target in [
            "https://example.com/docs",
            "https://example.com/sitemap.xml",
            str(tmp_path),
            str(page),
            str(urls),
            str(prose),
        ]
    ]
    assert kinds == ["page", "sitemap", "folder", "file", "url-list", "file"]


@pytest.mark.req("RAG-1")
def test_make_source_gives_one_id_to_one_target(tmp_path: Path) -> None:
    """Another spelling of an address or a path, and another name, make no second source."""
    assert (
        make_source("https://Example.com:443/a#part", name="A").id
        == make_source("https://example.com/a").id
    )
    (tmp_path / "sub").mkdir()
    assert make_source(f"{tmp_path}/sub/..").id == make_source(tmp_path.as_uri()).id
    page, listed = (
        make_source("https://example.com/a", kind=kind) for kind in ("page", "url-list")
    )
    assert page.id != listed.id
    assert page.id.startswith("src_")
    assert len(page.id) == 16


@pytest.mark.parametrize(
    ("target", "kind", "words"),
    [
        ("example.com/docs", None, "https://example.com/docs"),
        ("/no/such/folder", None, "no such file or folder"),
        ("ftp://example.com/a", None, "ftp:// are not read"),
        ("https://", None, "not a web address"),
        ("https://me:secret@example.com/", None, "user name or a password"),
        ("https://example.com/", "folder", "a folder on this machine"),
        (".", "page", "a web address"),
        (".", "file", "a file on this machine"),
    ],
)
def test_make_source_refuses_with_a_hint(target: str, kind: SourceType | None, words: str) -> None:
    """The message says what is wrong, and what to write; a password is not repeated."""
    with pytest.raises(SourceError) as refused:
        make_source(target, kind=kind)
    assert words in refused.value.explain()
    assert "→" in refused.value.explain()
    assert "secret" not in refused.value.explain()


def test_make_source_takes_a_base_address_for_files_only(tmp_path: Path) -> None:
    """A page has its address already."""
    source = make_source(str(tmp_path), base_url="https://example.com/docs/", strip_suffix=True)
    assert source.base_url == "https://example.com/docs"
    with pytest.raises(SourceError, match="its own addresses"):
        make_source("https://example.com/", base_url="https://example.com/docs")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("sitemap.xml", "sitemap"),
        ("sitemap_index.xml", "sitemap"),
        ("Sitemap-1.xml.gz", "sitemap"),
        ("sitemap.txt", "sitemap"),
        ("posts.xml.gz", "sitemap"),
        ("feed.xml", "page"),
        ("sitemap", "page"),
        ("my-sitemap.xml.html", "page"),
    ],
)
def test_make_source_knows_a_sitemap_by_its_name(name: str, kind: str) -> None:
    """Nothing is fetched to find out."""
    assert make_source(f"https://example.com/a/{name}").type == kind


def test_make_source_takes_patterns_for_many_documents_only(tmp_path: Path) -> None:
    """An option that would do nothing is refused; an empty pattern is none."""
    folder = make_source(str(tmp_path), include=["a/**", ""], exclude=["*.txt"])
    assert (folder.include, folder.exclude) == (("a/**",), ("*.txt",))
    assert make_source("https://example.com/sitemap.xml", depth=0).depth == 0
    with pytest.raises(SourceError, match="is one document"):
        make_source("https://example.com/a", exclude=["*.txt"])
    with pytest.raises(SourceError, match="no nested sitemaps"):
        make_source(str(tmp_path), depth=1)


def test_web_address_is_the_same_for_the_same_page() -> None:
    """Fragment, case of the host and the default port are of no account; the path is."""
    assert web_address("HTTP://EXAMPLE.com:80/A?b=C#d") == "http://example.com/A?b=C"
    assert web_address("https://example.com") == "https://example.com/"
    assert web_address("https://example.com?a=b") == "https://example.com/?a=b"
    assert web_address("https://example.com/a/../%7eb/%e8?%2f") == "https://example.com/~b/%E8?%2F"
    assert web_address("https://例え.example/資") == "https://xn--r8jz45g.example/%E8%B3%87"


def test_addresses_reports_lines_that_are_none() -> None:
    """Comments and repetitions are left out in silence, mistakes are not."""
    found, refused = addresses("# a\nhttps://x.example/1\nx.example/2\n\nhttps://x.example/1#b\n")
    assert found == ["https://x.example/1"]
    assert refused == ["x.example/2"]
