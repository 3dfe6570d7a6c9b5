"""Opens what opens with a click on a page: accordions, tabs and other panels.

The words of their buttons become headings, or bold lines, over the panels. Menus and dialogs stay
closed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from lxml.etree import XPath
from lxml.html import HtmlElement
from lxml.html.builder import E

from rich_agent.documents.extract.boilerplate import length_of, length_of_links
from rich_agent.documents.extract.headings import HEADINGS

_TOGGLES: Final = ("data-bs-toggle", "data-toggle")
_OPENING_TOGGLES: Final = frozenset({"collapse", "tab", "pill", "list"})
_TARGETS: Final = ("aria-controls", "data-bs-target", "data-target", "href")
_CLOSED_ROLES: Final = frozenset(
    ("menu", "menubar", "listbox", "dialog", "alertdialog", "navigation", "search", "tree",
     "tooltip", "grid", "combobox")
)  # fmt: skip
_CLOSED_TAGS: Final = frozenset({"nav", "dialog", "footer", "form", "aside"})
_OPENERS = XPath(
    ".//button | .//*[@role='button' or @role='tab' or @aria-expanded or @data-toggle"
    " or @data-bs-toggle]"
)
_TAB_LISTS = XPath(
    ".//*[@role='tablist']"
    " | .//ul[not(@role)][.//a[starts-with(@href, '#')][not(normalize-space()='')]]"
)
_TABS = XPath(
    ".//*[@role='tab'] | .//*[not(@role='tab')][@data-toggle='tab' or @data-toggle='pill'"
    " or @data-bs-toggle='tab' or @data-bs-toggle='pill' or @data-bs-toggle='list']"
)
_SWITCHES = XPath(".//input[@id][@type='radio' or @type='checkbox'][not(ancestor::form)]")
_PANELS: Final = ("div", "section", "article")
_TITLES: Final = frozenset({*HEADINGS, "summary", "dt", "th", "legend", "caption"})
_NOT_WITHIN: Final = frozenset({"ul", "ol", "dl", "table", "tbody", "tr", "pre", "details"})
_LONGEST_LABEL: Final = 300
_MANY_LINKS: Final = 0.5
_NEAR: Final = 4  # levels between a button and the block that it opens
_HIDING: Final = frozenset(
    ("display", "visibility", "opacity", "height", "max-height", "overflow", "content-visibility")
)
_HIDING_CLASSES: Final = frozenset({"hidden", "d-none", "is-hidden"})


def open_disclosures(body: HtmlElement, is_hidden: Callable[[HtmlElement], bool]) -> None:
    """Show the panels that a click shows, with the words of their buttons over them."""
    for element in body.xpath(".//*[@hidden='until-found'] | .//*[@role='tabpanel'][@hidden]"):
        if _may_open(element):
            _show(element)
    page = _Page(body, is_hidden)
    for tab_list in _TAB_LISTS(body):
        page.open_tabs(tab_list)
    page.open_switches()
    for opener in _OPENERS(body):
        if opener.getparent() is not None and _opens(opener):
            page.open(opener)


@dataclass(frozen=True, slots=True)
class _Tab:
    """A tab and the panel that it shows."""

    tab: HtmlElement
    panel: HtmlElement

    @property
    def words(self) -> str:
        return _words(self.tab)


class _Page:
    """Finds the panels of a page."""

    def __init__(self, body: HtmlElement, is_hidden: Callable[[HtmlElement], bool]) -> None:
        self._body = body
        self._is_hidden = is_hidden
        self._by_id: dict[str, HtmlElement] = {}
        for element in body.iter():
            self._by_id.setdefault(element.get("id", ""), element)

    def open(self, opener: HtmlElement) -> None:
        """Show the panel of a button, and turn the button into words."""
        panel = self._target(opener)
        is_title = _is_title(opener)
        panel = self._hidden_neighbour(opener) if panel is None else panel
        if panel is None:
            if is_title and opener.tag not in HEADINGS:
                _make_words(opener)
            return
        if not _may_open(panel) or opener in set(panel.iterdescendants()):
            return
        is_closed = self._is_hidden(panel)
        _show(panel)
        if is_title or (_precedes(opener, panel) and (is_closed or _declares_state(opener))):
            _make_words(opener)

    def open_tabs(self, tab_list: HtmlElement) -> None:
        """Show all panels of tabs, each under the words of its tab."""
        tabs = [tab for tab in _TABS(tab_list) if _words(tab)]
        if not tabs and tab_list.get("role") is None:
            tabs = self._linked_tabs(tab_list)
        pairs = [_Tab(tab, panel) for tab in tabs if (panel := self._target(tab)) is not None]
        pairs = pairs or self._pairs_in_order(tab_list, tabs)
        if not pairs or not all(_may_open(pair.panel) for pair in pairs):
            return
        holds_panels = any(tab_list in set(pair.panel.iterancestors()) for pair in pairs)
        for pair in pairs:
            _show(pair.panel)
            if holds_panels:
                _make_words(pair.tab)
            else:
                _label(pair.panel, pair.words)
        if holds_panels:
            tab_list.attrib.pop("role", None)
        elif len(pairs) == len(tabs):
            _drop(tab_list)

    def open_switches(self) -> None:
        """Show what radio buttons and check boxes show without a program, by their labels."""
        labels: dict[str, list[HtmlElement]] = {}
        by_switch = {label.get("for", ""): label for label in self._body.iter("label")}
        for switch in _SWITCHES(self._body):
            label = by_switch.get(switch.get("id"))
            if label is not None and _words(label):
                is_radio = switch.get("type") == "radio"
                group = switch.get("name") if is_radio else None
                labels.setdefault(group or switch.get("id"), []).append(label)
        for group_labels in labels.values():
            for label, panel in _panels_of_labels(group_labels):
                if _may_open(panel):
                    _show(panel)
                    _label(panel, _words(label))
                    _drop(label)

    def _target(self, opener: HtmlElement) -> HtmlElement | None:
        """The element that a button names as its panel."""
        for name in _TARGETS:
            for target_id in opener.get(name, "").split():
                if name != "href" or target_id.startswith("#"):
                    panel = self._by_id.get(target_id.removeprefix("#")) if target_id else None
                    if panel is not None and panel is not opener and panel.tag != "body":
                        return panel
        link = opener.find(".//a[@href]") if opener.tag != "a" else None
        return self._target(link) if link is not None and opener.get("role") == "tab" else None

    def _hidden_neighbour(self, opener: HtmlElement) -> HtmlElement | None:
        """The hidden block right after a button or after what only wraps it."""
        for element in islice(chain([opener], opener.iterancestors()), _NEAR):
            following = element.getnext()
            if (element.tail or "").strip() or element.tag == "body":
                return None
            if following is not None:
                return following if self._is_hidden(following) else None
        return None

    def _linked_tabs(self, listing: HtmlElement) -> list[HtmlElement]:
        """The links of a list that leads to blocks next to each other that are named as tabs."""
        links = list(listing.iter("a"))
        targets = [self._target(link) for link in links]
        blocks = [target for target in targets if target is not None]
        if len(links) < 2 or len(blocks) < len(links):
            return []
        named = [listing, listing.getparent(), *blocks]
        is_named = any("tab" in element.get("class", "").lower() for element in named)
        is_row = len({block.getparent() for block in blocks}) == 1
        are_blocks = all(block.tag in _PANELS for block in blocks)
        return links if is_named and is_row and are_blocks else []

    def _pairs_in_order(self, tab_list: HtmlElement, tabs: Sequence[HtmlElement]) -> list[_Tab]:
        """Tabs that name no panel, with as many panels that follow."""
        if not tabs or tab_list.get("role") != "tablist":
            return []
        for ancestor in tab_list.iterancestors():
            panels = ancestor.xpath(".//*[@role='tabpanel'][not(ancestor::*[@role='tabpanel'])]")
            if panels:
                is_match = len(panels) == len(tabs)
                return list(map(_Tab, tabs, panels)) if is_match else []
            if ancestor is self._body:
                break
        return []


def _opens(opener: HtmlElement) -> bool:
    """Whether an element looks like a button for text, and not for a menu or a dialog."""
    toggles = [toggle for name in _TOGGLES if (toggle := opener.get(name))]
    return (
        opener.get("aria-haspopup", "false") == "false"
        and opener.get("role") not in _CLOSED_ROLES
        and opener.tag not in {"input", "select", "textarea", "html", "body"}
        and all(toggle in _OPENING_TOGGLES for toggle in toggles)
        and 0 < len(_words(opener)) <= _LONGEST_LABEL
        and next(opener.iterancestors("nav", "footer", "dialog"), None) is None
    )


def _declares_state(opener: HtmlElement) -> bool:
    return (
        opener.get("aria-expanded") is not None
        or opener.get("role") == "tab"
        or any(opener.get(name) for name in _TOGGLES)
    )


def _is_title(opener: HtmlElement) -> bool:
    """Whether a button is all the words of a heading, a term or a summary."""
    elements = [opener, *opener.iterancestors()]
    title = next((element for element in elements if element.tag in _TITLES), None)
    return title is not None and _words(title) == _words(opener)


def _may_open(panel: HtmlElement) -> bool:
    """Whether a panel is text, and not a menu, a dialog, a form or a list of links."""
    if panel.tag in _CLOSED_TAGS or panel.get("role") in _CLOSED_ROLES:
        return False
    if next(panel.iterancestors("nav", "dialog"), None) is not None:
        return False
    if next(panel.iter("form", "textarea"), None) is not None:
        return False
    length = length_of(panel)
    return length > 0 and length_of_links(panel) <= _MANY_LINKS * length


def _show(panel: HtmlElement) -> None:
    """Take away what hides a panel."""
    for name in ("hidden", "aria-hidden", "inert"):
        panel.attrib.pop(name, None)
    if classes := panel.get("class"):
        panel.set(
            "class", " ".join(name for name in classes.split() if name not in _HIDING_CLASSES)
        )
    if style := panel.get("style"):
        declarations = [
            declaration
            for declaration in style.split(";")
            if declaration.partition(":")[0].strip().lower() not in _HIDING
        ]
        panel.set("style", ";".join(declarations))


def _make_words(opener: HtmlElement) -> None:
    """Turn a button into words: of the heading that it is in, else into a bold line."""
    anchor = opener.get("id")
    is_in_title = next(opener.iterancestors(*_TITLES), None) is not None
    is_block = opener.tag in _TITLES or opener.find(".//div") is not None
    has_title = next(opener.iterdescendants(*HEADINGS), None) is not None
    opener.attrib.clear()
    if anchor:
        opener.set("id", anchor)
    if opener.tag in _TITLES:
        return
    if is_in_title:
        opener.tag = "span"
    elif has_title:
        opener.tag = "div"
    elif is_block or opener.tag in {"div", "li", "p"}:
        words = _words(opener)
        for child in list(opener):
            opener.remove(child)
        opener.text = None
        opener.tag = opener.tag if opener.tag in {"div", "li", "p"} else "p"
        opener.append(E.strong(words))
    else:
        opener.tag = "strong"
        line = E.p()
        line.tail, opener.tail = opener.tail, None
        opener.getparent().replace(opener, line)
        line.append(opener)


def _label(panel: HtmlElement, words: str) -> None:
    """Write words over a panel, unless they are its first heading."""
    heading = next(panel.iter(*HEADINGS), None)
    if heading is not None and _words(heading) == words:
        return
    line = E.p(E.strong(words))
    if panel.tag in _NOT_WITHIN:
        panel.addprevious(line)
        return
    line.tail, panel.text = panel.text, None
    panel.insert(0, line)


def _panels_of_labels(labels: Sequence[HtmlElement]) -> Iterator[tuple[HtmlElement, HtmlElement]]:
    """The blocks that labels are over: each after its label, or as many after all labels."""
    neighbours = [block for label in labels if (block := _block_after(label)) is not None]
    if len(set(neighbours)) == len(labels):
        yield from zip(labels, neighbours, strict=True)
        return
    for element in (labels[-1], labels[-1].getparent()):
        blocks = [block for block in element.itersiblings() if block.tag in _PANELS]
        if len(blocks) == 1:
            blocks = [block for block in blocks[0] if block.tag in _PANELS]
        if len(blocks) == len(labels) > 1:
            yield from zip(labels, blocks, strict=True)
            return


def _block_after(label: HtmlElement) -> HtmlElement | None:
    following = label.getnext()
    return following if following is not None and following.tag in _PANELS else None


def _precedes(opener: HtmlElement, panel: HtmlElement) -> bool:
    """Whether a button stands before its panel, and not below it."""
    ancestors: Iterable[HtmlElement] = [opener, *opener.iterancestors()]
    above = {ancestor.getparent(): ancestor for ancestor in ancestors}
    branch = panel
    while branch.getparent() is not None and branch.getparent() not in above:
        branch = branch.getparent()
    parent = branch.getparent()
    return parent is not None and parent.index(above[parent]) < parent.index(branch)


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _words(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())
