"""A user talks to the running bot through Telegram's stand-in."""

import hashlib
import json

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.acceptance.conftest import World
from tests.acceptance.pictures import picture
from tests.acceptance.world import wait_until
from tests.contract.telegram_models import check_call


def rows(world: World, query: str, *values: object) -> list[dict[str, object]]:
    """What the database holds."""
    with psycopg.connect(world.database_url, row_factory=dict_row) as connection:
        return connection.execute(query, values).fetchall()  # type: ignore[arg-type]


def finished_decision(world: World, user: int) -> dict[str, object]:
    """The user's newest decision once its turn is stored."""

    def found() -> dict[str, object] | None:
        newest = rows(
            world,
            "SELECT * FROM retrieval_decisions WHERE thread_id = %s ORDER BY created_at DESC",
            f"tg:{user}",
        )
        return newest[0] if newest and "N7_persist" in newest[0]["latency_ms"] else None  # type: ignore[operator]

    return wait_until(found, "the decision is complete")


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize("greeting", ["hi", "yo", "やあ"])
def test_greeting_is_answered_without_any_model_call(
    world: World, user: int, greeting: str
) -> None:
    """No planning, no embedding, no search, no synthesis: only Telegram is called."""
    before = world.sandbox.mark()
    asked = world.sandbox.say(user, greeting)
    answer = world.sandbox.answer(user, asked)
    assert len(answer["text"]) < 200
    decision = finished_decision(world, user)
    assert (decision["plan"], decision["intent"]) == ("direct", "smalltalk_or_short")
    assert _calls_for(world, "openai", before, greeting) == []
    assert _calls_for(world, "tavily", before, greeting) == []


@pytest.mark.req("TG-1")
def test_text_runs_the_graph_on_the_users_own_thread(world: World, user: int) -> None:
    """from.id decides the thread, and nothing else is checkpointed."""
    asked = world.sandbox.say(user, "What is proof of history?")
    world.sandbox.answer(user, asked)
    finished_decision(world, user)
    threads = rows(
        world, "SELECT DISTINCT thread_id FROM checkpoints WHERE thread_id LIKE %s", f"%{user}%"
    )
    assert threads == [{"thread_id": f"tg:{user}"}]


@pytest.mark.req("TG-1")
@pytest.mark.parametrize("kind", ["group", "channel"])
def test_groups_and_channels_get_no_answer(world: World, user: int, kind: str) -> None:
    """An update from a group starts no run; the private message after it is answered."""
    world.sandbox.say(user, "What is proof of history?", chat_type=kind)
    asked = world.sandbox.say(user, "hi")
    world.sandbox.answer(user, asked)
    finished_decision(world, user)
    decisions = rows(
        world, "SELECT * FROM retrieval_decisions WHERE thread_id LIKE %s", f"%{user}%"
    )
    assert len(decisions) == 1


@pytest.mark.req("RAG-4", "TOOL-2", "ROUTE-4")
def test_domain_question_is_answered_from_documents_with_links_that_open(
    world: World, user: int
) -> None:
    """The answer quotes a passage, its numbers are links, and the links open at the section."""
    asked = world.sandbox.say(user, "What is proof of history?")
    answer = world.sandbox.answer(user, asked)
    links = [e["url"] for e in answer["entities"] if e["type"] == "text_link"]
    assert "Sources" in answer["text"]
    assert "[1]" in answer["text"]
    assert any("/library/solana/proof-of-history" in link for link in links)
    for link in links:
        page = world.sandbox.http.get(link)
        assert page.status_code == 200
        anchor = link.partition("#")[2]
        assert not anchor or f'id="{anchor}"' in page.text, link
    decision = finished_decision(world, user)
    assert decision["plan"] == "rag"
    assert decision["citations_count"] >= 1  # type: ignore[operator]


@pytest.mark.req("ROUTE-3")
def test_question_about_the_bot_is_answered_from_its_own_documents(world: World, user: int) -> None:
    """Chunks of internal sources come first and are cited."""
    asked = world.sandbox.say(user, "what are your sources?")
    answer = world.sandbox.answer(user, asked)
    links = [e["url"] for e in answer["entities"] if e["type"] == "text_link"]
    assert links
    assert all("/library/docs/" in link for link in links)
    decision = finished_decision(world, user)
    assert (decision["plan"], decision["intent"]) == ("rag", "about_this_bot")


@pytest.mark.req("TG-2", "VIS-1", "VIS-2", "VIS-3", "TG-3", "COST-1")
def test_photo_and_reply_to_it_cost_one_vision_call(world: World, user: int) -> None:
    """The picture answers both questions; only its largest size is fetched; no image is stored."""
    sandbox, before = world.sandbox, world.sandbox.mark()
    photo = picture("orange", "navy", seed=user)
    first = sandbox.say(user, "what is in this picture?", photo=photo)
    seen = sandbox.answer(user, first)
    assert "orange" in seen["text"].lower()
    again = sandbox.say(user, "which colour is on the right?", reply_to_message_id=first)
    answer = sandbox.answer(user, again)
    assert "navy" in answer["text"].lower()
    finished_decision(world, user)
    assert len(_vision_calls(world, before)) == 1
    stored = rows(
        world, "SELECT * FROM vision_images WHERE sha256 = %s", hashlib.sha256(photo).hexdigest()
    )
    assert [row["size"] for row in stored] == [len(photo)]


