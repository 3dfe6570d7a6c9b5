"""The features of a process: which are loaded, in which order, and what happens to broken ones."""

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self, cast
from unittest.mock import MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr, model_validator
from typing_extensions import override

from rich_agent import installed
from rich_agent.attachments import draw, drawable
from rich_agent.composition.repositories import memory_rows
from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.memory.kinds import MemoryKind
from rich_agent.errors import InvalidSettingsError, SettingsError, UpstreamRefusedError
from rich_agent.feature import (
    Feature,
    Group,
    MenuEntry,
    SectionSecrets,
    loaded_features,
    setting,
)
from rich_agent.installed import choose_features, find_features, leave_out
from rich_agent.repositories.memory_store import MemoryRows
from rich_agent.settings.settings import Settings


@dataclass(frozen=True)
class _Entry:
    """An entry point of a package."""

    name: str
    feature: Feature | BaseException
    package: str = "strange"

    @property
    def dist(self) -> SimpleNamespace:
        return SimpleNamespace(name=self.package, version="1.0")

    def load(self) -> Feature:
        if isinstance(self.feature, BaseException):
            raise self.feature
        return self.feature


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, list[_Entry]]]:
    """Entry points of the project and of other packages; lists to be filled."""
    found: dict[str, list[_Entry]] = {"own": [], "others": []}
    choose_features((), ("none",))
    choose_features((), ())  # forgets what was left out

    def candidates(on: frozenset[str], off: frozenset[str], _group: str) -> list[_Entry]:
        named = [one for one in found["others"] if one.name in on]
        return [*(one for one in found["own"] if one.name not in off), *named]

    monkeypatch.setattr(installed, "_candidates", candidates)
    find_features.cache_clear()
    yield found
    choose_features((), ("none",))
    choose_features((), ())
    find_features.cache_clear()


def names(on: tuple[str, ...] = (), off: tuple[str, ...] = ()) -> list[str]:
    """The features in their order."""
    return [one.name for one in find_features(frozenset(on), frozenset(off)).features]


def own(name: str, *after: str) -> _Entry:
    """One of the project's own."""
    return _Entry(name, Feature(name=name, after=after), "rich-agent")


def test_features_stand_behind_those_that_they_name(entries: dict[str, list[_Entry]]) -> None:
    """Otherwise by name, however the packages list them; one that is not there is no matter."""
    entries["own"] = [own("web"), own("agenda", "web", "gone"), own("voice"), own("mail", "voice")]
    assert names() == ["voice", "mail", "web", "agenda"]
    entries["own"].reverse()
    find_features.cache_clear()
    assert names() == ["voice", "mail", "web", "agenda"]


def test_feature_without_what_it_needs_is_left_out(entries: dict[str, list[_Entry]]) -> None:
    """Whether that is switched off, fails, or is left out later; with all that need the feature."""
    entries["own"] = [
        own("voice"),
        _Entry("mail", Feature(name="mail", needs=("tasks",)), "rich-agent"),
        _Entry("digest", Feature(name="digest", needs=("mail",)), "rich-agent"),
        own("tasks"),
    ]
    assert names() == ["tasks", "mail", "digest", "voice"]
    assert names(off=("tasks",)) == ["voice"]
    failures = find_features(frozenset(), frozenset({"tasks"})).broken
    reasons = {failure.name: failure.reason for failure in failures}
    assert reasons == {
        "mail": "it needs tasks, which is switched off, broken or not installed",
        "digest": "it needs mail, which is switched off, broken or not installed",
    }
    assert {failure.name: failure.hint for failure in failures} == {
        "mail": "Switch tasks on, or add mail to FEATURES_OFF.",
        "digest": "Switch mail on, or add digest to FEATURES_OFF.",
    }
    assert all(failure.is_by_choice for failure in failures)
    leave_out("tasks", "no table")
    assert [one.name for one in installed.installed_features().features] == ["voice"]
    assert not any(one.is_by_choice or one.hint for one in installed.installed_features().broken)


def test_feature_that_also_lacks_a_broken_one_is_broken(entries: dict[str, list[_Entry]]) -> None:
    """To switch on what is off would not bring it back."""
    entries["own"] = [_Entry("mail", Feature(name="mail", needs=("tasks", "zone")), "rich-agent")]
    entries["own"] += [own("tasks"), _Entry("zone", ImportError("no zone"), "rich-agent")]
    failures = find_features(frozenset(), frozenset({"tasks"})).broken
    assert [(one.name, one.is_by_choice, one.hint) for one in failures] == [
        ("zone", False, ""),
        ("mail", False, ""),
    ]
    assert failures[1].reason == "it needs zone, which is switched off, broken or not installed"


