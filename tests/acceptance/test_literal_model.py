"""Every ability of the bot, with a model that does only what its prompt says it can do."""

import base64
import json
from collections.abc import Iterator, Mapping
from itertools import count
from types import MappingProxyType

import pytest

from tests.acceptance.parameters import some_of
from tests.acceptance.test_acting import decide
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer
from tests.integration.sandbox_openai.serving import served
from tests.literal_model import LiteralModel, Meaning
from tests.stand_ins.mcp_servers.starting import office_command

LANGUAGES = ("en", "de", "ja", "ar", "es")
_AT = "2099-01-05T09:00"
_USERS = count(9_610_001)
REMINDERS = {
    "en": ("Remind me on the 5th at nine: call Ana", "call Ana"),
    "de": ("Erinnere mich am 5. um neun: Ana anrufen", "Ana anrufen"),
    "ja": ("5日の9時に知らせて: アナに電話", "アナに電話"),
    "ar": ("ذكّرني يوم 5 في التاسعة: اتصل بآنا", "اتصل بآنا"),
    "es": ("Recuérdame el día 5 a las nueve: llamar a Ana", "llamar a Ana"),
}
TASKS = {
    "en": ("I have to buy paint, put it on my list", "buy paint"),
    "de": ("Setz Farbe kaufen auf meine Liste", "Farbe kaufen"),
    "ja": ("ペンキを買う、とリストに入れて", "ペンキを買う"),
    "ar": ("أضف شراء الطلاء إلى قائمتي", "شراء الطلاء"),
    "es": ("Apunta comprar pintura en mi lista", "comprar pintura"),
}
NOTES = {
    "en": ("Note down: the wifi password is on the fridge", "the wifi password is on the fridge"),
    "de": ("Notiere: der Schlüssel liegt unter der Matte", "der Schlüssel liegt unter der Matte"),
    "ja": ("メモして: 鍵はマットの下", "鍵はマットの下"),
    "ar": ("دوّن: المفتاح تحت السجادة", "المفتاح تحت السجادة"),
    "es": ("Anota: la llave está bajo la alfombra", "la llave está bajo la alfombra"),
}
BLOCKS = {
    "en": ("Yes, at nine an hour of gym", "gym"),
    "de": ("Ja, um neun eine Stunde Turnen", "Turnen"),
    "ja": ("はい、9時に1時間ジム", "ジム"),
    "ar": ("نعم، في التاسعة ساعة رياضة", "رياضة"),
    "es": ("Sí, a las nueve una hora de gimnasio", "gimnasio"),
}
EVENTS = {
    "en": ("Cancel the event Lunch", "Lunch"),
    "de": ("Sag den Termin Mittagessen ab", "Mittagessen"),
    "ja": ("昼食の予定を取り消して", "昼食"),
    "ar": ("ألغِ موعد الغداء", "الغداء"),
    "es": ("Cancela la cita Almuerzo", "Almuerzo"),
}
FACTS = {
    "en": ("I work as a falconer.", "Forget that I work as a falconer", "falconer"),
    "de": ("Ich arbeite als Falkner.", "Vergiss, dass ich als Falkner arbeite", "Falkner"),
    "ja": ("私は鷹匠です。", "鷹匠のことは忘れて", "鷹匠"),
    "ar": ("أعمل مدرب صقور.", "انسَ أنني مدرب صقور", "صقور"),
    "es": ("Trabajo de cetrero.", "Olvida que soy cetrero", "cetrero"),
}
_OTHER_TOOLS = [
    f"office__{name}"
    for name in (
        *("look_up", "note", "switch", "erase", "show", "sleep", "sleep_and_change", "variables"),
        *("die", "fail", "shout", "far_schema", "huge_schema"),
    )
]
WEB = "What does SOL cost right now?"
FILE = "What do the tickets of adults cost?"


def _meanings() -> Mapping[str, Meaning]:
    made: dict[str, Meaning] = {
        WEB: Meaning(query="price of SOL"),
        FILE: Meaning(
            file="prices.csv",
            calls=[
                ("query_tables", {"sql": "SELECT sum(price) FROM table1", "in_words": "the price"})
            ],
        ),
    }
    for language in LANGUAGES:
        text, words = REMINDERS[language]
        reminder = {"text": words, "when": _AT, "time_zone": "Atlantic/Reykjavik"}
        made[text] = Meaning(language, [("remind", reminder)])
        text, words = TASKS[language]
        made[text] = Meaning(language, [("create_task", {"title": words})])
        text, words = NOTES[language]
        made[text] = Meaning(language, [("create_note", {"title": words, "content": words})])
        text, words = BLOCKS[language]
        day = {"date": _AT[:10], "start_time": "09:00", "duration_minutes": 60}
        made[text] = Meaning(language, [("create_schedule_block", {"title": words, **day})])
        text, words = EVENTS[language]
        made[text] = Meaning(language, [("office__cancel_event", {"title": words})])
        fact, wish, subject = FACTS[language]
        made[fact] = Meaning(language, fact=fact)
        made[wish] = Meaning(language, forget=subject)
    return MappingProxyType(made)


