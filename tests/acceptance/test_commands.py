"""Commands and buttons of the running bot, as a user gives and presses them."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rich_agent.domain.languages import LANGUAGES
from rich_agent.phrases import say
from tests.acceptance.pictures import picture
from tests.acceptance.world import ROOT, World, wait_until
from tests.acceptance.world import command as run


def command(world: World, user: int, text: str, **fields: Any) -> dict[str, Any]:
    """Give a command; the bot's answer, which costs no call of any model."""
    before = world.sandbox.mark()
    answer = world.ask(user, text, **fields)
    assert world.sandbox.calls("openai", before) == []
    assert world.sandbox.calls("tavily", before) == []
    return answer


def press(world: World, user: int, message: dict[str, Any], label: str) -> dict[str, Any]:
    """Press the button whose text begins with `label`; the chat once the press is done."""
    (data,) = [
        button["callback_data"]
        for row in message["buttons"]
        for button in row
        if button["text"].startswith(label)
    ]
    assert len(data.encode()) <= 64
    return press_data(world, user, message["message_id"], data)


def press_data(world: World, user: int, message_id: int, data: str) -> dict[str, Any]:
    """Press a button with this data; the chat once the press is done and was answered once."""
    before = world.sandbox.mark()
    body = {"message_id": message_id, "callback_data": data}
    answer = world.sandbox.http.post(f"{world.sandbox.url}/sim/chats/{user}/press", json=body)
    pressed = answer.raise_for_status().json()

    def ended() -> int:
        return sum(
            call["body"]["callback_query_id"] == pressed["callback_query_id"]
            for call in world.sandbox.calls("telegram", before)
            if call["method"] == "answerCallbackQuery"
        )

    wait_until(lambda: ended() or None, "the press is answered")
    assert ended() == 1
    return world.sandbox.chat(user)


def data_of(message: dict[str, Any], label: str) -> str:
    """The data that a button sends."""
    return next(
        str(button["callback_data"])
        for row in message["buttons"]
        for button in row
        if button["text"] == label
    )


def notices(world: World, since: int) -> list[str]:
    """The notices that users were shown for a moment since a call."""
    calls = world.sandbox.calls("telegram", since)
    texts = [call["body"].get("text") for call in calls if call["method"] == "answerCallbackQuery"]
    return [text for text in texts if text]


def shown(chat: dict[str, Any], message_id: int) -> dict[str, Any]:
    """A message as it is now."""
    (found,) = [m for m in chat["messages"] if m["message_id"] == message_id]
    return dict(found)


def labels(message: dict[str, Any]) -> list[str]:
    """The texts of a message's buttons."""
    return [button["text"] for row in message["buttons"] for button in row]


def test_start_offers_questions_of_the_domain_that_ask_when_they_are_tapped(
    world: World, user: int
) -> None:
    """Questions that the operator wrote; the answer cites."""
    welcome = world.ask(user, "/start")
    titles = labels(welcome)
    assert len(titles) == 3
    domain = tomllib.loads((ROOT / "sample" / "domain.toml").read_text("utf-8"))
    assert set(titles) <= set(domain["examples"])
    press(world, user, welcome, titles[0])
    open_updates = "SELECT 1 FROM telegram_inbox WHERE user_id = %s AND done_at IS NULL"
    wait_until(lambda: not world.rows(open_updates, user) or None, "the subject is answered")
    answer = world.sandbox.replies(user, welcome["message_id"])[-1]
    assert "Sources" in answer["text"]
    (decision,) = world.decisions(user)
    assert (decision["query"], decision["plan"]) == (titles[0], "rag")


def test_help_lists_the_commands_and_not_those_for_admins(world: World, user: int) -> None:
    """The commands that a user may give, and one refusal of those that they may not."""
    text = command(world, user, "/help")["text"]
    assert "/sources – " in text
    assert "/stats" not in text
    for refused in ("/stats", "/approvals"):
        assert command(world, user, refused)["text"] == "This command is for admins only."
    menu = {entry["command"] for entry in world.sandbox.chat(user)["commands"]}
    assert {"start", "help", "new", "sources", "why"} <= menu
    assert not {"stats", "approvals"} & menu