def test_own_features_stand_before_those_of_others(entries: dict[str, list[_Entry]]) -> None:
    """Also those that wait for others of the project, so that no name of theirs is taken."""
    entries["own"] = [own("people", "voice"), own("voice", "bookmarks")]
    entries["others"] = [
        _Entry("bookmarks", Feature(name="bookmarks")),
        _Entry("alarm", Feature(name="alarm", after=("bookmarks", "people"))),
    ]
    assert names(on=("alarm", "bookmarks")) == ["voice", "people", "bookmarks", "alarm"]


def test_features_that_wait_for_one_another_are_left_out(entries: dict[str, list[_Entry]]) -> None:
    """The others are loaded."""
    entries["own"] = [own("a", "b"), own("b", "a"), own("c", "b")]
    found = find_features(frozenset(), frozenset())
    assert [one.name for one in found.features] == ["c"]
    assert {one.name for one in found.broken} == {"a", "b"}
    assert "wait for one another" in found.broken[0].reason


@given(st.permutations("abcdef"), st.data())
def test_order_is_the_same_for_every_listing(listing: list[str], data: st.DataObject) -> None:
    """Each behind those it names, of which all stand before it in the alphabet."""
    after = {
        name: data.draw(st.sets(st.sampled_from("abcdef"[: "abcdef".index(name)] or "-")))
        for name in "abcdef"
    }
    features = [Feature(name=name, after=tuple(sorted(after[name]))) for name in listing]
    ordered, broken = installed._in_order(features)
    order = [one.name for one in ordered]
    assert not broken
    assert sorted(order) == list("abcdef")
    for name in order:
        assert all(order.index(before) < order.index(name) for before in after[name] - {"-"})
    assert ordered == installed._in_order(sorted(features, key=lambda one: one.name))[0]


def test_features_of_others_are_loaded_only_by_name(entries: dict[str, list[_Entry]]) -> None:
    """They run with all rights of the bot; FEATURES_OFF goes before FEATURES_ON."""
    entries["own"] = [own("voice")]
    entries["others"] = [_Entry("poker", Feature(name="poker"))]
    assert names() == ["voice"]
    assert names(on=("poker",), off=("voice",)) == ["poker"]
    assert names(on=("poker",), off=("poker",)) == ["voice"]
    assert find_features(frozenset({"poker"}), frozenset()).packages["poker"] == "strange 1.0"


def test_broken_features_are_left_out_with_their_reason(entries: dict[str, list[_Entry]]) -> None:
    """One that raises, one of another name, one that no package has."""
    entries["own"] = [own("voice")]
    entries["others"] = [
        _Entry("poker", ImportError("no cards")),
        _Entry("chess", Feature(name="draughts")),
    ]
    found = find_features(frozenset({"poker", "chess", "go"}), frozenset())
    assert [one.name for one in found.features] == ["voice"]
    reasons = {one.name: one.reason for one in found.broken}
    assert reasons == {
        "poker": "ImportError: no cards",
        "chess": "ValueError: it calls itself 'draughts'",
        "go": "no installed package has it",
    }


def test_attachments_are_drawn_by_the_feature_that_declares_their_kind(
    entries: dict[str, list[_Entry]],
) -> None:
    """One without a feature is left out; one that cannot be drawn is refused."""

    def fail(_content: Mapping[str, Any], _locale: str) -> bytes:
        raise KeyError("rows")

    pictures = {"map": lambda content, locale: f"{content['of']} {locale}".encode(), "plan": fail}
    entries["own"] = [_Entry("maps", Feature(name="maps", pictures=pictures), "rich-agent")]
    choose_features((), ())
    rome, lost = Attachment("map", "Rome", {"of": "Rome"}), Attachment("chart", "")
    assert drawable([rome, lost]) == (rome,)
    assert asyncio.run(draw(rome, "it")) == b"Rome it"
    for one in (lost, Attachment("plan", "")):
        with pytest.raises(UpstreamRefusedError):
            asyncio.run(draw(one, "it"))


