"""Converts reStructuredText to HTML by docutils, without file access and raw HTML.

The words of Sphinx's own markup are kept: roles become code or text, directives their content.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.parsers.rst.states import Inliner
from docutils.utils import SystemMessage
from typing_extensions import override

from rich_agent.documents.extract.extracted import ExtractionError

_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:+.-]+)::")
_ROLE = re.compile(r":([\w.+:-]{1,100}):(?=`)|(?<=`):([\w.+:-]{1,100}):")
_TITLED_TARGET = re.compile(r"(.+)<[^<>]+>", re.DOTALL)
_WORDS_ROLES: Final = frozenset(
    {"ref", "doc", "term", "any", "numref", "download", "abbr", "menuselection"}
)
_CODE: Final = frozenset(
    {"code", "code-block", "console", "doctest", "ipython", "math", "productionlist", "prompt",
     "sourcecode", "testcode", "testoutput"}
)  # fmt: skip
_VERSIONS: Final[Mapping[str, str]] = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
_SILENT: Final = frozenset(
    {"codeauthor", "contents", "currentmodule", "default-domain", "default-role", "graphviz",
     "highlight", "image", "include", "index", "literalinclude", "meta", "module", "moduleauthor",
     "plot", "raw",
     "role", "sectionauthor", "sectnum", "tabularcolumns", "target-notes", "testsetup",
     "testcleanup", "toctree"}
)  # fmt: skip
_CONTENT_ALONE: Final = frozenset({"figure", "only", "ifconfig", "container", "class", "grid"})
_OBJECTS: Final = frozenset(
    {"attribute", "class", "classmethod", "cmdoption", "confval", "data", "decorator",
     "decoratormethod", "describe", "enum", "enumerator", "envvar", "exception", "function",
     "macro", "member", "method", "namespace", "object", "opcode", "option", "program", "property",
     "staticmethod", "struct", "type", "union", "var"}
)  # fmt: skip
_NAME = re.compile(
    r"(?<![\w.-])(?:\.(?=[\w-]++(?!\.)))?([\w.-]+\.)?([\w-]++)(?=\s*+(?:[(\[:=,<]|\Z))"
)
_LONGEST_LINE = 100_000


def restructured_html(text: str) -> str:
    """The document as HTML without the fields at its top; its sections have Sphinx's ids.

    Raises: ExtractionError.
    """
    for name in {directive_or_role.lower() for directive_or_role in _DIRECTIVE.findall(text)}:
        if name in _SILENT | _CODE | _CONTENT_ALONE or name not in en.directives:
            directives.register_directive(name, _Kept)
    for name in {
        directive_or_role.lower()
        for directive_or_role in chain(*_ROLE.findall(text))
        if directive_or_role
    } - en.roles.keys():
        # The type stubs know only roles that make references.
        roles.register_canonical_role(name, _keep_words)  # type: ignore[arg-type]
    try:
        parts = publish_parts(text, writer="html5", settings_overrides=_settings())
    except (SystemMessage, AttributeError, IndexError, ValueError) as error:
        raise ExtractionError(f"the markup cannot be read: {error}") from error
    return str(parts["body"])  # without the fields at its top


def _settings() -> dict[str, object]:
    return {
        "_disable_config": True,
        "doctitle_xform": False,
        "embed_stylesheet": False,
        "file_insertion_enabled": False,
        "halt_level": 5,
        "initial_header_level": 1,
        "line_length_limit": _LONGEST_LINE,
        "math_output": "LaTeX",
        "raw_enabled": False,
        "report_level": 5,
        "stylesheet_path": "",
        "syntax_highlight": "none",
        "warning_stream": "",
    }


class _AnyOption(dict[str, Callable[[str], str]]):
    """Accepts options with any name, unchanged."""

    def __missing__(self, key: str) -> Callable[[str], str]:
        return str

    def __bool__(self) -> bool:
        return True


class _Kept(Directive):
    """The readable content of a directive that docutils does not know."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = _AnyOption()

    @override
    def run(self) -> list[nodes.Node]:
        """The content of the directive; the argument comes first if it is text."""
        name = self.name.lower()
        argument = " ".join(self.arguments).strip()
        if name in _SILENT:
            return []
        if name in _CODE:
            return [self._code(argument)] if self.content else []
        content = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, content)
        if argument and name.rpartition(":")[2] in _OBJECTS:
            return [
                _definition_of(
                    self.arguments[0].replace("\\\n", " ").splitlines(), content.children
                )
            ]
        if name in _VERSIONS:
            argument = f"{_VERSIONS[name]} {argument}"
        elif name in _CONTENT_ALONE:
            argument = ""
        return [*self._argument_paragraph(name, argument), *content.children]

    def _code(self, language: str) -> nodes.Node:
        code = "\n".join(self.content)
        return nodes.literal_block(code, code, classes=["code", *language.split()[:1]])

    def _argument_paragraph(self, name: str, argument: str) -> list[nodes.Node]:
        """The argument as a paragraph; not for autodoc, whose arguments name other files."""
        if not argument or name.startswith("auto"):
            return []
        words, _ = self.state.inline_text(argument, self.lineno)
        return [nodes.paragraph("", "", *words)]


def _definition_of(signatures: Sequence[str], content: Sequence[nodes.Node]) -> nodes.Node:
    """A documented object, with its signatures marked as Sphinx marks them."""
    item = nodes.definition_list_item()
    for signature in filter(None, map(str.strip, signatures)):
        term = nodes.term()
        name = _NAME.search(signature)
        prefix, owner, object_name, suffix = "", "", signature, ""
        if name:
            name_start = name.start(1 if name[1] else 2)
            prefix, suffix = signature[:name_start], signature[name.end() :]
            owner, object_name = name[1] or "", name[2]
        term += nodes.Text(prefix)
        term += nodes.inline("", owner, classes=["descclassname"])
        term += nodes.inline("", object_name, classes=["descname"])
        if suffix.startswith("("):
            term += nodes.inline("", "(", classes=["sig-paren"])
            suffix = suffix[1:]
        term += nodes.Text(suffix)
        item += term
    item += nodes.definition("", *content)
    return nodes.definition_list("", item)


def _keep_words(
    name: str, rawtext: str, text: str, _lineno: int, _inliner: Inliner, *_: object
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """The readable text of a role that docutils does not know: a title, a name or words."""
    titled_target = _TITLED_TARGET.fullmatch(nodes.unescape(text))
    words = titled_target[1].rstrip() if titled_target else nodes.unescape(text).lstrip("!")
    if words.startswith("~"):
        words = words.rpartition(".")[2].lstrip("~")
    if name.lower().rpartition(":")[2] in _WORDS_ROLES:
        return [nodes.Text(words)], []
    return [nodes.literal(rawtext, words if titled_target else words.lstrip("."))], []