def test_sources_tells_names_counts_and_dates(world: World, user: int) -> None:
    """The sample pages and the bot's own documents, the latter marked."""
    text = command(world, user, "/sources")["text"]
    assert text.startswith("I know 2 sources with ")
    sample, own = text.splitlines()[-2:]
    assert sample.startswith("• solana: ")
    assert own.startswith("• docs (about me): ")
    assert len(re.findall(r"last synced: \w+, \d+:\d\d UTC", text)) == 2


@pytest.mark.req("TOOL-3")
def test_why_explains_the_last_answer(world: World, user: int) -> None:
    """Plan, reason, what was read with scores, the web, and times."""
    assert "not answered anything" in command(world, user, "/why")["text"]
    world.ask(user, "What is proof of history?")
    (decision,) = world.decisions(user)
    text = command(world, user, "/why")["text"]
    assert "I searched my documents" in text
    assert decision["reason"] in text
    assert f"I read {decision['retrieved_count']} passages" in text
    assert text.count("\n• ") == decision["retrieved_count"]
    assert ", cited)" in text
    assert "the web" not in text
    assert "planning " in text
    assert "writing " in text


@pytest.mark.req("TOOL-3")
def test_why_explains_the_answer_that_it_replies_to(world: World, user: int) -> None:
    """Also by the button under that answer; a message that is no answer is told from one."""
    older = world.ask(user, "What is proof of history?")
    world.ask(user, "hi")
    assert "I answered directly" in command(world, user, "/why")["text"]
    replied = command(world, user, "/why", reply_to_message_id=older["message_id"])
    assert "I searched my documents" in replied["text"]
    chat = press(world, user, older, "Why?")
    explained = chat["messages"][-1]
    assert explained["text"] == replied["text"]
    assert explained["reply_to_message_id"] == older["message_id"]
    lost = command(world, user, "/why", reply_to_message_id=replied["message_id"])
    assert "no record" in lost["text"]


def test_feedback_is_stored_with_the_decision_changed_and_taken_back(
    world: World, user: int
) -> None:
    """The row of buttons shows what holds; the answer's text stays."""
    answer = world.ask(user, "What is proof of history?")
    assert labels(answer) == ["👍", "👎", "Why?"]
    (decision,) = world.decisions(user)

    def rating() -> list[str]:
        query = "SELECT rating FROM answer_feedback WHERE decision_id = %s"
        return [row["rating"] for row in world.rows(query, decision["id"])]

    for label, marked, stored in (
        ("👎", ["👍", "👎 ✓", "Why?"], ["down"]),
        ("👍", ["👍 ✓", "👎", "Why?"], ["up"]),
        ("👍", ["👍", "👎", "Why?"], []),
    ):
        current = shown(world.sandbox.chat(user), answer["message_id"])
        chat = press(world, user, current, label)
        now = shown(chat, answer["message_id"])
        assert (labels(now), rating()) == (marked, stored)
        assert now["text"] == answer["text"]


def test_feedback_is_not_asked_for_small_talk(world: World, user: int) -> None:
    """A greeting, a thank you and a wish to forget stand without a row of buttons."""
    for text in ("hi", "thanks!", "👍", "forget that"):
        assert labels(world.ask(user, text)) == []


def test_feedback_on_somebody_elses_answer_changes_nothing(world: World, user: int) -> None:
    """The data of another user's button is out of date in one's own chat."""
    other = user + 50_000
    theirs = world.ask(other, "What is proof of history?")
    mine = world.ask(user, "hi")
    data = theirs["buttons"][0][0]["callback_data"]
    chat = press_data(world, user, mine["message_id"], data)
    assert "no longer works" in chat["press_answers"][-1]["text"]
    rows = world.rows(
        "SELECT 1 FROM answer_feedback JOIN retrieval_decisions ON id = decision_id "
        "WHERE thread_id = %s",
        f"tg:{other}",
    )
    assert rows == []


@pytest.mark.parametrize("data", ["rate1:up", "rate1:up:x", "rate1", "why1:", "sources1:-4", "x"])
def test_press_of_a_forged_button_changes_nothing(world: World, user: int, data: str) -> None:
    """It is answered once, and the bot goes on."""
    mine = world.ask(user, "hi")
    press_data(world, user, mine["message_id"], data)
    assert world.ask(user, "hi")["text"] == mine["text"]