def test_two_features_draw_no_kind_together(entries: dict[str, list[_Entry]]) -> None:
    """The second is left out, and so is one whose kind would be the number of a photo."""
    entries["own"] = [
        _Entry("a", Feature(name="a", pictures={"map": lambda _content, _locale: b""})),
        _Entry("b", Feature(name="b", pictures={"map": lambda _content, _locale: b""})),
        _Entry("c", Feature(name="c", pictures={"0": lambda _content, _locale: b""})),
    ]
    reasons = [one.reason for one in find_features(frozenset(), frozenset()).broken]
    assert reasons[0] == "ValueError: the kind of attachment map belongs to a"
    assert len(reasons) == 2


def test_two_features_keep_no_kind_of_memory_together(entries: dict[str, list[_Entry]]) -> None:
    """The second is left out, and the reason names whose the kind is."""
    rows: dict[MemoryKind, Callable[[], MemoryRows]] = {"tasks": MagicMock()}
    entries["own"] = [_Entry(name, Feature(name=name, memory_rows=rows)) for name in ("a", "b")]
    reasons = [one.reason for one in find_features(frozenset(), frozenset()).broken]
    assert reasons == ["ValueError: the kind of memory tasks belongs to a"]


def test_feature_keeps_only_kinds_that_the_memory_has(entries: dict[str, list[_Entry]]) -> None:
    """With another kind, every change of the memory would fail."""
    rows = cast("dict[MemoryKind, Callable[[], MemoryRows]]", {"recipes": MagicMock()})
    entries["own"] = [_Entry("recipes", Feature(name="recipes", memory_rows=rows))]
    (failure,) = find_features(frozenset(), frozenset()).broken
    assert failure.reason == (
        "ValueError: `memory_rows` has recipes; the kinds are facts, preferences, tasks"
    )


def test_memory_keeps_items_whose_rows_cannot_be_loaded(
    entries: dict[str, list[_Entry]],
) -> None:
    """Nor lack a method. They are in the store alone; rows of other features are used."""

    def fail() -> MemoryRows:
        raise ImportError("no rows")

    rows = MagicMock()
    entries["own"] = [
        _Entry("a", Feature(name="a", memory_rows={"tasks": fail})),
        _Entry("b", Feature(name="b", memory_rows={"facts": lambda: rows})),
        _Entry("c", Feature(name="c", memory_rows={"preferences": lambda: MagicMock(spec=dict)})),
    ]
    choose_features((), ())
    assert memory_rows() == {"facts": rows}


def test_declarations_of_the_project_load_neither_models_nor_databases() -> None:
    """`--help` reads them all."""
    assert all(isinstance(one, Feature) for one in loaded_features())
    assert not choose_features((), ()).broken


