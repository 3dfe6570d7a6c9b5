"""/users, /allow and /deny of the running bot."""

import pytest

from tests.acceptance.test_commands import command, labels, press, press_data, shown
from tests.acceptance.world import ADMIN, World


def test_deny_and_allow_hold_at_once(world: World, user: int) -> None:
    """By id; who is denied hears their number, and no model is asked."""
    world.ask(user, "hi")
    assert str(user) in command(world, ADMIN, f"/deny {user}")["text"]
    refused = command(world, user, "What is proof of history?")["text"]
    assert refused.startswith("This bot is private")
    assert str(user) in refused
    assert len(world.decisions(user)) == 1
    assert "may use me" in command(world, ADMIN, f"/allow {user}")["text"]
    assert "Ask me anything" in world.ask(user, "hi")["text"]


@pytest.mark.parametrize("args", ["", "ada", "@ada", "-5", "0", "1" * 40, "١٢"])
def test_access_goes_by_numbers_alone(world: World, args: str) -> None:
    """Anything else is answered with how it is done."""
    for name in ("/allow", "/deny"):
        assert "123456789" in command(world, ADMIN, f"{name} {args}")["text"]


def test_admin_cannot_be_locked_out(world: World) -> None:
    """Not even by themselves."""
    assert "ADMIN_USERS" in command(world, ADMIN, f"/deny {ADMIN}")["text"]
    assert "/allow – " in command(world, ADMIN, "/help")["text"]


def test_users_lists_ids_names_and_access_by_page(world: World, user: int) -> None:
    """Ten on a page, last seen first; the buttons turn it in place."""
    for number in range(11):
        command(world, user + 60_000 + number, "/privacy")
    world.ask(user, "hi")
    command(world, ADMIN, f"/deny {user}")
    listed = command(world, ADMIN, "/users")
    first, *lines = listed["text"].splitlines()
    assert first.endswith(" users:")
    assert len([line for line in lines if line]) == 10
    mine = next(line for line in lines if line.startswith(f"{user} ·"))
    assert "not allowed" in mine
    assert labels(listed) == ["›"]
    chat = press(world, ADMIN, listed, "›")
    second = shown(chat, listed["message_id"])
    assert labels(second)[0] == "‹"
    assert not set(second["text"].splitlines()[2:]) & set(lines)


def test_pages_of_users_are_for_admins_alone(world: World, user: int) -> None:
    """A forged press shows nothing."""
    mine = world.ask(user, "hi")
    chat = press_data(world, user, mine["message_id"], "users1:0")
    assert "admins" in chat["press_answers"][-1]["text"]
    assert shown(chat, mine["message_id"])["text"] == mine["text"]
