"""Pressing the buttons and sending the forms of users' pages, as a browser without JavaScript."""

from dataclasses import dataclass
from typing import Any

import httpx
import lxml.html

from tests.acceptance.visitors import Visitor, words


@dataclass(slots=True)
class OpenPage:
    """A page that somebody looks at; `press` and `send` show what comes after it."""

    visitor: Visitor
    path: str
    root: lxml.html.HtmlElement

    @classmethod
    def at(cls, visitor: Visitor, path: str, **fields: Any) -> "OpenPage":
        """Open a page."""
        return cls(visitor, path, visitor.page(path, **fields))

    @property
    def said(self) -> str:
        """The words of the main part of the page, in one line."""
        return words(self.root)

    @property
    def changes(self) -> list[str]:
        """The latest changes that the page names."""
        lines = self.root.xpath("//*[@id='changes']//span")
        return [str(line.text_content()) for line in lines]

    def row(self, text: str) -> lxml.html.HtmlElement:
        """The first row whose text this is."""
        row, *_ = self.root.xpath(
            "//li[contains(@class, 'item')][.//*[@class='what'][.=$text]]", text=text
        )
        return row

    def rows(self) -> list[str]:
        """The texts of all rows."""
        return [str(row.text_content()) for row in self.root.xpath("//*[@class='what']")]

    def press(self, label: str, row: str = "") -> "OpenPage":
        """Press a button by its label, in a row or anywhere, with a yes where it asks."""
        place = self.row(row) if row else self.root
        buttons = place.xpath(".//form//button[not(@type)][normalize-space()=$label]", label=label)
        assert buttons, f"no button {label} in {words(self.root)}"
        (form,) = buttons[0].xpath("ancestor::form")
        return self.posted(form, {})

    def send(self, label: str, row: str = "", **fields: str) -> "OpenPage":
        """Fill in the form with this button, and send it."""
        place = self.row(row) if row else self.root
        forms = place.xpath(".//form[.//button[normalize-space()=$label]][.//label]", label=label)
        (form,) = (one for one in forms if fields.keys() <= {*one.fields.keys()})
        return self.posted(form, fields)

    def posted(self, form: lxml.html.HtmlElement, fields: dict[str, str]) -> "OpenPage":
        """The page after a form, which is refused for a field that it does not have."""
        answer = self.refused(form, fields)
        assert answer.status_code == 200, answer.text
        return OpenPage(self.visitor, str(answer.url.path), lxml.html.fromstring(answer.text))

    def refused(self, form: lxml.html.HtmlElement, fields: dict[str, str]) -> httpx.Response:
        """The answer to a form, whatever it is."""
        values = {name: value or "" for name, value in form.form_values()}
        assert fields.keys() <= {*form.fields.keys()}, (
            f"{fields} are not in {[*form.fields.keys()]}"
        )
        return self.visitor.post(form.get("action"), **{**values, **fields})

    def opened(self, row: str) -> "OpenPage":
        """The page with the form of a row."""
        (link,) = self.row(row).xpath(".//a[contains(@href, 'open=')]")
        answer = self.visitor.client.get(f"{self.path}{link.get('href').partition('#')[0]}")
        assert answer.status_code == 200
        return OpenPage(self.visitor, self.path, lxml.html.fromstring(answer.text))