def test_door_exports_what_it_lists() -> None:
    """Each name leads to what its module has; anything else is an error."""
    from rich_agent import feature as door  # noqa: PLC0415 - the module itself

    for name in door._MODULE_OF:
        assert getattr(door, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'graph'"):
        _ = door.graph


def test_entry_points_are_read_from_the_group() -> None:
    """The real ones: of this distribution, and of a package that is named."""
    assert isinstance(installed._candidates(frozenset(), frozenset()), list)
    assert all(isinstance(one, EntryPoint) for one in installed._candidates({"x"}, ()))


class _Needy(Group):
    """Settings one of which has no default."""

    word: str


def _folder(path: Path, **files: str) -> Path:
    for name, text in files.items():
        (path / name.replace("_ftl", ".ftl").replace("_py", ".py")).write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"menu": [MenuEntry("poker")]}, "`menu`, `after` and `needs` are tuples"),
        ({"after": ["voice"]}, "`menu`, `after` and `needs` are tuples"),
        ({"menu": (MenuEntry("poker"),)}, "en.ftl has no command-poker"),
        ({"locales": Path("nowhere")}, "nowhere has no en.ftl"),
        ({"prompts": Path("nowhere")}, "nowhere has no *.md"),
        ({"migrations": Path("nowhere"), "tables": object}, "nowhere has no *.py"),
        ({"settings": _Needy}, "Field required"),
        ({"extensions": {"voice": object}}, "it extends voice, which is not in its `needs`"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_declaration_that_would_stop_the_core_is_refused(
    entries: dict[str, list[_Entry]], parts: dict[str, Any], reason: str
) -> None:
    """The others are loaded, and the reason says what to mend."""
    entries["own"] = [own("voice")]
    entries["others"] = [_Entry("poker", Feature(name="poker", **parts))]
    found = find_features(frozenset({"poker"}), frozenset())
    assert [one.name for one in found.features] == ["voice"]
    assert reason in found.broken[0].reason


def test_migrations_need_a_declaration_of_their_tables(
    entries: dict[str, list[_Entry]], tmp_path: Path
) -> None:
    """Else nobody would know whose rows they hold."""
    migrations = _folder(tmp_path, first_py="")
    entries["others"] = [_Entry("poker", Feature(name="poker", migrations=migrations))]
    (broken,) = find_features(frozenset({"poker"}), frozenset()).broken
    assert "no `tables`" in broken.reason


@pytest.mark.parametrize("name", ["app", "core", "Poker", "poker-night", "p" * 60])
def test_names_of_the_core_and_odd_ones_are_refused(
    entries: dict[str, list[_Entry]], name: str
) -> None:
    """They stand in names of tables."""
    entries["others"] = [_Entry(name, Feature(name=name))]
    (broken,) = find_features(frozenset({name}), frozenset()).broken
    assert "its name" in broken.reason


def test_module_that_ends_the_process_is_left_out(entries: dict[str, list[_Entry]]) -> None:
    """Also one that calls `sys.exit` when it is imported."""
    entries["others"] = [_Entry("poker", SystemExit(3))]
    (broken,) = find_features(frozenset({"poker"}), frozenset()).broken
    assert broken.reason == "SystemExit: 3"


def test_feature_takes_no_setting_of_the_core(
    entries: dict[str, list[_Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left out, with its defaults; the core's is as it was set."""

    class Retention(Group):
        days: float = setting("Something else.", 3.0)

    entries["others"] = [_Entry("retention", Feature(name="retention", settings=Retention))]
    monkeypatch.setenv("FEATURES_ON", "retention")
    monkeypatch.setenv("RETENTION_DAYS", "7")
    settings = Settings.load()
    assert settings.storage.retention_days == 7
    assert settings.section(Retention).days == 3.0
    choose_features((), ())


class _Plain(BaseModel):
    """Settings that may change, and that take what they do not know."""

    word: str = ""


class _Cards(Group):
    """Settings of a feature."""

    deck: str = setting("The deck.", "", name="CARDS_DECK")
    seats: int = setting("The seats.", 2, name="CARDS_SEATS")


class _MoreCards(_Cards):
    """Settings that have more than another feature's, under names of their own."""

    deck: str = setting("The deck.", "", name="CHESS_DECK")
    seats: int = setting("The seats.", 2, name="CHESS_SEATS")


class _Table(Group):
    """Settings that have to fit one another."""

    key: SecretStr | None = setting("The key.", name="TABLE_KEY")
    seats: int = setting("The seats.", 4, name="TABLE_SEATS")
    players: int = setting("The players.", 2, name="TABLE_PLAYERS")

    @model_validator(mode="after")
    def _seat_all(self) -> Self:
        assert self.players <= self.seats, "more players than seats"
        return self


def _declare(entries: dict[str, list[_Entry]], **settings: Any) -> None:
    entries["own"] = [
        _Entry(name, Feature(name=name, settings=one), "rich-agent")
        for name, one in settings.items()
    ]


@pytest.mark.parametrize(
    ("deck", "owner"), [("CARDS_DECK", "bridge"), ("RETENTION_DAYS", "the core")]
)
def test_feature_is_left_out_whose_setting_is_anothers(
    entries: dict[str, list[_Entry]], monkeypatch: pytest.MonkeyPatch, deck: str, owner: str
) -> None:
    """It would never get a value; the first to have it keeps it."""

    class Poker(Group):
        cards: str = setting("The cards.", "", name=deck)

    _declare(entries, bridge=_Cards, poker=Poker)
    monkeypatch.setenv(deck, "7")
    settings = Settings.load()
    found = installed.installed_features()
    assert [one.name for one in found.features] == ["bridge"]
    assert found.broken[0].reason == f"its setting {deck} belongs to {owner}"
    assert settings.section(_Cards).deck == ("7" if owner == "bridge" else "")


def test_section_of_a_feature_is_not_that_of_another(
    entries: dict[str, list[_Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one's class is made from the other's."""
    _declare(entries, bridge=_MoreCards, poker=_Cards)
    monkeypatch.setenv("CARDS_DECK", "poker's")
    monkeypatch.setenv("CHESS_DECK", "chess'")
    settings = Settings.load()
    assert settings.section(_Cards).deck == "poker's"
    assert settings.section(_MoreCards).deck == "chess'"


def test_settings_of_a_feature_that_do_not_fit_one_another_are_told(
    entries: dict[str, list[_Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first of them, without their values; they end no program."""
    _declare(entries, bridge=_Table)
    monkeypatch.setenv("TABLE_KEY", "sesame")
    monkeypatch.setenv("TABLE_PLAYERS", "9")
    with pytest.raises(InvalidSettingsError) as caught:
        Settings.load()
    (problem,) = caught.value.problems
    assert problem.name == "TABLE_KEY"
    assert "more players than seats" in str(problem)
    assert "sesame" not in caught.value.explain()
    monkeypatch.setenv("TABLE_SEATS", "many")
    with pytest.raises(InvalidSettingsError) as caught:
        Settings.load()
    assert [one.name for one in caught.value.problems] == ["TABLE_SEATS"]


class _Vault(Group):
    """Settings with secrets in another place."""

    place: str = setting("The place.", "", name="VAULT_PLACE")

    @override
    def find_problems(self) -> Iterator[SettingsError]:
        if self.place == "nowhere":
            yield SettingsError("VAULT_PLACE", "there is no such place", hint="Write one.")
        if self.place == "hell":
            raise KeyError("hell")

    @override
    def find_secrets(self) -> SectionSecrets:
        if self.place == "fog":
            raise KeyError("fog")
        key = os.environ.get("VAULT_WORD", "")
        return SectionSecrets(frozenset({key}), frozenset({"VAULT_WORD"}))


def test_section_of_a_feature_finds_problems_and_secrets(
    entries: dict[str, list[_Entry]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are told, masked and kept from other programs like the core's."""
    _declare(entries, bridge=_Vault)
    monkeypatch.setenv("VAULT_WORD", "sesame")
    settings = Settings.load()
    settings.forget_secrets()
    assert "VAULT_WORD" not in os.environ
    assert "sesame" in settings.secrets
    monkeypatch.setenv("VAULT_PLACE", "nowhere")
    with pytest.raises(InvalidSettingsError, match="no such place") as caught:
        Settings.load()
    assert [one.name for one in caught.value.problems] == ["VAULT_PLACE"]


@pytest.mark.parametrize("place", ["hell", "fog"])
def test_section_of_a_feature_that_breaks_leaves_it_out(
    entries: dict[str, list[_Entry]], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """The bot does without it."""
    _declare(entries, bridge=_Vault, poker=_Cards)
    monkeypatch.setenv("VAULT_PLACE", place)
    assert Settings.load().secrets is not None
    found = installed.installed_features()
    assert [one.name for one in found.features] == ["poker"]
    assert place in found.broken[0].reason


@pytest.mark.parametrize("settings", [_Plain, lambda: _Plain, lambda: 3], ids=lambda _: "")
def test_feature_is_left_out_whose_settings_are_no_group(
    entries: dict[str, list[_Entry]], settings: Any
) -> None:
    """The others are loaded."""
    _declare(entries, bridge=_Cards, poker=settings)
    assert Settings.load().section(_Cards).seats == 2
    found = installed.installed_features()
    assert [one.name for one in found.features] == ["bridge"]
    assert "settings" in found.broken[0].reason


@pytest.mark.parametrize("load", [lambda: _Needy, lambda: 1 // 0], ids=["needy", "broken"])
def test_feature_is_left_out_whose_settings_cannot_be_loaded(
    entries: dict[str, list[_Entry]], monkeypatch: pytest.MonkeyPatch, load: Any
) -> None:
    """They are loaded with the settings alone, so that `--help` waits for none of them."""
    entries["others"] = [_Entry("poker", Feature(name="poker", settings=load))]
    monkeypatch.setenv("FEATURES_ON", "poker")
    Settings.load()
    assert "its settings" in installed.installed_features().broken[0].reason
    choose_features((), ())


def test_feature_that_is_left_out_stays_so_until_others_are_chosen(
    entries: dict[str, list[_Entry]],
) -> None:
    """Such as one whose tables could not be made."""
    entries["own"] = [own("voice"), own("web")]
    leave_out("voice", "its tables: no room")
    assert [one.name for one in loaded_features()] == ["web"]
    assert installed.installed_features().broken[0].reason == "its tables: no room"
    choose_features((), ())
    assert [one.name for one in loaded_features()] == ["web"]
    choose_features((), ("web",))
    assert [one.name for one in loaded_features()] == ["voice"]
    choose_features((), ())