@pytest.fixture(scope="module")
def world(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """A running bot with a literal model and a server of tools, and without documents."""
    file = tmp_path_factory.mktemp("office") / "servers.json"
    started = {**office_command(), "trusted": True}
    file.write_text(json.dumps({"mcpServers": {"office": started}}), "utf-8")
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        served(LiteralModel(_meanings()).app()) as model,
    ):
        settings = environment(
            sandbox.url,
            url,
            OPENAI_BASE_URL=f"{model}/v1",
            CHAT_MODEL="literal",
            VISION_MODEL="",
            EMBEDDING_MODEL="none",
            MCP_SERVERS_FILE=str(file),
            # With many tools those are offered whose words fit, in the language of the server.
            TOOL_POLICIES=json.dumps(dict.fromkeys(_OTHER_TOOLS, "deny")),
        )
        with running_bot(settings):
            yield World(sandbox, settings, url)


@pytest.mark.feature("reminder")
@pytest.mark.costs("it talks to a model that obeys to the letter")
@pytest.mark.req("ACT-4")
@pytest.mark.parametrize("language", some_of(LANGUAGES, "en", "ja"))
def test_reminder_is_set_by_a_model_that_obeys(world: World, language: str) -> None:
    """The tool is named to the planner, and offered to the answer."""
    user, (text, words) = next(_USERS), REMINDERS[language]
    world.ask(user, text, language_code=language)
    rows = world.rows("SELECT text FROM schedules WHERE user_id = %s", user)
    assert [row["text"] for row in rows] == [words]


@pytest.mark.feature("agenda")
@pytest.mark.req("ACT-4")
@pytest.mark.parametrize("language", some_of(LANGUAGES, "en", "ja"))
def test_task_is_added_by_a_model_that_obeys(world: World, language: str) -> None:
    """The same for tasks."""
    user, (text, words) = next(_USERS), TASKS[language]
    world.ask(user, text, language_code=language)
    rows = world.rows("SELECT title FROM tasks WHERE user_id = %s", user)
    assert [row["title"] for row in rows] == [words]


@pytest.mark.feature("agenda")
@pytest.mark.req("ACT-4")
@pytest.mark.parametrize("language", some_of(LANGUAGES, "en", "ja"))
def test_note_is_written_by_a_model_that_obeys(world: World, language: str) -> None:
    """The same for notes."""
    user, (text, words) = next(_USERS), NOTES[language]
    world.ask(user, text, language_code=language)
    rows = world.rows("SELECT content FROM notes WHERE user_id = %s", user)
    assert [row["content"] for row in rows] == [words]


@pytest.mark.feature("agenda")
@pytest.mark.req("ACT-4")
@pytest.mark.parametrize("language", some_of(LANGUAGES, "en", "ja"))
def test_day_is_planned_by_a_model_that_obeys(world: World, language: str) -> None:
    """In a guided session the schedule is written once its user approves."""
    user, (text, words) = next(_USERS), BLOCKS[language]
    world.ask(user, "/plan", language_code=language)
    card = world.ask(user, text, language_code=language)
    decide(world, user, card, card["buttons"][0][0]["text"])
    rows = world.rows("SELECT title FROM schedule_blocks WHERE user_id = %s", user)
    assert [row["title"] for row in rows] == [words]


@pytest.mark.req("ACT-4")
@pytest.mark.parametrize("language", some_of(LANGUAGES, "en", "ja"))
def test_fact_is_forgotten_by_a_model_that_obeys(world: World, language: str) -> None:
    """The wish is planned as such; what it is about is found and deleted after a yes."""
    user, (fact, wish, subject) = next(_USERS), FACTS[language]
    world.ask(user, fact, language_code=language)
    wait_until(lambda: subject in _memory(world, user) or None, "the fact is learned")
    card = world.ask(user, wish, language_code=language)
    decide(world, user, card, card["buttons"][0][0]["text"])
    assert subject not in _memory(world, user)


def _memory(world: World, user: int) -> str:
    rows = world.rows("SELECT value FROM store WHERE prefix LIKE %s", f"%{user}%")
    return json.dumps(list(map(str, rows)), ensure_ascii=False)


@pytest.mark.req("ACT-4")
@pytest.mark.parametrize("language", some_of(LANGUAGES, "en", "ja"))
def test_tool_of_a_server_is_called_by_a_model_that_obeys(world: World, language: str) -> None:
    """It asks first, and is called with the user's words."""
    user, (text, words) = next(_USERS), EVENTS[language]

    def card() -> dict[str, object] | None:
        found = world.ask(user, text, language_code=language)
        return found if found.get("buttons") else None

    found = wait_until(card, "the office is open")
    buttons: list[list[dict[str, str]]] = found["buttons"]  # type: ignore[assignment]  # of JSON
    answer = decide(world, user, found, buttons[0][0]["text"])
    assert words in answer["text"]
    assert "cancelled" in answer["text"]


@pytest.mark.req("ACT-4")
def test_web_is_searched_for_a_model_that_obeys(world: World) -> None:
    """The plan is explained, and the answer cites what was found."""
    user, since = next(_USERS), world.sandbox.mark()
    world.ask(user, WEB)
    assert "price of SOL" in str([one["body"] for one in world.sandbox.calls("tavily", since)])


@pytest.mark.req("ACT-4")
def test_table_is_computed_for_a_model_that_obeys(world: World) -> None:
    """The file is listed to the planner, its tables are declared, and the tool is offered."""
    data = base64.b64encode(b"ticket,price\nadult,14\n").decode("ascii")
    user = next(_USERS)
    answer = world.ask(user, FILE, document_base64=data, file_name="prices.csv")
    assert "14" in answer["text"]