def test_language_is_chosen_by_button_and_by_word(world: World, user: int) -> None:
    """It holds for the product's phrases, whatever Telegram or the question says."""
    offered = command(world, user, "/language")
    assert labels(offered) == ["✓ Automatic", *LANGUAGES.values()]
    chat = press(world, user, offered, "日本語")
    assert labels(shown(chat, offered["message_id"]))[0] == "自動"
    assert "✓ 日本語" in labels(shown(chat, offered["message_id"]))
    assert "できること" in command(world, user, "/help")["text"]
    assert "さん" in world.ask(user, "hi")["text"]
    assert "English" in labels(command(world, user, "/language klingon"))
    assert "✓ Deutsch" in labels(command(world, user, "/language ドイツ語"))
    assert "language" in command(world, user, "/language english")["text"]
    assert "What I can do" in command(world, user, "/help")["text"]


def test_phrases_follow_the_words_before_the_client(world: World, user: int) -> None:
    """A Spanish client is answered in Spanish, unless what was written is in German."""
    assert say("es", "help-heading") in command(world, user, "/help", language_code="es")["text"]
    name = "Ada"
    fields = {"language_code": "es", "first_name": name}
    greeted = world.ask(user, "Guten Morgen", **fields)["text"]
    assert greeted == say("de", "greeting-named", name=name)
    assert world.ask(user, "Hola", **fields)["text"] == say("es", "greeting-named", name=name)
    german = {**fields, "language_code": "de"}
    assert world.ask(user, "Hi", **german)["text"] == say("de", "greeting-named", name=name)


@pytest.mark.feature("agenda")
def test_commands_follow_what_was_written_last(world: World, user: int) -> None:
    """Not the client; /language goes before it, "automatic" begins anew, and /forget ends it."""
    world.ask(user, "Was weißt du über Zebrafische und ihre Haltung im Aquarium?")
    assert command(world, user, "/tasks")["text"] == say("de", "agenda-tasks-all-empty")
    assert say("fr", "help-heading") in _after(world, user, "/language fr")
    assert say("en", "help-heading") in _after(world, user, "/language automatic")
    world.ask(user, "Was weißt du über Zebrafische und ihre Haltung im Aquarium?")
    press(world, user, command(world, user, "/forget"), say("de", "forget-yes"))
    world.await_idle()
    assert say("en", "help-heading") in command(world, user, "/help")["text"]


def test_photo_without_words_takes_the_language_of_the_client(world: World, user: int) -> None:
    """Until something was written."""
    asked = world.ask(user, None, photo=picture("red", "blue"), language_code="nl")
    assert say("nl", "image-topic-describe") in labels(asked)


def _after(world: World, user: int, wish: str) -> str:
    command(world, user, wish)
    return str(command(world, user, "/help")["text"])


@pytest.mark.req("MEM-1")
def test_new_begins_a_conversation_without_what_was_said_before(world: World, user: int) -> None:
    """The model sees no earlier message; what is remembered stays, and so does the record."""
    world.ask(user, "My name is Ada and I live in Oslo.")
    world.ask(user, "Tell me about zebrafish, please.")
    assert "new conversation" in command(world, user, "/new")["text"]
    before = world.sandbox.mark()
    world.ask(user, "What do you know about me?")
    prompts = str([call["body"] for call in world.sandbox.calls("openai", before)])
    assert "zebrafish" not in prompts
    assert "Oslo" in prompts
    kept = world.rows("SELECT question FROM turn_archive WHERE user_id = %s ORDER BY id", user)
    assert [row["question"].split()[0] for row in kept] == ["My", "Tell"]
    said = world.rows("SELECT 1 FROM messages WHERE user_id = %s", user)
    assert len(said) == 6


def test_status_tells_what_waits_and_what_is_known(world: World, user: int) -> None:
    """In four lines."""
    text = command(world, user, "/status")["text"]
    assert "All your messages are answered" in text
    assert "sandbox-chat writes, sandbox-vision looks at images" in text
    assert "rich-agent 0." in text


