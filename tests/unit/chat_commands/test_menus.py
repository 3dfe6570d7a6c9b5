"""Menus have the commands that work with the bot's settings."""

import pytest

from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL, Menu
from rich_agent.composition.features import NO_FEATURES, OpenFeatures
from rich_agent.composition.menus import make_menu
from rich_agent.feature import MenuEntry, loaded_features
from rich_agent.settings.settings import Settings


@pytest.mark.feature("calendars")
def test_menu_lists_of_features_the_commands_that_they_answer() -> None:
    """None of a feature that did not open, whatever it declares; but what is secret stays so."""
    declared = [entry for feature in loaded_features() for entry in feature.menu]
    menu = make_menu(Settings(), NO_FEATURES)
    assert (menu.for_all, menu.for_admins) == (FOR_ALL, FOR_ADMINS)
    assert "connect" in menu.secret
    for entry in declared:
        menu = make_menu(Settings(), OpenFeatures(menu=(entry,)))
        listed = {*menu.for_all, *menu.for_admins}
        assert {one.name for one in declared} & listed == {entry.name}


@pytest.mark.feature("agenda")
def test_help_tells_what_open_features_can_do() -> None:
    """A feature that did not open has no line, as it has no command."""
    (agenda,) = (feature for feature in loaded_features() if feature.name == "agenda")
    menu = make_menu(Settings(), OpenFeatures(menu=agenda.menu[:1]))
    assert menu.help_phrases == ("agenda-help",)
    assert make_menu(Settings(), NO_FEATURES).help_phrases == ()


def test_command_is_left_out_whose_availability_cannot_be_told() -> None:
    """The menu has all others."""

    def fail(_settings: Settings) -> bool:
        raise KeyError("deck")

    entries = (MenuEntry("deal", is_available=fail), MenuEntry("bet"))
    menu = make_menu(Settings(), OpenFeatures(menu=entries))
    assert menu.unavailable == {"deal"}


def test_commands_of_features_stand_before_what_settles_the_bot() -> None:
    """Behind what a conversation needs; what a user seldom wants, such as /forget, comes last."""
    menu = make_menu(Settings(), OpenFeatures(menu=(MenuEntry("deal"), MenuEntry("bet"))))
    names = menu.for_all
    assert names[:2] == ("start", "help")
    assert names.index("retry") < names.index("deal") < names.index("bet") < names.index("files")
    assert names[-1] == "forget"


def test_describe_leaves_unavailable_commands_out() -> None:
    """All others stay in their order."""
    names = [
        name for name, _ in Menu(unavailable=frozenset({"files"})).describe("en", is_admin=False)
    ]
    assert names == [name for name in FOR_ALL if name != "files"]
