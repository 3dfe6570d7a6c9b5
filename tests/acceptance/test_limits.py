"""Usage that is counted, priced and limited: seen in the chat and in the stand-ins' calls.

These bots have a sandbox and a database of their own: their limits are low.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.acceptance.faults import end_leases
from tests.acceptance.pictures import picture
from tests.acceptance.test_commands import command, press
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.world import (
    ADMIN,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer

TOKENS = 20_000
RESET = re.compile(
    r"tomorrow, 0:00 UTC \(in (?:1 day|\d+ hrs?(?: \d+ mins?)?|\d+ minutes?|\d+ seconds?)\)"
)


@contextmanager
def low_limits(server: PostgresServer, template: str) -> Iterator[World]:
    """No document, low limits, and a price for what answers; no bot runs yet."""
    with running_sandbox() as sandbox, server.database(template) as url:
        limits = {"DAILY_TOKENS": str(TOKENS), "DAILY_IMAGES": "1", "DAILY_SEARCHES": "1"}
        prices = {"MODEL_PRICES": "sandbox-chat=1.00/2.00", "SEARCH_PRICE": "0.008"}
        yield World(sandbox, environment(sandbox.url, url, **limits, **prices), url)


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A running bot that polls."""
    with (
        low_limits(database_server, database_template) as prepared,
        running_bot(prepared.environment),
    ):
        yield prepared


def use(world: World, user: int, tokens: int, day: str = "today") -> None:
    """Have a user use tokens, on a day of UTC by the database's clock."""
    world.rows(
        "INSERT INTO usage_days VALUES (%s, (clock_timestamp() AT TIME ZONE 'UTC')::date "
        "- (%s = 'yesterday')::int, 'text', 'sandbox-chat', 1, 0, %s, 0, 0, 0, 0) RETURNING day",
        user,
        day,
        tokens,
    )


def used(world: World, user: int) -> dict[str, Any]:
    """The sums of all that a user used; numbers alone."""
    (row,) = world.rows(
        "SELECT coalesce(sum(calls), 0)::int AS calls, coalesce(sum(estimated), 0)::int "
        "AS estimated, coalesce(sum(input_tokens + output_tokens), 0)::int AS tokens, "
        "coalesce(sum(images), 0)::int AS images, coalesce(sum(searches), 0)::int AS searches "
        "FROM usage_days WHERE user_id = %s",
        user,
    )
    return row


def metrics_of(world: World) -> str:
    """The metrics that Prometheus reads."""
    port = world.environment["PORT"]
    return httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text


def refusals(world: World) -> dict[str, int]:
    """The number of turns that came to each limit."""
    found = re.findall(
        r'^turn_refusals_total\{limit="(\w+)"\} (\d+)', metrics_of(world), re.MULTILINE
    )
    return {limit: int(count) for limit, count in found}


def calls(world: World, since: int) -> Counter[str]:
    """The number of calls of each upstream but Telegram."""
    return Counter(
        call["method"]
        for call in world.sandbox.calls(since=since)
        if call["upstream"] != "telegram"
    )


@pytest.mark.req("COST-1")
def test_every_call_of_a_turn_is_counted_by_what_the_server_told(world: World, user: int) -> None:
    """As many calls as the stand-ins received, none of them estimated; nothing stays reserved."""
    before = world.sandbox.mark()
    world.ask(user, "What is the latest news about tea in Oslo today?")
    made = calls(world, before)
    assert made["chat.completions"] >= 2
    assert made["search"] == 1
    found = used(world, user)
    assert (found["calls"], found["estimated"]) == (made.total(), 0)
    assert found["searches"] == 1
    assert found["tokens"] > 500
    assert world.rows("SELECT 1 FROM usage_reservations WHERE user_id = %s", user) == []
    (decision,) = world.decisions(user)
    by_node = {name: report.get("usage", []) for name, report in decision["nodes"].items()}
    told = [entry for entries in by_node.values() for entry in entries]
    assert sum(entry["calls"] for entry in told) == made.total()
    assert by_node["N6_synthesize"][0]["model"] == "sandbox-chat"


