"""Forgetting: what a user wants forgotten is gone from every prompt, answer, export and table."""

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest

from rich_agent.phrases import say
from tests.acceptance.parameters import some_of
from tests.acceptance.test_agui import events_of, interrupts_in, program, text_in, wanted
from tests.acceptance.test_commands import command, labels, shown
from tests.acceptance.test_memory import prompts, texts
from tests.acceptance.world import Sent, World, wait_until

STAYS = "What is proof of history?"


@dataclass(frozen=True, slots=True)
class Case:
    """The words told, the wish to forget them, a question on them, and the word that tells it."""

    told: tuple[str, ...]
    wish: str
    probe: str
    word: str


CASES = {
    "a word in a sentence": Case(
        ("I have a doctor's appointment on Monday because of my diabetes.",),
        "forget what I told you about my diabetes",
        "What did I tell you about my appointment on Monday?",
        "diabetes",
    ),
    "a word for its topic": Case(
        ("I work as a falconer.", "My job as a falconer begins at six, what do you think?"),
        "Forget what I said about my job.",
        "What is my job, please tell me?",
        "falconers?",
    ),
    "a sentence": Case(
        ("I live in Tromso.", "How far is it from my home in Tromso to the sea?"),
        "Please forget that I live in Tromso.",
        "Where do I live, please tell me?",
        "tromso",
    ),
    "German": Case(
        ("Ich habe eine Erdnussallergie und esse keine Erdnüsse.",),
        "Vergiss bitte, dass ich eine Erdnussallergie habe",
        "Was habe ich dir über mein Essen gesagt?",
        "erdnuss(e|allergie)?",
    ),
    "Spanish": Case(
        ("Soy enfermera y trabajo de noche.", "¿Qué come una enfermera como yo por la noche?"),
        "olvida que soy enfermera",
        "¿Qué te dije sobre mi vida?",
        "enfermera",
    ),
    "Chinese": Case(
        ("我的工作是驯鹰人。",),
        "忘记我的工作",
        "我之前说过我是做什么的吗？",
        "驯鹰",
    ),
    "French": Case(
        ("Je travaille comme fauconnier.",),
        "Oublie mon travail de fauconnier",
        "Que fais-je dans la vie, s'il te plaît ?",
        "fauconnier",
    ),
    "Japanese": Case(
        ("糖尿病なので月曜日に病院に行きます。",),
        "糖尿病のことは忘れてください",
        "月曜日の予定について何を話しましたか？",
        "糖尿病",
    ),
}


def tables_naming(world: World, word: str) -> set[str]:
    """The tables in which a word stands, those of registered documents and use left out."""
    tables = world.rows("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
    named = (row["name"] for row in tables)
    kept = [name for name in named if not name.startswith(("rag_", "usage_"))]
    return {name for name in kept if re.search(word, _all_text(world, name), re.IGNORECASE)}


def _all_text(world: World, table: str) -> str:
    """Everything in a table, with bytes and escapes as text."""
    rows = world.rows(f'SELECT * FROM "{table}"')
    return "\n".join(_text(value) for row in rows for value in row.values())


def _text(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        read = bytes(value).decode("utf-8", "replace")
        return re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), read)
    return "\n".join(map(_text, value)) if isinstance(value, list) else str(value)


def exported(world: World, user: int) -> str:
    """The file of /export."""
    command(world, user, "/export")
    messages = world.sandbox.chat(user)["messages"]
    document = [message["document"] for message in messages if message.get("document")][-1]
    return world.sandbox.http.get(f"{world.sandbox.url}{document['url']}").text


def choose(world: World, user: int, asked: dict[str, Any], label: str) -> str:
    """Press the button of this text; the answer once it is stored."""
    (data,) = [
        button["callback_data"]
        for row in asked["buttons"]
        for button in row
        if button["text"] == label
    ]
    body = {"message_id": asked["message_id"], "callback_data": data}
    pressed = world.sandbox.http.post(f"{world.sandbox.url}/sim/chats/{user}/press", json=body)
    sent = Sent(asked["message_id"], pressed.raise_for_status().json()["update_id"])
    return str(world.answer(user, sent)["text"])


