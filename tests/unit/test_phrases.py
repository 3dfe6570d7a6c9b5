"""The product's sentences: the same ones in every language, and none in Python."""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest
from babel import Locale
from fluent.syntax import FluentParser, FluentSerializer
from fluent.syntax.ast import Message, SelectExpression, VariableReference
from fluent.syntax.visitor import Visitor
from hypothesis import given, settings
from hypothesis import strategies as st

from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL
from rich_agent.domain.inventory import HiddenPart, Inventory, PartCount, PartKind, VisiblePart
from rich_agent.domain.languages import RIGHT_TO_LEFT, SUPPORTED_LOCALES
from rich_agent.feature import loaded_features
from rich_agent.phrases import say, say_parts
from tests.sources import parsed

SOURCE = Path(str(files("rich_agent")))
PRODUCT = [SOURCE / "telegram", SOURCE / "graph"]


class _Variables(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802 - the library's word
        self.names.add(node.id.name)


class _Choices(Visitor):
    """The names of the variants of each choice."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[set[str]] = []

    def visit_SelectExpression(self, node: SelectExpression) -> None:  # noqa: N802 - the library's word
        self.found.append(
            {getattr(v.key, "name", getattr(v.key, "value", "")) for v in node.variants}
        )
        self.generic_visit(node)


_PLURALS = {"zero", "one", "two", "few", "many"}
_WITHOUT_NOUN = {
    "ask-about-files",
    "ask-about-links",
    "file-kept",
    "file-not-kept",
    "files-title",
    "forgetting-more",
    "link-kept",
    "status-waiting",
    "timeline-left-out",
}
"""Whose number stands without a noun that it could change."""


@cache
def messages(locale: str) -> Mapping[str, Message]:
    """The phrases of the core and of features, parsed, which takes a while; none stands twice."""
    parser = FluentParser(with_spans=False)
    entries = chain.from_iterable(parser.parse(text).body for text in _texts(locale))
    phrases_by_key: dict[str, Message] = {}
    for entry in entries:
        if isinstance(entry, Message):
            assert entry.id.name not in phrases_by_key, f"{entry.id.name} stands twice in {locale}"
            phrases_by_key[entry.id.name] = entry
    return phrases_by_key


def _texts(locale: str) -> list[str]:
    """The files of a language: that of the core, then those of features."""
    paths = [
        SOURCE / "locales" / f"{locale}.ftl",
        *sorted(SOURCE.glob(f"features/*/locales/{locale}.ftl")),
    ]
    return [path.read_text(encoding="utf-8") for path in paths]


@cache
def trees(folder: Path) -> Mapping[Path, ast.Module]:
    """The modules of a folder and of those below it."""
    return {file: parsed(file) for file in folder.rglob("*.py")}


def _words(entry: Message) -> str:
    return FluentSerializer().serialize_entry(entry).partition("=")[2].strip()


@cache
def phrases(locale: str) -> Mapping[str, set[str]]:
    """The variables of each phrase."""
    return {key: _variables(entry) for key, entry in messages(locale).items()}


def _variables(entry: Message) -> set[str]:
    visitor = _Variables()
    visitor.visit(entry)
    return visitor.names


def test_phrases_of_every_language_are_known_by_their_tag() -> None:
    """A file with another name would never be read."""
    named = {file.stem for file in (SOURCE / "locales").glob("*.ftl")}
    assert named == set(SUPPORTED_LOCALES)


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_phrases_are_the_same_in_every_language(locale: str) -> None:
    """The same keys, in the same order."""
    assert list(phrases(locale)) == list(phrases("en"))


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_phrases_take_the_same_values_in_every_language(locale: str) -> None:
    """A value that is missing in a language would break its sentence."""
    english = phrases("en")
    assert {
        key: (used, english.get(key))
        for key, used in phrases(locale).items()
        if used != english.get(key)
    } == {}


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_phrases_name_the_same_commands_in_every_language(locale: str) -> None:
    """And have as many items: what stands in one list stands in all."""
    named = {key: _items(entry) for key, entry in messages(locale).items()}
    assert named == {key: _items(entry) for key, entry in messages("en").items()}


def _items(entry: Message) -> tuple[int, set[str]]:
    words = _words(entry)
    return words.count("•"), set(re.findall(r"(?<![\w/])/([a-z]+)(?![\w/])", words))


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_phrases_are_no_junk(locale: str) -> None:
    """Fluent drops a malformed line without a word."""
    text = "\n".join(_texts(locale))
    keys = re.findall(r"^([a-zA-Z][\w-]*) =", text, re.MULTILINE)
    assert set(keys) == set(phrases(locale))


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_phrases_have_the_plural_forms_of_their_language(locale: str) -> None:
    """A choice that names a plural form names each that whole numbers up to 200 need."""
    plural = Locale.parse(locale, sep="-").plural_form
    needed = {plural(number) for number in range(201)} - {"other"}
    lacking = set()
    for key, entry in messages(locale).items():
        choices = _Choices()
        choices.visit(entry)
        counted = [names for names in choices.found if names & _PLURALS]
        lacking |= {key for names in counted if not needed - {"zero"} <= names}
    assert lacking <= _WITHOUT_NOUN


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_phrases_hold_the_limits_of_telegram(locale: str) -> None:
    """Descriptions of commands have up to 256 characters; notices over a chat up to 200."""
    menu_names = (entry.name for feature in loaded_features() for entry in feature.menu)
    for name in (*FOR_ALL, *FOR_ADMINS, *menu_names):
        assert 1 <= len(say(locale, f"command-{name}")) <= 256
    for key in ("button-outdated", "button-not-yours", "rated", "rated-down"):
        assert len(say(locale, key)) <= 200
    for key in phrases(locale):
        if re.match("(?:[a-z_]++-)?button-", key) and not phrases(locale)[key]:
            assert key in {"button-outdated", "button-not-yours"} or len(say(locale, key)) <= 40


@pytest.mark.parametrize("locale", [one for one in SUPPORTED_LOCALES if one != "en"])
def test_phrases_leave_no_english_sentence(locale: str) -> None:
    """Sentences of four words and more are written in the language."""
    own = messages(locale)
    alike = [
        key
        for key, entry in messages("en").items()
        if len(re.findall(r"(?<![$A-Za-z])[a-z]{2,}", _words(entry))) >= 4
        and _words(entry) == _words(own[key])
    ]
    assert alike == []


@pytest.mark.parametrize("locale", sorted(RIGHT_TO_LEFT))
def test_say_keeps_the_order_of_what_is_written_from_left_to_right(locale: str) -> None:
    """A value stands between isolates, and a mark holds the slash of a command in its place."""
    told = say(locale, "unknown-command-near", command="/hepl", near="help")
    assert "\u2068/hepl\u2069" in told
    assert "\u200e/help" in told.replace("\u2068", "")
    assert "/\u2068" not in told


def test_phrases_that_the_product_says_exist() -> None:
    """Each literal key that is handed to `say`."""
    said = {
        str(call.args[1].value)
        for tree in trees(SOURCE).values()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "say"
        and len(call.args) > 1
        and isinstance(call.args[1], ast.Constant)
    }
    assert len(said) > 20
    assert said <= phrases("en").keys()


def _names_in(sources: Iterable[ast.Module]) -> tuple[set[str], list[re.Pattern[str]]]:
    """Every name and text in the sources, and the keys that are put together, as patterns."""
    words, patterns = {""}, set[str]()
    for node in chain.from_iterable(map(ast.walk, sources)):
        match node:
            case ast.Constant(value=str(word)) | ast.arg(arg=word) | ast.keyword(arg=str(word)):
                words.add(re.sub("[_+]", "-", word))
                if re.fullmatch("[A-Z][A-Za-z /]{1,30}", word):
                    words.add("-".join(re.findall("[a-z]+", word.lower())))
            case ast.AnnAssign(target=ast.Name(id=word)):
                words.add(word.replace("_", "-"))
            case ast.JoinedStr(values=parts):
                told = [str(one.value) if isinstance(one, ast.Constant) else "*" for one in parts]
                patterns.add(re.sub(r"\*+", "*", "".join(told)))
            case _:
                pass
    keys = [one for one in patterns if re.fullmatch(r"[a-z*][a-z*-]+", one) and "-" in one]
    return words, [re.compile(one.replace("*", r"([\w-]+)")) for one in keys]


def _names_on_pages() -> set[str]:
    """Every text in the scripts, the templates and the attributes of pages."""
    folders = ("features/*/page/**", "features/*/templates/**", "web/pages/**")
    texts = (
        file.read_text(encoding="utf-8")
        for folder in folders
        for pattern in ("*.js", "*.html")
        for file in SOURCE.glob(f"{folder}/{pattern}")
    )
    names = (name for text in texts for name in re.findall(r"[\"'`]([a-z][a-z_-]*)[\"'`]", text))
    return {name.replace("_", "-") for name in names}


def test_phrases_are_all_said() -> None:
    """A key stands in the sources, or is put together there with names that stand in them."""
    words, patterns = _names_in(trees(SOURCE).values())
    words |= _names_on_pages()

    def is_named(part: str) -> bool:
        name = part.replace("_", "-")
        return any(name[:end] in words and name[end:] in words for end in range(len(name)))

    def is_said(key: str) -> bool:
        found = (pattern.fullmatch(key) for pattern in patterns)
        return is_named(key) or any(all(map(is_named, one.groups())) for one in found if one)

    assert [key for key in phrases("en") if not is_said(key)] == []
    assert not is_said("reason-nobody-gives")
    assert not is_said("said-by-nobody")


def test_no_sentence_for_users_stands_in_python() -> None:
    """Texts that are handed to Telegram come from `say`: none is a literal of several words."""
    makers = {"RenderedMessage", "Reply", "of", "Button", "Answer"}
    for folder in PRODUCT:
        for file, tree in trees(folder).items():
            for call in ast.walk(tree):
                if not isinstance(call, ast.Call):
                    continue
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                if name in makers:
                    literals = [a for a in call.args if isinstance(a, ast.Constant)]
                    assert not [a for a in literals if " " in str(a.value)], (file, call.lineno)


_COUNTS = st.builds(
    lambda held, read: (held, min(held, read)), st.integers(1, 400), st.integers(0, 400)
)
_KINDS = [*get_args(VisiblePart), *get_args(HiddenPart)]
_INVENTORIES = st.dictionaries(st.sampled_from(_KINDS), _COUNTS)


@given(inventory=_INVENTORIES, locale=st.sampled_from(SUPPORTED_LOCALES))
@settings(max_examples=60, deadline=None)
def test_parts_name_each_missing_kind_once_and_nothing_else(
    inventory: dict[PartKind, tuple[int, int]], locale: str
) -> None:
    """With its number; what was read or is hidden is left out, and nothing of nothing."""
    counts = [PartCount(kind, *count) for kind, count in inventory.items()]
    unread = Inventory(tuple(counts)).unread
    assert unread == {
        kind: held - read
        for kind, (held, read) in inventory.items()
        if held > read and not kind.startswith("hidden_")
    }
    words = say_parts(locale, unread)
    assert bool(words) == bool(unread)
    for kind, count in unread.items():
        assert say(locale, f"file-part-{kind}", count=count) in words
    numbers = re.findall(r"\d+", words)
    assert sorted(numbers, key=int) == sorted(
        (str(count) for count in unread.values() if locale != "ar" or count > 2), key=int
    )


def test_say_refuses_an_unknown_phrase() -> None:
    """A mistyped key is noticed by the first test that says it."""
    with pytest.raises(LookupError):
        say("en", "no-such-phrase")


@pytest.mark.parametrize("key", ["memory-known", "why-memory", "forgetting-left"])
def test_hindi_has_a_word_for_one_thing(key: str) -> None:
    """बात for one, बातें for more."""
    assert "1 बात " in say("hi", key, count=1).replace("\u2068", "").replace("\u2069", "") + " "
    assert "बातें" not in say("hi", key, count=1)
    assert "बातें" in say("hi", key, count=2)


@pytest.mark.parametrize("key", ["forgetting-everything", "forgetting-done"])
def test_hindi_counts_each_kind_of_thing_by_itself(key: str) -> None:
    """One thing remembered, several messages, and the other way round."""
    assert "बातें" not in say("hi", key, memory=1, messages=2)
    assert "उत्तरों" not in say("hi", key, memory=2, messages=1)
