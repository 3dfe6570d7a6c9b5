"""The features of a process: which are loaded, in which order, and what happens to broken ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent import installed
from rich_agent.feature import Feature, loaded_features
from rich_agent.installed import choose_features, find_features


@dataclass(frozen=True)
class _Entry:
    """An entry point of a package."""

    name: str
    feature: Feature | Exception
    package: str = "strange"

    @property
    def dist(self) -> SimpleNamespace:
        return SimpleNamespace(name=self.package, version="1.0")

    def load(self) -> Feature:
        if isinstance(self.feature, Exception):
            raise self.feature
        return self.feature


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, list[_Entry]]]:
    """Entry points of the project and of other packages; lists to be filled."""
    found: dict[str, list[_Entry]] = {"own": [], "others": []}

    def candidates(on: frozenset[str], off: frozenset[str]) -> list[_Entry]:
        named = [one for one in found["others"] if one.name in on]
        return [*(one for one in found["own"] if one.name not in off), *named]

    monkeypatch.setattr(installed, "_candidates", candidates)
    find_features.cache_clear()
    yield found
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
    assert names() == ["voice", "web", "agenda", "mail"]
    entries["own"].reverse()
    find_features.cache_clear()
    assert names() == ["voice", "web", "agenda", "mail"]


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
