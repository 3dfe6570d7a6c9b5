"""Converts equations of Office files (OMML) to TeX, in which letters and signs stay as they are.

Source of the elements: ECMA-376, part 1, 22.1 (Math).
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from html import escape
from typing import Final

from lxml import etree

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_TEXTS: Final = frozenset({f"{_M}t", f"{_W}t"})
_NEW_LINE: Final = " \\\\ "
_BLANKS: Final = frozenset({f"{_W}br", f"{_W}tab"})
_DELETIONS: Final = frozenset({f"{_W}del", f"{_W}moveFrom"})
_BEFORE_MARK: Final = re.compile(r"\\(?=[^\w\s])")
_ESCAPES: Final = str.maketrans({mark: f"\\{mark}" for mark in "{}%&#_$"} | {"\\": "\\backslash "})
_LETTER_FORMS: Final = range(0x1D400, 0x1D800)
_OPERATORS: Final[Mapping[str, str]] = {
    "∑": "\\sum", "∏": "\\prod", "∐": "\\coprod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint",
    "∮": "\\oint", "∯": "\\oiint", "⋃": "\\bigcup", "⋂": "\\bigcap", "⋁": "\\bigvee",
    "⋀": "\\bigwedge", "⨁": "\\bigoplus", "⨂": "\\bigotimes",
}  # fmt: skip
_ACCENTS: Final[Mapping[str, str]] = {
    "\u0302": "hat", "^": "hat", "\u0303": "tilde", "~": "tilde", "\u0304": "bar", "¯": "bar",
    "\u0305": "overline", "\u0306": "breve", "\u0307": "dot", "\u0308": "ddot", "\u20db": "dddot",
    "‾": "bar", "\u030a": "mathring", "\u030c": "check", "\u0300": "grave", "\u0301": "acute",
    "\u20d7": "vec", "→": "vec", "\u20d6": "overleftarrow", "\u20e1": "overleftrightarrow",
}  # fmt: skip
_FUNCTIONS: Final = frozenset(
    ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "arcsin", "arccos",
     "arctan", "log", "ln", "lg", "exp", "lim", "min", "max", "sup", "inf", "det", "dim", "gcd",
     "arg", "deg", "hom", "ker", "Pr")
)  # fmt: skip
_DELIMITERS: Final[Mapping[str, str]] = {
    "{": "\\{", "}": "\\}", "‖": "\\|", "⟨": "\\langle ", "⟩": "\\rangle ", "〈": "\\langle ",
    "〉": "\\rangle ", "": ".",
}  # fmt: skip


def equation_tex(equation: etree._Element) -> str:
    """The TeX of an equation without dollar signs, "" if it is empty."""
    return " ".join(_inner(equation).split())


def inline_tex(equation: etree._Element) -> str:
    """An equation within a line: TeX between dollar signs, or its text if it has no structure."""
    if any(child.tag in _STRUCTURES for child in equation.iter()):
        return f"${equation_tex(equation)}$"
    return " ".join("".join(equation.itertext(*_TEXTS)).split())


def equation_html(equation: etree._Element) -> str:
    """The text of `inline_tex` as HTML that keeps its backslashes in Markdown.

    A backslash before a mark would be doubled, if no invisible character stood between them.
    """
    return _BEFORE_MARK.sub(r"\\&#x2060;", escape(inline_tex(equation)))


def _inner(parent: etree._Element) -> str:
    return "".join(map(_element, parent))


def _element(element: etree._Element) -> str:
    if element.tag in _TEXTS:
        return _text(element)
    if element.tag in _DELETIONS or not isinstance(element.tag, str):
        return ""
    if element.tag in _BLANKS:
        return " "
    name = element.tag.removeprefix(_M)
    if name.endswith("Pr"):
        return ""
    return _WRITERS.get(name, _inner)(element)


def _text(element: etree._Element) -> str:
    text = element.text or ""
    if any(ord(letter) in _LETTER_FORMS for letter in text):
        text = unicodedata.normalize("NFKC", text)
    return text.translate(_ESCAPES)


def _part(parent: etree._Element, name: str) -> str:
    """The TeX of a child, "" if there is none."""
    child = parent.find(f"{_M}{name}")
    return _inner(child).strip() if child is not None else ""


def _property(element: etree._Element, name: str, default: str) -> str:
    """The value of a property, `default` if it is not set."""
    found = element.find(f"{_M}{element.tag.removeprefix(_M)}Pr/{_M}{name}")
    return default if found is None else found.get(f"{_M}val", "")


def _is_on(element: etree._Element, name: str) -> bool:
    """Whether a switch is set; one without a value is."""
    return _property(element, name, "0") not in {"0", "off", "false"}


def _script(mark: str, tex: str) -> str:
    return f"{mark}{{{tex}}}" if tex else ""


def _base(tex: str) -> str:
    """The base of a script, in braces if it has several parts."""
    return tex if len(tex) <= 1 or tex.isdecimal() else f"{{{tex}}}"


def _run(run: etree._Element) -> str:
    text = _inner(run)
    is_normal = run.find(f"{_M}rPr/{_M}nor") is not None
    return f"\\text{{{text}}}" if is_normal and text.strip() else text


def _fraction(element: etree._Element) -> str:
    top, bottom = _part(element, "num"), _part(element, "den")
    kind = _property(element, "type", "bar")
    if kind == "noBar":
        return f"\\binom{{{top}}}{{{bottom}}}"
    return f"{{{top}}}/{{{bottom}}}" if kind in {"lin", "skw"} else f"\\frac{{{top}}}{{{bottom}}}"


def _radical(element: etree._Element) -> str:
    degree = "" if _is_on(element, "degHide") else _part(element, "deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"


def _scripts(element: etree._Element) -> str:
    scripts = _script("_", _part(element, "sub")) + _script("^", _part(element, "sup"))
    base = _base(_part(element, "e"))
    return f"{{}}{scripts}{base}" if element.tag == f"{_M}sPre" else base + scripts


def _n_ary(element: etree._Element) -> str:
    sign = _property(element, "chr", "∫")
    below = "" if _is_on(element, "subHide") else _part(element, "sub")
    above = "" if _is_on(element, "supHide") else _part(element, "sup")
    limits = _script("_", below) + _script("^", above)
    return f"{_OPERATORS.get(sign, sign)}{limits} {_part(element, 'e')}"


def _function(element: etree._Element) -> str:
    """A function's name in front of its argument; limits may stand below it."""
    name, argument = element.find(f"{_M}fName"), _part(element, "e")
    if name is None:
        return argument
    words = "".join(name.itertext(f"{_M}t")).strip()
    tex = _inner(name).strip()
    if words in _FUNCTIONS:
        tex = f"\\{words}"
    elif tex == words and words.isalpha() and len(words) > 1:
        tex = f"\\operatorname{{{words}}}"
    return f"{tex} {argument}"


