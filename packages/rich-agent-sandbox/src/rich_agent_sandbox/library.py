"""Serves folders of Markdown files as a small web site, to be fetched, cited and opened."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="/static/library.css">
</head>
<body>
<main>{body}</main>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown file as HTML; `title` is its first heading, or its name without one."""

    title: str
    article: str


def heading_slug(text: str) -> str:
    """A heading's id by GitHub's rule: lower case, no punctuation, hyphens for spaces."""
    return _NOT_IN_SLUG.sub("", text.strip().lower()).replace(" ", "-")


def render_page(source: str, name: str) -> Page:
    """Convert Markdown to HTML; headings get ids, repeated ones with `-1`, `-2` and so on."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = markdown.parse(source)
    headings = _give_ids(tokens)
    article = markdown.renderer.render(tokens, markdown.options, {})
    return Page(headings[0] if headings else name, article)


def _give_ids(tokens: Sequence[Token]) -> list[str]:
    seen: Counter[str] = Counter()
    texts = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(
                child.content
                for child in inline.children or []
                if child.type in ("text", "code_inline")
            )
            slug = heading_slug(text)
            opening.attrSet("id", f"{slug}-{seen[slug]}" if seen[slug] else slug)
            seen[slug] += 1
            texts.append(text)
    return texts


def library_routes(folders: Sequence[Path]) -> list[BaseRoute]:
    """`/library/` and `/library/<folder's name>/…` for the Markdown files below each folder."""
    if not folders:
        return []
    library = _Library(tuple(folder.resolve() for folder in folders))
    return [
        Route("/library/", library.index, methods=["GET"]),
        Route("/library/{path:path}", library.page, methods=["GET"]),
    ]


@dataclass(frozen=True, slots=True)
class _Library:
    folders: tuple[Path, ...]

    def _files(self) -> dict[str, Path]:
        """The pages by path; links that lead out of a folder are ignored."""
        return {
            file.relative_to(folder.parent).with_suffix("").as_posix(): file
            for folder in self.folders
            for file in sorted(folder.rglob("*.md"))
            if file.resolve().is_relative_to(folder)
        }

    def index(self, _: Request) -> Response:
        """The list of all pages."""
        items = "".join(
            f'<li><a href="/library/{quote(path)}">'
            f"{escape(render_page(file.read_text('utf-8'), file.stem).title)}</a></li>"
            for path, file in self._files().items()
        )
        body = f"<article><h1>Library</h1><ul>{items}</ul></article>"
        return HTMLResponse(_PAGE.format(title="Library", body=body))

    def page(self, request: Request) -> Response:
        """One page; 404 if it is not a Markdown file of a folder.

        A link from file to file (`other.md`) leads to the page of that file.
        """
        path = request.path_params["path"]
        if path.endswith(".md"):
            return RedirectResponse(f"/library/{quote(path.removesuffix('.md'))}", 301)
        file = self._files().get(path)
        if file is None:
            raise HTTPException(404)
        page = render_page(file.read_text("utf-8"), file.stem)
        body = f"<article>{page.article}</article>"
        return HTMLResponse(_PAGE.format(title=escape(page.title), body=body))
