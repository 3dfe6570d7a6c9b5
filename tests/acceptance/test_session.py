"""A session of fifty varied messages, as a new user would write them.

`pytest tests/acceptance/test_session.py -s` prints it as a transcript, to be read by a person.
"""

import base64
import json
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.session import Session, data_of, expect_sources, links_of
from tests.acceptance.world import Sent, World, wait_until


@pytest.mark.soak
@pytest.mark.req("TG-1", "TG-2", "TG-3", "TG-4", "UX-1")
def test_session_of_fifty_varied_messages(world: World, user: int) -> None:
    """Each message is answered, once, in order, with what a person would expect."""
    session = Session(world, user)
    try:
        for chapter in CHAPTERS:
            session.transcript.append(f"\n## {chapter.__doc__}")
            chapter(session)
    finally:
        sys.stdout.write("\n".join(session.transcript).encode("utf-8", "replace").decode() + "\n")
    assert len(session.sent) >= 50
    _expect_order(session)


def _expect_order(session: Session) -> None:
    """Answers stand in the order of their questions, and each was sent once."""
    rows = session.world.rows(
        "SELECT update_id, message_id FROM telegram_outbox WHERE chat_id = %s "
        "AND message_id IS NOT NULL ORDER BY update_id, part",
        session.user,
    )
    in_line = {one.update_id for one in session.in_line}
    ids = [row["message_id"] for row in rows if row["update_id"] in in_line]
    assert all(earlier < later for earlier, later in pairwise(ids)), rows
    shown = {reply["message_id"] for reply in session.world.sandbox.replies(session.user)}
    assert shown == {row["message_id"] for row in rows}


def greet(session: Session) -> None:
    """Greetings and small talk cost no source and no wait."""
    for text in ("/start", "hi", "Good morning!", "👍"):
        answer = session.say(text)
        assert 0 < len(answer["text"]) < 1_500
        assert links_of(answer) == []


def ask(session: Session) -> None:
    """Questions to the documents, with follow-ups."""
    for text, page in (
        ("What is proof of history?", "proof-of-history"),
        ("what is impermanent loss", ""),
    ):
        expect_sources(session, session.say(text), page)
    for text in ("And how is it measured?", "Can you say that in one sentence?"):
        assert session.say(text)["text"]
    assert "rag" in {row["plan"] for row in session.world.decisions(session.user)}


def correct_a_question(session: Session) -> None:
    """The latest question is edited: its new answer appears in the same message."""
    first = session.say("What is a vallidator?")
    asked = session.sent[-1]
    second = session.say("What is a validator?", edit_message_id=asked.message_id)
    assert second["message_id"] == first["message_id"]
    assert "edited" not in second["text"]
    expect_sources(session, second, "validator")


def ask_how_it_was_answered(session: Session) -> None:
    """Plan, passages and times of the last answer, without a call of the model."""
    before = session.world.sandbox.mark()
    told = session.say("/why")["text"]
    assert "I searched my documents" in told
    assert "cited" in told
    assert session.world.sandbox.calls("openai", before) == []


def ask_about_the_bot(session: Session) -> None:
    """Questions about the bot are answered from its own documents."""
    for text in ("what are your sources?", "who are you?"):
        expect_sources(session, session.say(text), "/library/docs/")


def ask_beyond_the_documents(session: Session) -> None:
    """The web for what is about now, nothing invented for what nobody knows."""
    web = session.say("What is the latest release of PostgreSQL?")
    assert links_of(web) or "web" in web["text"].lower()
    assert session.decision()["plan"] == "web"
    both = session.say("What is the SOL staking yield on Solana today?")
    assert both["text"]
    assert session.decision()["plan"] == "rag+web"
    assert session.say("Write a haiku about the sea")["text"]
    assert session.say("qwertz uiop asdf ghjkl?")["text"]


def ask_in_japanese(session: Session) -> None:
    """Japanese in, Japanese out."""
    assert _is_japanese(session.say("やあ", language_code="ja")["text"])
    assert session.say("バリデータとは何ですか？")["text"]
    assert _is_japanese(session.say("/help")["text"])
    assert session.say("hello again", language_code="en")["text"].isascii()


def _is_japanese(text: str) -> bool:
    return any("\u3040" <= character <= "\u30ff" for character in text)


def be_remembered(session: Session) -> None:
    """The bot keeps what the user says about themself, and replaces it when it changes."""
    session.say("My name is Ada and I live in Oslo.")
    session.say("I moved to Rome last week.")
    assert "Rome" in session.say("Where do I live?")["text"]
    remembered = session.say("/memory")
    assert "Rome" in remembered["text"]
    assert "Oslo" not in remembered["text"]
    assert data_of(remembered)
    assert session.say("What did I ask you first?")["text"]


def show_pictures(session: Session) -> None:
    """Photos, replies to them, an album, and images that cannot be read."""
    red = picture("red", "white", seed=session.user)
    assert "red" in session.say("What colour is this?", photo=red)["text"].lower()
    shown = session.sent[-1]
    assert session.say("Is it dark?", reply_to_message_id=shown.message_id)["text"]
    assert session.say(photo=picture("blue", "black", seed=session.user))["text"]
    parts = [
        session.send(
            text,
            photo=picture(colour, "white", seed=session.user),
            media_group_id=f"album-{session.user}",
        )
        for text, colour in (("Compare these", "green"), (None, "purple"))
    ]
    wait_until(lambda: session.world.is_done(parts[-1]) or None, "the album is answered")
    assert len(session.read(parts[-1])) == 1
    as_file = base64.b64encode(red).decode()
    assert session.say("and this?", document_base64=as_file, file_name="red.png")["text"]