@pytest.mark.req("COST-1")
def test_used_up_tokens_are_told_with_the_time_of_reset(world: World, user: int) -> None:
    """No model is called; commands and greetings go on; the next day answers again."""
    use(world, user, TOKENS - 100)
    before = world.sandbox.mark()
    told = world.ask(user, "What is a marmalade validator?")["text"]
    assert "20,000 tokens" in told
    assert RESET.search(told)
    photo = picture("red", "blue", seed=user)
    assert world.ask(user, "What is this?", photo=photo)["text"].startswith(
        "You have reached your limit for today (20,000 tokens)"
    )
    assert "トークン" in world.ask(user, "ソラナとは何ですか")["text"]
    assert world.ask(user, "hi")["text"].startswith("Hi")
    status = command(world, user, "/status")["text"]
    assert "tokens 19,900 of 20,000" in status
    assert "images 0 of 1, web searches 0 of 1" in status
    assert RESET.search(status)
    assert calls(world, before) == Counter()
    assert (
        world.rows("SELECT 1 FROM telegram_inbox WHERE user_id = %s AND dead_at IS NOT NULL", user)
        == []
    )
    world.rows("UPDATE usage_days SET day = day - 1 WHERE user_id = %s RETURNING day", user)
    assert "tokens" not in world.ask(user, "What is a marmalade validator?")["text"]
    assert calls(world, before)["chat.completions"] >= 1


@pytest.mark.req("COST-1")
def test_an_image_over_the_limit_is_left_out_and_the_text_answered(world: World, user: int) -> None:
    """One that was seen before costs nothing; without a word there is only the notice."""
    first, second = (picture("red", "blue", seed=user + n * 50_000) for n in range(2))
    assert "limit" not in world.ask(user, "What colours are these?", photo=first)["text"]
    assert used(world, user)["images"] == 1
    before = world.sandbox.mark()
    over = world.ask(user, "What is proof of history? I wonder", photo=second)["text"]
    assert "(1 image), so I did not look" in over
    assert RESET.search(over)
    only = world.ask(user, photo=second)["text"]
    assert only.startswith("You have reached your limit for today")
    assert "limit" not in world.ask(user, "And these colours?", photo=first)["text"]
    looked = [call for call in world.sandbox.calls("openai", before) if "image_url" in str(call)]
    assert looked == []
    assert used(world, user)["images"] == 1


@pytest.mark.req("COST-1", "VIS-1")
def test_a_repaired_look_is_the_one_image_of_the_day(world: World, user: int) -> None:
    """The repair is made, although the limit is one image."""
    world.sandbox.fail("openai", "malformed", method="chat.completions", times=1)
    photo = picture("crimson", "khaki", seed=user)
    told = world.ask(user, "What colours are these?", photo=photo)["text"]
    assert "red" in told.lower()
    assert "limit" not in told
    assert used(world, user)["images"] == 1


@pytest.mark.req("COST-1")
def test_a_search_over_the_limit_is_told_and_the_answer_goes_on(world: World, user: int) -> None:
    """The web is asked once that day."""
    before = world.sandbox.mark()
    assert "limit" not in world.ask(user, "What is the latest news about tea today?")["text"]
    over = world.ask(user, "What is the latest news about coffee today?")["text"]
    assert "(1 web search), so I did not search the web" in over
    assert RESET.search(over)
    assert calls(world, before)["search"] == 1
    assert used(world, user)["searches"] == 1


@pytest.mark.req("COST-1")
def test_forget_gives_nobody_a_second_day(world: World, user: int) -> None:
    """No row names the user, and what they used today still counts; tomorrow it is gone."""
    someone = user + 7_200_000_000
    use(world, someone, TOKENS - 100)
    asked = command(world, someone, "/forget")
    press(world, someone, asked, "Yes, delete everything")
    assert rows_naming(world, str(someone)) == {}
    before = world.sandbox.mark()
    assert "20,000 tokens" in world.ask(someone, "What is a validator, please?")["text"]
    assert "tokens 19,900 of 20,000" in command(world, someone, "/status")["text"]
    assert calls(world, before) == Counter()
    world.rows("UPDATE usage_forgotten SET day = day - 1 RETURNING day")
    assert "20,000" not in world.ask(someone, "What is a validator, please?")["text"]