@pytest.mark.costs("it looks for a subject everywhere")
@pytest.mark.req("MEM-4", "MEM-6")
@pytest.mark.parametrize("name", some_of(CASES, "a word in a sentence", "Japanese"))
def test_forgotten_subject_is_gone_from_everywhere(world: World, user: int, name: str) -> None:
    """It is shown and confirmed first; then no table, prompt, answer or export holds its words."""
    case = CASES[name]
    for told in case.told:
        world.ask(user, told)
    if list(CASES).index(name) % 2 == 0:
        command(world, user, "/new")
    world.ask(user, STAYS)
    asked = world.ask(user, case.wish)
    assert re.search(case.word, asked["text"], re.IGNORECASE)
    assert tables_naming(world, case.word) >= {"messages"}
    choose(world, user, asked, labels(asked)[-2])
    assert tables_naming(world, case.word) == set()
    assert labels(world.ask(user, case.wish)) == [], "nothing is left to be confirmed"
    before = world.sandbox.mark()
    probes = (case.probe, "What did I ask you first?")
    answers = [world.ask(user, question)["text"] for question in probes]
    shown = json.dumps([prompts(world, before), *answers, exported(world, user)])
    assert not re.search(case.word, _text(shown.encode()), re.IGNORECASE)
    assert tables_naming(world, case.word) == set()
    assert STAYS in shown


@pytest.mark.req("MEM-4", "MEM-6")
def test_documented_wish_leaves_what_else_was_told(world: World, user: int) -> None:
    """The job goes, the other fact of the same message stays; a fact of two messages goes once."""
    world.ask(user, "I prefer rye bread and I work as a cooper.")
    asked = world.ask(user, "forget what I said about my job")
    assert "Works as a cooper" in asked["text"]
    done = choose(world, user, asked, "Forget it")
    assert done.startswith("Forgotten: 1 remembered thing and 1 message with its answer.")
    assert texts(world, user) == []
    assert texts(world, user, "preferences") == ["Prefers rye bread"]
    assert tables_naming(world, "cooper") == set()


@pytest.mark.req("MEM-4")
def test_what_a_client_was_told_is_forgotten_with_its_run(world: World, user: int) -> None:
    """No table keeps it, and no thread tells it again as a turn that is still open."""
    with program(world, user) as client:
        events_of(client.post("/agui", json=wanted("I work as a fletcher.")))
        asked = world.ask(user, "forget what I said about my job")
        choose(world, user, asked, "Forget it")
        assert tables_naming(world, "fletcher") == set()
        assert client.get("/agui/threads/t1").json()["openTurn"] is None


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("wish", "forgotten"),
    [
        ("Forget that.", "Forgotten: 1 remembered thing and 1 message"),
        # Most of the last messages were in English, and so are the bot's own words.
        ("Vergiss das.", "Forgotten: 1 remembered thing and 1 message"),
        ("Olvida eso", "Forgotten: 1 remembered thing and 1 message"),
        ("请忘记这个。", "已忘记：1 件记得的事，以及 1 条消息"),
    ],
)
def test_documented_forget_that_forgets_the_last_message_at_once(
    world: World, user: int, wish: str, forgotten: str
) -> None:
    """No button, and nothing older goes."""
    world.ask(user, "I live in Bodo.")
    world.ask(user, "I work as a tinsmith.")
    done = world.ask(user, wish)
    assert done["text"].startswith(forgotten)
    assert texts(world, user) == ["Lives in Bodo"]
    assert tables_naming(world, "tinsmith") == set()
    # Two of the last three messages were in English.
    assert command(world, user, "/retry")["text"] == say("en", "nothing-to-retry")


@pytest.mark.costs("it is a conversation of several turns")
@pytest.mark.req("MEM-4", "MEM-6", "INT-1")
def test_documented_forget_everything_leaves_nothing_to_quote(world: World, user: int) -> None:
    """Neither a task that was done nor its message; a second press changes nothing."""
    world.ask(user, "I need to grease the windmill tomorrow.")
    world.ask(user, "I've greased the windmill.")
    command(world, user, "/new")
    world.ask(user, STAYS)
    asked = world.ask(user, "forget everything about me")
    assert "3 messages" in asked["text"]
    done = choose(world, user, asked, "Forget it")
    assert "/forget deletes them too" in done
    assert tables_naming(world, "windmill") == set()
    world.ask(user, "I live in Hamar.")
    choose(world, user, asked, "Forget it")
    assert texts(world, user) == ["Lives in Hamar"]
    assert "windmill" not in world.ask(user, "What did I ask you first?")["text"]


@pytest.mark.costs("it is a conversation of several turns")
def test_what_is_no_wish_deletes_nothing(world: World, user: int) -> None:
    """It drops a subject, or asks for something else."""
    world.ask(user, "I live in Narvik.")
    for text in (
        "forget it",
        "vergiss es",
        "Never mind, forget it.",
        "Don't remember.",
        "olvídalo",
        "Don't forget to water the ferns",
        "Forget the weather, tell me about staking",
    ):
        answer = world.ask(user, text)
        assert "Forgotten" not in answer["text"]
        assert "Shall I forget" not in answer["text"]
    assert "Lives in Narvik" in texts(world, user)


