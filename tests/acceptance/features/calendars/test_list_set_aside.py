"""A task list whose synchronisation ends its process, over and over, is set aside."""

import pytest

from tests.acceptance.executioner import Executioner, running_executioner
from tests.acceptance.radicale_server import running_radicale
from tests.acceptance.test_commands import command as said
from tests.acceptance.test_set_aside import (
    executioner,  # noqa: F401 - a fixture
    is_told,
    letters,
    others_are_answered,
    replay,
    sandbox,  # noqa: F401 - a fixture
    started_again_and_again,
    world,  # noqa: F401 - a fixture
)
from tests.acceptance.world import World, running_bot, wait_until

pytestmark = pytest.mark.soak


@pytest.mark.req("REL-1")
def test_task_list_that_ends_its_process_is_set_aside(
    world: World,  # noqa: F811 - the fixture
    executioner: Executioner,  # noqa: F811 - the fixture
    user: int,
) -> None:
    """Its user is told; the tasks stay, and a replay synchronises them."""
    with running_radicale() as radicale, running_executioner(radicale.url) as between:
        login = radicale.user(f"user{user}", "Very-Secret 1234")
        url = login.url.replace(radicale.url, between.url)
        with running_bot(world.environment) as bot:
            executioner.awaits(bot)
            world.ask(user, "/start")
            told = said(world, user, f"/connect {url} {login.login[0]} Very-Secret 1234")
            assert told["text"].startswith("Connected"), told
            login.add("one", "Call Xaver")
            wait_until(lambda: world.rows("SELECT 1 FROM tasks"), "the list is in step")
        between.words = ("calendar-",)
        login.add("two", "Call Yasmin")

        def take_up() -> None:
            world.rows("UPDATE due_work SET due_at = now(), lease_until = NULL RETURNING 1")

        with started_again_and_again(world, between, take_up):
            is_told(world, user, "calendars-task-list-set-aside")
            others_are_answered(world, user)
            (letter,) = letters(world)
            assert letter["kind"] == "calendars_task_list"
            between.words = ()
            replay(world, letter)
            wait_until(lambda: len(world.rows("SELECT 1 FROM tasks")) == 2, "the list is in step")