@pytest.mark.req("TG-3", "VIS-3")
def test_photos_in_message_and_reply_are_both_used(world: World, user: int) -> None:
    """A photo that answers a photo: both are summarised."""
    sandbox, before = world.sandbox, world.sandbox.mark()
    first = sandbox.say(user, "look", photo=picture("green", "white", seed=user))
    sandbox.answer(user, first)
    second = sandbox.say(
        user,
        "what is in this picture?",
        photo=picture("purple", "yellow", seed=user),
        reply_to_message_id=first,
    )
    answer = sandbox.answer(user, second)
    assert len(_vision_calls(world, before)) == 2
    prompt = _last_prompt(world, before)
    assert "green" in prompt
    assert "purple" in prompt
    assert answer["text"]


@pytest.mark.req("VIS-3")
def test_vision_does_not_go_stale(world: World, user: int) -> None:
    """The next text-only turn carries nothing of the picture."""
    sandbox = world.sandbox
    first = sandbox.say(user, "what is in this picture?", photo=picture("teal", "pink", seed=user))
    sandbox.answer(user, first)
    before = sandbox.mark()
    second = sandbox.say(user, "What is an automated market maker?")
    sandbox.answer(user, second)
    assert "<image_summary>" not in _last_prompt(world, before)


@pytest.mark.req("TG-2")
def test_photo_sent_as_document_and_album_are_one_turn_each(world: World, user: int) -> None:
    """An image file counts as a photo; the parts of an album are one question."""
    sandbox = world.sandbox
    import base64  # noqa: PLC0415 - only this test sends files

    file = base64.b64encode(picture("maroon", "white", seed=user)).decode()
    first = sandbox.say(
        user, "what is in this picture?", document_base64=file, file_name="picture.png"
    )
    assert "maroon" in sandbox.answer(user, first)["text"].lower()
    before = sandbox.mark()
    for n, colour in enumerate(["red", "blue", "lime"]):
        last = sandbox.say(
            user,
            "what is in this picture?" if n == 0 else None,
            photo=picture(colour, "black", seed=user + n),
            media_group_id=f"album-{user}",
        )
    sandbox.answer(user, last)
    finished_decision(world, user)
    assert len(_vision_calls(world, before)) == 3
    decisions = rows(world, "SELECT * FROM retrieval_decisions WHERE thread_id = %s", f"tg:{user}")
    assert len(decisions) == 2


@pytest.mark.req("MEM-1", "MEM-3", "MEM-4")
def test_memory_is_the_users_own(world: World, user: int) -> None:
    """What one user said is recalled for them and for nobody else."""
    sandbox, other = world.sandbox, user + 50_000
    asked = sandbox.say(user, "My name is Grimwald and I live in Uppsala")
    sandbox.answer(user, asked)
    finished_decision(world, user)
    asked = sandbox.say(user, "Where do I live?")
    assert "Uppsala" in sandbox.answer(user, asked)["text"]
    before = sandbox.mark()
    asked = sandbox.say(other, "Where do I live?")
    assert "Uppsala" not in sandbox.answer(other, asked)["text"]
    assert "Uppsala" not in json.dumps(_calls_for(world, "openai", before, "Where do I live?"))


@pytest.mark.req("RAG-6", "TOOL-3")
def test_each_turn_leaves_exactly_one_decision(world: World, user: int) -> None:
    """The row says how the turn was answered, why, and how long each node took."""
    asked = world.sandbox.say(user, "What is impermanent loss?")
    world.sandbox.answer(user, asked)
    decision = finished_decision(world, user)
    assert decision["plan"] == "rag"
    assert decision["reason"]
    assert decision["retrieved_count"] >= 1  # type: ignore[operator]
    assert list(decision["latency_ms"]) == [  # type: ignore[call-overload]
        "N1_ingest_input",
        "N2_load_long_term_memory",
        "N4_build_effective_query",
        "N5_retrieve",
        "N6_synthesize",
        "N7_persist",
    ] or set(decision["latency_ms"]) == {  # type: ignore[call-overload]
        "N1_ingest_input",
        "N2_load_long_term_memory",
        "N4_build_effective_query",
        "N5_retrieve",
        "N6_synthesize",
        "N7_persist",
    }
    count = rows(
        world,
        "SELECT count(*) FROM retrieval_decisions WHERE thread_id = %s",
        f"tg:{user}",
    )
    assert count == [{"count": 1}]


def test_commands_cost_no_model_call(world: World, user: int) -> None:
    """/start and /help are answered from the phrases."""
    before = world.sandbox.mark()
    for command in ("/start", "/help", "/nonsense"):
        asked = world.sandbox.say(user, command)
        assert world.sandbox.answer(user, asked)["text"]
    assert _calls_for(world, "openai", before, "/") == []


def test_every_call_to_telegram_has_the_bot_apis_form(world: World) -> None:
    """All calls that the bot made so far validate against aiogram's models."""
    calls = world.sandbox.calls("telegram")
    assert calls
    for call in calls:
        check_call(call["method"], call["body"])


def _vision_calls(world: World, since: int) -> list[dict[str, object]]:
    return [c for c in world.sandbox.calls("openai", since) if "image_bytes" in json.dumps(c)]


def _calls_for(world: World, upstream: str, since: int, text: str) -> list[dict[str, object]]:
    return [
        call
        for call in world.sandbox.calls(upstream, since)
        if text in json.dumps(call["body"], ensure_ascii=False)
    ]


def _last_prompt(world: World, since: int) -> str:
    chats = [
        call
        for call in world.sandbox.calls("openai", since)
        if call["method"] == "chat.completions" and call["body"].get("stream")
    ]
    return json.dumps(chats[-1]["body"], ensure_ascii=False)
