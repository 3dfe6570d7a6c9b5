"""The product's sentences: the same ones in every language, and none in Python."""

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Message, VariableReference
from fluent.syntax.visitor import Visitor

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.phrases import say

SOURCE = Path(str(files("rich_agent")))
PRODUCT = [SOURCE / "telegram", SOURCE / "graph"]


class _Variables(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802 - the library's word
        self.names.add(node.id.name)


def phrases(locale: str) -> dict[str, set[str]]:
    """The variables of each phrase."""
    text = (SOURCE / "locales" / f"{locale}.ftl").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for entry in FluentParser().parse(text).body:
        if isinstance(entry, Message):
            assert entry.id.name not in found, f"{entry.id.name} stands twice in {locale}"
            variables = _Variables()
            variables.visit(entry)
            found[entry.id.name] = variables.names
    return found


def locales_written() -> list[str]:
    """The languages that have a file."""
    return [one for one in SUPPORTED_LOCALES if (SOURCE / "locales" / f"{one}.ftl").is_file()]


def test_phrases_of_every_language_are_known_by_their_tag() -> None:
    """A file with another name would never be read."""
    named = {file.stem for file in (SOURCE / "locales").glob("*.ftl")}
    assert named <= set(SUPPORTED_LOCALES)


@pytest.mark.parametrize("locale", ["ja"])
def test_phrases_are_the_same_in_every_language(locale: str) -> None:
    """The same keys, in the same order."""
    assert list(phrases(locale)) == list(phrases("en"))


@pytest.mark.parametrize("locale", locales_written())
def test_phrases_take_the_same_values_in_every_language(locale: str) -> None:
    """A value that is missing in a language would break its sentence."""
    english = phrases("en")
    assert {
        key: (used, english.get(key))
        for key, used in phrases(locale).items()
        if used != english.get(key)
    } == {}


@pytest.mark.parametrize("locale", locales_written())
def test_phrases_are_no_junk(locale: str) -> None:
    """Fluent drops a malformed line without a word."""
    text = (SOURCE / "locales" / f"{locale}.ftl").read_text(encoding="utf-8")
    keys = re.findall(r"^([a-zA-Z][\w-]*) =", text, re.MULTILINE)
    assert set(keys) == set(phrases(locale))


def test_phrases_that_the_product_says_exist() -> None:
    """Each literal key that is handed to `say`."""
    said = {
        str(call.args[1].value)
        for folder in PRODUCT
        for file in folder.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "say"
        and isinstance(call.args[1], ast.Constant)
    }
    assert len(said) > 20
    assert said <= phrases("en").keys()


def test_no_sentence_for_users_stands_in_python() -> None:
    """Texts that are handed to Telegram come from `say`: none is a literal of several words."""
    makers = {"RenderedMessage", "Reply", "of", "Button", "Answer"}
    for folder in PRODUCT:
        for file in folder.rglob("*.py"):
            for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not isinstance(call, ast.Call):
                    continue
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                if name in makers:
                    literals = [a for a in call.args if isinstance(a, ast.Constant)]
                    assert not [a for a in literals if " " in str(a.value)], (file, call.lineno)


def test_say_refuses_an_unknown_phrase() -> None:
    """A mistyped key is noticed by the first test that says it."""
    with pytest.raises(LookupError):
        say("en", "no-such-phrase")
