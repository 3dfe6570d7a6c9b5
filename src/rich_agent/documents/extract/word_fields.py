"""Fields of Word documents: what is shown of them, and what is only an instruction.

Source: ECMA-376, part 1, 17.16 (Fields and hyperlinks).
"""

import re
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from rich_agent.documents.extract.word_numbering import W, value_of

TICKED: Final = "☒"
EMPTY: Final = "☐"

_FORMS: Final = frozenset({"FORMTEXT", "FORMCHECKBOX", "FORMDROPDOWN"})
_DEEPEST: Final = 30  # fields within each other that are looked at
_LONGEST_INSTRUCTION: Final = 10_000
_CONTENTS: Final = frozenset({"TOC", "TOA", "INDEX"})
_PAGES: Final = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES", "SECTION"})
_ADDRESS: Final = re.compile(r'HYPERLINK\s++"([^"]++)"', re.IGNORECASE)
_BUTTON: Final = re.compile(
    r"(?:MACROBUTTON|GOTOBUTTON)\s++\S++\s++(\S.*)", re.IGNORECASE | re.DOTALL
)


@dataclass(slots=True)
class Field:
    """A field that is open: its instruction, its form, and whether its result has begun."""

    form: etree._Element | None = None
    instruction: str = ""
    shows_result: bool = False

    @property
    def kind(self) -> str:
        """The name of the field, in capitals."""
        return self.instruction.split(maxsplit=1)[0].upper() if self.instruction.strip() else ""


@dataclass(slots=True)
class Fields:
    """The open fields of a text, outermost first."""

    is_margin: bool = False
    """Whether the text is a header or footer, in which numbers of pages are left out."""
    is_balanced: bool = True
    """Whether each field ends; else nothing is left out, as it could be all of the text."""
    _open: list[Field] = field(default_factory=list)

    @property
    def are_shown(self) -> bool:
        """Whether text in this place is shown, and not an instruction or a table of contents."""
        if not self._open or not self.is_balanced:
            return True
        return all(
            one.shows_result and not self._is_left_out(one.kind) for one in self._open[:_DEEPEST]
        )

    @property
    def is_page_number(self) -> bool:
        """Whether this place is within a number of a page that is left out."""
        return self.is_margin and any(one.kind in _PAGES for one in self._open[:_DEEPEST])

    @property
    def address(self) -> str:
        """The address of the innermost link, "" without one."""
        links = (_ADDRESS.match(one.instruction.strip()) for one in self._open[-_DEEPEST:][::-1])
        return next((link[1] for link in links if link), "")

    def _is_left_out(self, kind: str) -> bool:
        return kind in _CONTENTS or (self.is_margin and kind in _PAGES)

    def begin(self, form: etree._Element | None, instruction: str = "") -> None:
        """Open a field; `form` has the properties of a form's field."""
        self._open.append(Field(form, instruction))

    def instruct(self, text: str) -> None:
        """Add to the instruction of the innermost field."""
        is_short = self._open and len(self._open[-1].instruction) < _LONGEST_INSTRUCTION
        if is_short and not self._open[-1].shows_result:
            self._open[-1].instruction += text

    def separate(self) -> None:
        """Begin the result of the innermost field."""
        if self._open:
            self._open[-1].shows_result = True

    def end(self) -> Field:
        """Close the innermost field, and return it."""
        return self._open.pop() if self._open else Field()


def form_value(ended: Field) -> str | None:
    """The text of a field without a result of its own: a box, a choice, a button's words."""
    if ended.kind == "FORMCHECKBOX":
        return TICKED if _is_ticked(ended.form) else EMPTY
    if ended.kind == "FORMDROPDOWN" and ended.form is not None:
        entries = [entry.get(f"{W}val", "") for entry in ended.form.iter(f"{W}listEntry")]
        choices = ended.form.find(f"{W}ddList")
        choice = value_of(choices, "result") or value_of(choices, "default") or "0"
        place = int(choice) if choice.isdecimal() and len(choice) < 9 else 0
        return entries[place] if place < len(entries) else ""
    button = _BUTTON.match(ended.instruction.strip()) if not ended.shows_result else None
    return button[1] if button else None


def _is_ticked(form: etree._Element | None) -> bool:
    box = form.find(f"{W}checkBox") if form is not None else None
    if box is None:
        return False
    checked = box.find(f"{W}checked")
    if checked is None:
        checked = box.find(f"{W}default")
    return checked is not None and checked.get(f"{W}val", "1") not in {"0", "false", "off"}


def is_form(kind: str) -> bool:
    """Whether a field of this kind is one of a form."""
    return kind in _FORMS