def test_privacy_says_what_is_kept(world: World, user: int) -> None:
    """In the words of the core."""
    text = command(world, user, "/privacy")["text"]
    assert "never the photo" in text


def test_retry_answers_the_last_question_again(world: World, user: int) -> None:
    """In place of the first answer: the model does not see the question twice."""
    assert "no question" in command(world, user, "/retry")["text"]
    first = world.ask(user, "What is impermanent loss to a quokka?")
    before = world.sandbox.mark()
    again = world.ask(user, "/retry")
    assert again["text"] == first["text"]
    assert again["message_id"] != first["message_id"]
    asked = world.sandbox.calls("openai", before)
    assert asked
    for call in asked:
        messages = call["body"].get("messages", [])
        assert sum("quokka" in str(message) for message in messages) <= 1, messages
    assert [decision["plan"] for decision in world.decisions(user)] == ["rag", "rag"]
    assert labels(again) == ["👍", "👎", "Why?"]


def test_retry_looks_at_the_photo_of_the_last_question(world: World, user: int) -> None:
    """Fetched again, and its summary comes from the cache."""
    photo = picture("olive", "navy", seed=user)
    first = world.ask(user, "What is in this picture?", photo=photo)
    before = world.sandbox.mark()
    assert world.ask(user, "/retry")["text"] == first["text"]
    models = {call["body"].get("model") for call in world.sandbox.calls("openai", before)}
    assert "sandbox-vision" not in models


def test_passage_of_a_local_file_opens_by_the_number_under_the_answer(
    world: World, user: int, tmp_path: Path
) -> None:
    """As a quote under its heading, for the one who was answered; a rating leaves the button."""
    (tmp_path / "kellbrook.md").write_text(
        "# Kellbrook lighthouse\n\n## Paint\n\n"
        "The Kellbrook lighthouse was painted **red** in 1974.",
        "utf-8",
    )
    ingest = ["ingest.cli", "add-source", str(tmp_path), "--name", "kellbrook"]
    run(ingest, world.environment)
    try:
        run(["ingest.cli", "sync", "kellbrook"], world.environment)
        answer = world.ask(user, "When was the Kellbrook lighthouse painted?")
        assert labels(answer) == ["[1]", "👍", "👎", "Why?"]
        assert "Kellbrook lighthouse › Paint · kellbrook.md" in answer["text"]
        opened = press(world, user, answer, "[1]")["messages"][-1]
        heading, passage = opened["text"].split("\n", 1)
        assert heading == "Kellbrook lighthouse › Paint"
        assert "The Kellbrook lighthouse was painted red in 1974." in passage
        assert [entity["type"] for entity in opened["entities"]] == ["bold", "blockquote", "bold"]
        assert opened["reply_to_message_id"] == answer["message_id"]
        rated = press(world, user, answer, "👍")
        assert labels(shown(rated, answer["message_id"])) == ["[1]", "👍 ✓", "👎", "Why?"]
    finally:
        run(["ingest.cli", "remove-source", "kellbrook"], world.environment)
    gone = press(world, user, answer, "[1]")
    assert gone["messages"][-1]["message_id"] == opened["message_id"]


@pytest.mark.costs("it asks several questions")
@pytest.mark.req("ROUTE-2")
def test_word_that_only_looks_like_a_greeting_is_looked_up(
    world: World, user: int, tmp_path: Path
) -> None:
    """A tone makes it another word: the documents have it, and the greeting next to it greets."""
    (tmp_path / "mon-an.md").write_text(
        "# Món ăn\n\n## Cháo\n\nCháo là món ăn nấu từ gạo với nhiều nước.", "utf-8"
    )
    run(["ingest.cli", "add-source", str(tmp_path), "--name", "mon-an"], world.environment)
    try:
        run(["ingest.cli", "sync", "mon-an"], world.environment)
        answer = world.ask(user, "cháo")["text"]
        assert "nấu từ gạo" in answer
        (decision,) = world.decisions(user)
        assert decision["plan"] == "rag"
        assert "gạo" not in world.ask(user, "chào")["text"]
    finally:
        run(["ingest.cli", "remove-source", "mon-an"], world.environment)