@pytest.mark.req("MEM-4")
def test_failed_plan_deletes_nothing_and_says_so(world: World, user: int) -> None:
    """Whatever the model that answers would claim."""
    world.ask(user, "I live in Vardo.")
    world.sandbox.fail("openai", "malformed", method="chat.completions", times=2)
    answer = world.ask(user, "Please forget where I live.")
    assert "nothing was done or deleted" in answer["text"]
    assert texts(world, user) == ["Lives in Vardo"]


@pytest.mark.req("ACT-2", "MEM-4")
@pytest.mark.parametrize("words", ["thanks", "/status"])
def test_question_before_deleting_says_that_it_was_passed_over(
    world: World, user: int, words: str
) -> None:
    """By another message, or by a command: its message has the line and no buttons."""
    world.ask(user, "I work as a wheelwright.")
    asked = world.ask(user, "/forget my job")
    world.ask(user, words)
    wait_until(lambda: not labels(shown(world.sandbox.chat(user), asked["message_id"])), "closed")
    ended = shown(world.sandbox.chat(user), asked["message_id"])["text"]
    assert "Has a job as a wheelwright" in ended
    assert ended.endswith("✗ Nothing was deleted.")
    assert texts(world, user) == ["Has a job as a wheelwright"]


@pytest.mark.req("ACT-2", "MEM-4")
def test_program_is_told_that_a_question_before_deleting_was_passed_over(
    world: World, user: int
) -> None:
    """Below the next answer, as for a card."""
    with program(world, user) as client:
        events_of(client.post("/agui", json=wanted("I work as a wheelwright.")))
        for place, words in enumerate(("hello", "/memory")):
            asked = wanted("forget what I said about my job", f"w{place}")
            interrupts_in(events_of(client.post("/agui", json=asked)))
            events = events_of(client.post("/agui", json=wanted(words, f"p{place}")))
            assert text_in(events).endswith("✗ Nothing was deleted.")
    assert texts(world, user) == ["Has a job as a wheelwright"]


@pytest.mark.req("MEM-4", "MEM-6")
def test_words_behind_forget_are_what_is_forgotten(world: World, user: int) -> None:
    """The card names what tells of it, and nothing else goes; without words it offers all."""
    world.ask(user, "I prefer rye bread and I work as a cooper.")
    asked = world.ask(user, "/forget my job")
    assert "Works as a cooper" in asked["text"]
    assert "Yes, delete everything" not in labels(asked)
    choose(world, user, asked, "Forget it")
    assert texts(world, user) == []
    assert texts(world, user, "preferences") == ["Prefers rye bread"]
    assert "Yes, delete everything" in labels(world.ask(user, "/forget"))


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize("sent", ["/new what is staking?", "/cancel the reminder", "/disconnect x"])
def test_command_that_ends_something_ignores_no_words(world: World, user: int, sent: str) -> None:
    """Something else may be meant: nothing is done, and the user is told how to mean it."""
    world.ask(user, "hi")
    stored = world.rows("SELECT fresh_from FROM users WHERE telegram_user_id = %s", user)
    answer, name = world.ask(user, sent)["text"], sent.split(maxsplit=1)[0]
    assert answer.startswith(f"I did nothing: {name} works without words behind it.")
    now = world.rows("SELECT fresh_from FROM users WHERE telegram_user_id = %s", user)
    assert now == stored


@pytest.mark.req("TOOL-3")
def test_answer_without_a_plan_says_that_nothing_was_done(world: World, user: int) -> None:
    """Below each, because each may claim an act; why, below the first, and in /why."""
    note = "If you asked me to do or forget something, nothing was done or deleted"
    still = "Nothing was done or deleted."
    shown = []
    for asked in ("What is proof of history?", "What is slippage?"):
        world.sandbox.fail("openai", "malformed", containing='"about_the_past"', times=9)
        answer = world.ask(user, asked)["text"]
        shown.append("note" if note in answer else "still" if still in answer else "")
        assert "planning model gave no plan" in world.ask(user, "/why")["text"]
        world.sandbox.recover()
    world.ask(user, "What is staking?")
    world.sandbox.fail("openai", "malformed", containing='"about_the_past"', times=9)
    assert note in world.ask(user, "What is a validator?")["text"]
    assert shown == ["note", "still"]
