"""Patterns for the documents of a source."""

import pytest

from rich_agent.documents.source import Selection


@pytest.mark.parametrize(
    ("include", "exclude", "wanted", "unwanted"),
    [
        ([], [], ["a", "a/b/.c", "/", "資/金.md"], []),
        (["docs/*"], [], ["docs/a", "/docs/a/"], ["docs/a/b", "a/docs/a", "docs/"]),
        (["/docs/**"], [], ["docs/a", "docs/a/b", "/docs/"], ["docs", "xdocs/a"]),
        (["*.md"], [], ["a.md", "a/b.md"], ["a.mdx", "a.MD"]),
        (
            ["a/**", "b/**"],
            ["*.draft.md", "a/old/**"],
            ["a/1", "b/old/1"],
            ["a/1.draft.md", "a/old/1"],
        ),
        ([], ["?.md", "[xy]/*"], ["ab.md", "z/1"], ["a.md", "x/1"]),
        ([], ["**/drafts/**"], ["a/drafts"], ["drafts/1", "a/drafts/b/1"]),
    ],
)
def test_selection_matches_paths(
    include: list[str], exclude: list[str], wanted: list[str], unwanted: list[str]
) -> None:
    """A star stays within a part, two cross parts, and without a slash the last part counts."""
    selection = Selection(include, exclude)
    assert [path for path in wanted if not selection.has(path)] == []
    assert [path for path in unwanted if selection.has(path)] == []