def test_admins_are_counted_and_not_limited(world: World, user: int) -> None:
    """They pay the bill: /stats tells what for."""
    use(world, ADMIN, 10 * TOKENS)
    use(world, user, 5, day="yesterday")
    assert "your limit" not in world.ask(ADMIN, "What is a validator, please?")["text"]
    status = command(world, ADMIN, "/status")["text"]
    assert " of 20,000" not in status
    told = command(world, ADMIN, "/stats")["text"]
    assert re.search(r"Used today \(UTC\): tokens [\d,]+", told)
    assert "cost $" in told
    top = told.partition("Most tokens, 7 days: ")[2]
    assert re.match(rf"{ADMIN} \(.{{1,40}}\): 20", top)


def test_usage_command_sums_by_day_model_and_user(world: World, user: int) -> None:
    """As a table and as JSON with exact costs; the metrics name the model."""
    world.ask(user, "What is a validator, please?")
    use(world, user, 1_000_000, day="yesterday")
    done = run_command(["rich_agent.cli", "usage", "--json", "--days", "2"], world.environment)
    told = json.loads(done.stdout)
    mine = told["users"][str(user)]
    assert mine["input_tokens"] > 1_000_000
    assert 1 < float(mine["cost_usd"]) < 1.1
    assert len(told["days"]) == 2
    assert "sandbox-chat (text)" in told["models"]
    shown = run_command(["rich_agent.cli", "usage"], world.environment).stdout
    assert re.search(rf"^user\t{user} \(\S.*\)\t.*\$1\.0\d$", shown, re.MULTILINE)
    metrics = metrics_of(world)
    assert 'model_tokens_total{direction="output",kind="text",model="sandbox-chat"}' in metrics
    assert 'model_cost_usd_total{kind="text",model="sandbox-chat"}' in metrics


@pytest.mark.req("COST-1", "OBS-1")
def test_limits_that_turns_come_to_are_counted(world: World, user: int) -> None:
    """Once for each turn, by what was used up; never by who it was."""
    before = refusals(world)
    use(world, user, TOKENS - 100)
    world.ask(user, "What is a marmalade validator?")
    assert refusals(world) == {**before, "tokens": before.get("tokens", 0) + 1}
    assert str(user) not in metrics_of(world)


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("COST-1")
def test_a_call_that_a_crash_cut_off_is_paid_for_once(
    database_server: PostgresServer, database_template: str, user: int
) -> None:
    """Kill -9 between reserving and settling: the retry charges the estimate, and answers."""
    with low_limits(database_server, database_template) as prepared:
        _crash(prepared, user)


def _crash(prepared: World, user: int) -> None:
    sandbox = prepared.sandbox
    with running_bot(prepared.environment) as bot:
        prepared.ask(user, "hi")
        sandbox.fail("openai", "timeout", method="chat.completions", delay_s=30.0)
        sent = sandbox.say(user, "What is a validator, please?")
        opened = "SELECT tokens FROM usage_reservations WHERE user_id = %s AND kind IS NOT NULL"
        call, *_ = wait_until(lambda: prepared.rows(opened, user) or None, "a call is under way")
        bot.kill()
        bot.wait(5)
    end_leases(prepared)
    with running_bot(prepared.environment):
        prepared.answer(user, sent)
    found = used(prepared, user)
    made = [
        call
        for call in sandbox.calls()
        if call["method"] in {"chat.completions", "search"} and call["status"] == 200
    ]
    # The planner's call was cut off, and that of the embedding beside it if it was not over.
    assert found["estimated"] in {1, 2}
    assert found["calls"] == len(made) + found["estimated"]
    assert found["tokens"] > call["tokens"]
    assert prepared.rows("SELECT 1 FROM usage_reservations WHERE user_id = %s", user) == []