def _limit(element: etree._Element) -> str:
    base, limit = _part(element, "e"), _part(element, "lim")
    mark = "_" if element.tag == f"{_M}limLow" else "^"
    if base in _FUNCTIONS:
        return f"\\{base}{mark}{{{limit}}}"
    return f"\\{'under' if mark == '_' else 'over'}set{{{limit}}}{{{base}}}"


def _delimited(element: etree._Element) -> str:
    opening = _property(element, "begChr", "(")
    closing = _property(element, "endChr", ")")
    separator = _property(element, "sepChr", "|")
    inner = separator.join(_inner(part).strip() for part in element.findall(f"{_M}e"))
    left, right = _DELIMITERS.get(opening, opening), _DELIMITERS.get(closing, closing)
    is_flat = "\\" not in inner and opening and closing
    return f"{left}{inner}{right}" if is_flat else f"\\left{left}{inner}\\right{right}"


def _matrix(element: etree._Element) -> str:
    rows = (
        " & ".join(_inner(cell).strip() for cell in row.findall(f"{_M}e"))
        for row in element.findall(f"{_M}mr")
    )
    return f"\\begin{{matrix}}{_NEW_LINE.join(rows)}\\end{{matrix}}"


def _lines(element: etree._Element) -> str:
    lines = (_inner(line).strip().replace("\\&", "&") for line in element.findall(f"{_M}e"))
    return f"\\begin{{aligned}}{_NEW_LINE.join(lines)}\\end{{aligned}}"


def _accent(element: etree._Element) -> str:
    name = _ACCENTS.get(_property(element, "chr", "\u0302"), "hat")
    return f"\\{name}{{{_part(element, 'e')}}}"


def _bar(element: etree._Element) -> str:
    name = "overline" if _property(element, "pos", "bot") == "top" else "underline"
    return f"\\{name}{{{_part(element, 'e')}}}"


def _group(element: etree._Element) -> str:
    name = "overbrace" if _property(element, "pos", "bot") == "top" else "underbrace"
    return f"\\{name}{{{_part(element, 'e')}}}"


def _phantom(element: etree._Element) -> str:
    is_shown = _property(element, "show", "1") not in {"0", "off", "false"}
    return _part(element, "e") if is_shown else ""


_WRITERS: Final[Mapping[str, Callable[[etree._Element], str]]] = {
    "r": _run,
    "f": _fraction,
    "rad": _radical,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "nary": _n_ary,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "d": _delimited,
    "m": _matrix,
    "eqArr": _lines,
    "acc": _accent,
    "bar": _bar,
    "borderBox": lambda element: f"\\boxed{{{_part(element, 'e')}}}",
    "groupChr": _group,
    "phant": _phantom,
}
_STRUCTURES: Final = frozenset(f"{_M}{name}" for name in _WRITERS if name != "r")