def show_what_is_no_picture(session: Session) -> None:
    """Files that cannot be looked at are answered in a sentence."""
    heic = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100)
    for name, content in (("a.heic", heic), ("a.jpg", b"\xff\xd8\xff\xe0broken"), ("a.png", b"")):
        encoded = base64.b64encode(content).decode()
        answer = session.say(document_base64=encoded, file_name=name)
        assert 10 < len(answer["text"]) < 300, answer["text"]
    sheet = base64.b64encode(b"a,b\n1,2\n").decode()
    assert session.say(document_base64=sheet, file_name="numbers.csv")["text"]


def send_what_cannot_be_read(session: Session) -> None:
    """Stickers, voice, places: said so, without a call of the model; a caption is answered."""
    before = session.world.sandbox.mark()
    for kind in ("sticker", "voice", "location", "poll"):
        answer = session.say(attachment=kind)
        assert "cannot" in answer["text"]
    assert session.world.sandbox.calls("openai", before) == []
    expect_sources(session, session.say("What is a validator?", attachment="video"))


def stop(session: Session) -> None:
    """An answer that grows is stopped: what was said stays, and the next question is answered."""
    sandbox = session.world.sandbox
    sandbox.fail("openai", "slow", method="chat.completions", delay_s=8.0, times=2)
    asked = session.send("How is funding paid on perpetual futures?")
    wait_until(lambda: _grows(session, asked) or None, "the answer grows")
    assert session.say("/stop")["text"]
    wait_until(lambda: session.world.is_done(asked) or None, "the answer has stopped")
    assert "stopped" in session.read(asked)[0]["text"]
    assert session.say("/stop")["text"]
    expect_sources(session, session.say("What is proof of history?"))


def _grows(session: Session, asked: Sent) -> bool:
    replies = session.world.sandbox.replies(session.user, asked.message_id)
    return any(len(reply["text"]) > 30 for reply in replies)


def be_told_at_length(session: Session) -> None:
    """12,000 characters arrive whole, in order, as several messages; the sources stand below."""
    session.world.sandbox.fail("openai", "lengthy", method="chat.completions", times=2)
    parts = session.say_for_parts("What is proof of history?")
    (kept,) = session.world.rows(
        "SELECT content FROM messages WHERE user_id = %s AND role = 'assistant' "
        "ORDER BY id DESC LIMIT 1",
        session.user,
    )
    assert len(kept["content"]) >= 12_000
    assert len(parts) >= 3
    assert all(len(part["text"].encode("utf-16-le")) // 2 <= 4_096 for part in parts)
    rounds = kept["content"].count("Once more")
    assert [part["text"].count("Once more") > 0 for part in parts] == [True] * len(parts)
    assert sum(part["text"].count("Once more") for part in parts) == rounds
    assert "Sources" in parts[-1]["text"]
    assert not any("Sources\n" in part["text"] for part in parts[:-1])


def pass_on(session: Session) -> None:
    """Forwarded and quoted text."""
    assert session.say("Solana halted again, sell everything!", forward_from="A stranger")["text"]
    answer = session.world.sandbox.replies(session.user)[-1]
    word = answer["text"].split()[0]
    quoting = {"reply_to_message_id": answer["message_id"], "quote": word}
    assert session.say("What do you mean by this?", **quoting)["text"]


def write_oddly(session: Session) -> None:
    """Long, empty of words, with characters that no database takes."""
    long = "Tell me about staking. " + "I have read much about it. " * 140
    assert session.say(long[:4_096])["text"]
    assert session.say("?!…")["text"]
    assert session.say("What is \x00 a validator?")["text"]
    assert session.say("https://example.com/")["text"]
    assert session.say("**bold** _and_ `code` [1] <b>html</b>?")["text"]


def command(session: Session) -> None:
    """Commands, right, wrong and shouted, cost no call of the model."""
    before = session.world.sandbox.mark()
    for text in ("/help", "/HELP", "/start again", "/nonsense", "/help@rich_agent_bot"):
        assert session.say(text)["text"]
    assert session.world.sandbox.calls("openai", before) == []


def write_in_a_burst(session: Session) -> None:
    """Five messages at once: five answers, in order."""
    texts = ("hi", "What is a validator?", "What is proof of history?", "thanks", "/help")
    burst = [session.send(text) for text in texts]
    for sent in burst:
        wait_until(lambda sent=sent: session.world.is_done(sent) or None, "the burst is answered")  # type: ignore[misc]  # mypy and default arguments
    assert len(session.read(burst[-1])) >= 1


def ask_for_much(session: Session) -> None:
    """A last question after all of it: the bot is as it was."""
    expect_sources(session, session.say("What is a validator?"))
    assert json.dumps(session.decision()["latency_ms"])


CHAPTERS: tuple[Callable[[Session], None], ...] = (
    greet,
    ask,
    correct_a_question,
    ask_how_it_was_answered,
    ask_about_the_bot,
    ask_beyond_the_documents,
    ask_in_japanese,
    be_remembered,
    show_pictures,
    show_what_is_no_picture,
    send_what_cannot_be_read,
    stop,
    be_told_at_length,
    pass_on,
    write_oddly,
    command,
    write_in_a_burst,
    ask_for_much,
)
