"""A user talks to the running bot through Telegram's stand-in."""

import base64
import hashlib
import json
import re
from typing import Any

import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.world import World
from tests.documents import document

RAG_ROAD = {
    "N1_ingest_input",
    "N2_load_long_term_memory",
    "N4_build_effective_query",
    "N5_retrieve",
    "N6_synthesize",
    "N7_persist",
}


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize("greeting", ["hi", "yo", "やあ"])
def test_greeting_is_answered_without_any_model_call(
    world: World, user: int, greeting: str
) -> None:
    """No planning, no embedding, no search, no synthesis: only Telegram is called."""
    before = world.sandbox.mark()
    answer = world.ask(user, greeting)
    assert 0 < len(answer["text"]) < 200
    assert answer["edits"] == 0
    (decision,) = world.decisions(user)
    assert (decision["plan"], decision["intent"]) == ("direct", "smalltalk_or_short")
    assert world.sandbox.calls("openai", before) == []
    assert world.sandbox.calls("tavily", before) == []


@pytest.mark.req("TG-1")
def test_text_runs_the_graph_on_the_users_own_thread(world: World, user: int) -> None:
    """from.id decides the thread, and nothing else is checkpointed."""
    world.ask(user, "What is proof of history?")
    threads = world.rows(
        "SELECT DISTINCT thread_id FROM checkpoints WHERE thread_id LIKE %s", f"%{user}%"
    )
    assert threads == [{"thread_id": f"tg:{user}"}]


@pytest.mark.req("TG-1")
@pytest.mark.parametrize("kind", ["group", "channel"])
def test_groups_and_channels_get_no_answer(world: World, user: int, kind: str) -> None:
    """An update from a group starts no run; the private message after it is answered."""
    elsewhere = world.sandbox.say(user, "What is proof of history?", chat_type=kind)
    world.ask(user, "hi")
    stored = "SELECT 1 FROM telegram_inbox WHERE update_id = %s"
    assert kind == "channel" or world.rows(stored, elsewhere.update_id) == []
    assert len(world.decisions(user)) == 1
    assert len(world.sandbox.replies(user)) == 1


@pytest.mark.req("RAG-4", "TOOL-2", "ROUTE-4")
def test_domain_question_is_answered_from_documents_with_links_that_open(
    world: World, user: int
) -> None:
    """The answer quotes a passage, its numbers are links, and the links open at the section."""
    answer = world.ask(user, "What is proof of history?")
    links = _links(answer)
    assert "Sources" in answer["text"]
    assert "[1]" in answer["text"]
    assert any("/library/solana/proof-of-history" in link for link in links)
    for link in links:
        page = world.sandbox.http.get(link)
        assert page.status_code == 200
        anchor = link.partition("#")[2]
        assert not anchor or f'id="{anchor}"' in page.text, link
    (decision,) = world.decisions(user)
    assert decision["plan"] == "rag"
    assert decision["citations_count"] >= 1


@pytest.mark.req("RAG-4")
def test_invented_citation_never_reaches_the_user(world: World, user: int) -> None:
    """The model cites a passage that it was not given: no edit shows it or another."""
    question = "What is an automated market maker?"
    honest = world.ask(user + 50_000, question)
    before = world.sandbox.mark()
    world.sandbox.fail("openai", "invented", method="chat.completions", times=2)
    answer = world.ask(user, question)
    assert _links(answer) == _links(honest)
    shown = [c["body"].get("text", "") for c in world.sandbox.calls("telegram", before)]
    assert "[1]" in answer["text"]
    assert not any("[99]" in text for text in shown)


@pytest.mark.req("ROUTE-3")
def test_question_about_the_bot_is_answered_from_its_own_documents(world: World, user: int) -> None:
    """Chunks of internal sources come first and are cited; then the sources are named."""
    answer = world.ask(user, "what are your sources?")
    links = _links(answer)
    assert links, answer["text"]
    active = "SELECT name FROM rag_sources WHERE status = 'active'"
    names = [row["name"] for row in world.rows(active)]
    assert names
    assert all(f"• {name}" in answer["text"] for name in names)
    assert all("/library/docs/" in link for link in links)
    (decision,) = world.decisions(user)
    assert (decision["plan"], decision["intent"]) == ("rag", "about_this_bot")


@pytest.mark.req("ROUTE-3")
@pytest.mark.parametrize(
    ("question", "named", "not_named"),
    [
        ("list all documents", "Proof of history", "zzz"),
        ("documents about Drift?", "Perpetual futures and funding", "Proof of history"),
        ("資料の一覧を見せて", "Proof of history", "zzz"),
    ],
)
def test_documents_are_listed_by_their_titles(
    world: World, user: int, question: str, named: str, not_named: str
) -> None:
    """As the catalogue has them, which is cited and leads nowhere."""
    answer = world.ask(user, question)
    listed, _, cited = answer["text"].rpartition("[1]")
    assert re.search(rf"^• .*{named}", listed, re.MULTILINE)
    assert f"• {not_named}" not in listed
    assert cited.strip() in {"My documents", "登録された資料"}
    assert world.decisions(user)[0]["plan"] == "rag"


@pytest.mark.req("ROUTE-4", "TOOL-1")
def test_domain_question_about_now_reads_documents_then_the_web(world: World, user: int) -> None:
    """The word "today" adds the web; retrieval comes before search; one search in all.

    What it found is read like the passages of documents.
    """
    before = world.sandbox.mark()
    world.ask(user, "What is the SOL staking yield on Solana today?")
    (decision,) = world.decisions(user)
    assert decision["plan"] == "rag+web"
    assert {one["kind"] for one in decision["retrieved"]} >= {"document", "web"}
    order = [c["method"] for c in world.sandbox.calls(since=before)]
    assert order.count("search") == 1
    assert order.index("embeddings") < order.index("search")


@pytest.mark.req("TOOL-1")
def test_web_that_is_down_is_said_so(world: World, user: int) -> None:
    """Tavily fails: the answer says that the web could not be searched."""
    world.sandbox.fail("tavily", "500", times=1)
    answer = world.ask(user, "What is the latest release of PostgreSQL?")
    assert "could not be searched" in answer["text"]


@pytest.mark.req("TG-2", "VIS-1", "VIS-2", "VIS-3", "TG-3", "COST-1")
def test_photo_and_reply_to_it_cost_one_vision_call(world: World, user: int) -> None:
    """The picture answers both questions; only its largest size is fetched; none is stored."""
    before = world.sandbox.mark()
    photo = picture("orange", "navy", seed=user)
    first = world.sandbox.say(user, "what is in this picture?", photo=photo)
    assert "orange" in world.answer(user, first)["text"].lower()
    again = world.ask(user, "which colour is on the right?", reply_to_message_id=first.message_id)
    assert "navy" in again["text"].lower()
    assert len(_vision_calls(world, before)) == 1
    fetched = {
        call["body"]["file_id"]
        for call in world.sandbox.calls("telegram", before)
        if call["method"] == "getFile"
    }
    assert len(fetched) == 1
    assert _image_rows(world, photo) == [len(photo)]


@pytest.mark.costs("photos are looked at")
@pytest.mark.req("VIS-2")
def test_same_photo_of_many_users_at_once_is_looked_at_once(world: World, user: int) -> None:
    """Eight users send the same bytes at the same time: one model call, one row."""
    before = world.sandbox.mark()
    photo = picture("olive", "silver", seed=user)
    users = range(user + 1_000, user + 1_008)
    sent = {one: world.sandbox.say(one, "what is in this picture?", photo=photo) for one in users}
    for one, message in sent.items():
        assert "olive" in world.answer(one, message)["text"].lower()
    assert len(_vision_calls(world, before)) == 1
    assert len(_image_rows(world, photo)) == 1


@pytest.mark.costs("photos are looked at")
@pytest.mark.req("TG-3", "VIS-3")
def test_photos_in_message_and_reply_are_both_used(world: World, user: int) -> None:
    """A photo that answers a photo: both are summarised and reach the prompt.

    What was said of the first one is in no conversation any more.
    """
    before = world.sandbox.mark()
    first = world.sandbox.say(user, "look", photo=picture("green", "white", seed=user))
    world.answer(user, first)
    world.ask(user, "/new")
    world.ask(
        user,
        "what is in this picture?",
        photo=picture("purple", "yellow", seed=user),
        reply_to_message_id=first.message_id,
    )
    assert len(_vision_calls(world, before)) == 2
    prompt = _last_prompt(world, before)
    assert "green" in prompt
    assert "purple" in prompt


@pytest.mark.costs("photos are looked at")
@pytest.mark.req("VIS-3")
def test_word_that_is_only_in_the_image_reaches_retrieval_and_synthesis(
    world: World, user: int
) -> None:
    """The picture's content is searched for and given to the model, and then forgotten."""
    photo = picture("teal", "pink", seed=user)
    world.ask(user, "What do the documents say about this picture?", photo=photo)
    (decision,) = world.decisions(user)
    assert "teal" in decision["query"]
    assert "teal" in _last_prompt(world, 0)
    before = world.sandbox.mark()
    world.ask(user, "What is an automated market maker?")
    # The bot's own answer may still name the colour; what the model saw is gone.
    assert "<image_summary>" not in json.dumps(world.sandbox.calls("openai", before))
    assert "teal" not in world.decisions(user)[-1]["query"]


@pytest.mark.req("VIS-1")
@pytest.mark.parametrize(
    "fault", [{"kind": "malformed"}, {"kind": "scripted", "text": '{"entities": ["a square"]}'}]
)
def test_malformed_image_summary_is_repaired_once_then_told(
    world: World, user: int, fault: dict[str, str]
) -> None:
    """Two malformed outputs: a plain error to the user, and nothing invalid is stored."""
    photo = picture("crimson", "gray", seed=user)
    world.sandbox.fail("openai", method="chat.completions", times=2, **fault)
    before = world.sandbox.mark()
    answer = world.ask(user, "what is in this picture?", photo=photo)
    assert len(_vision_calls(world, before)) == 2
    assert "gave an answer that I could not use" in answer["text"]
    assert _image_rows(world, photo) == []


@pytest.mark.req("TG-2")
def test_photo_sent_as_a_file_is_looked_at(world: World, user: int) -> None:
    """An image/* document counts as a photo."""
    file = base64.b64encode(picture("purple", "white", seed=user)).decode("ascii")
    answer = world.ask(
        user, "what is in this picture?", document_base64=file, file_name="picture.png"
    )
    assert "purple" in answer["text"].lower()


@pytest.mark.req("TG-2")
def test_album_is_one_turn_with_all_its_photos(world: World, user: int) -> None:
    """Three photos, one question, one answer."""
    before = world.sandbox.mark()
    sent = [
        world.sandbox.say(
            user,
            "what is in this picture?" if number == 0 else None,
            photo=picture(colour, "black", seed=user + number),
            media_group_id=f"album-{user}",
        )
        for number, colour in enumerate(["red", "blue", "lime"])
    ]
    world.answer(user, sent[-1])
    assert len(_vision_calls(world, before)) == 3
    assert len(world.decisions(user)) == 1
    assert len(world.sandbox.replies(user)) == 1


@pytest.mark.req("MEM-1", "MEM-3", "MEM-4")
def test_memory_is_the_users_own(world: World, user: int) -> None:
    """Facts that one user told are recalled for them and for nobody else."""
    world.ask(user, "My name is Grimwald and I live in Uppsala")
    kept = world.rows("SELECT key FROM store WHERE prefix = %s", f"users.{user}")
    assert {row["key"] for row in kept} == {
        "facts",
        "preferences",
        "tasks",
        "conversation_summary",
    }
    assert "Uppsala" in world.ask(user, "Where do I live?")["text"]
    before = world.sandbox.mark()
    other = user + 50_000
    assert "Uppsala" not in world.ask(other, "Where do I live?")["text"]
    assert "Uppsala" not in json.dumps(world.sandbox.calls("openai", before))


@pytest.mark.req("RAG-6", "TOOL-3")
def test_each_turn_leaves_exactly_one_decision(world: World, user: int) -> None:
    """The row says how the turn was answered, why, and how long each node took."""
    world.ask(user, "What is impermanent loss?")
    (decision,) = world.decisions(user)
    assert decision["plan"] == "rag"
    assert decision["reason"]
    assert decision["retrieved_count"] >= 1
    assert set(decision["latency_ms"]) == RAG_ROAD
    assert all(spent >= 0 for spent in decision["latency_ms"].values())


def test_commands_cost_no_model_call(world: World, user: int) -> None:
    """/start and /help are answered from the phrases."""
    before = world.sandbox.mark()
    for command in ("/start", "/help", "/nonsense"):
        assert world.ask(user, command)["text"]
    assert world.sandbox.calls("openai", before) == []


def _links(answer: dict[str, Any]) -> list[str]:
    return [entity["url"] for entity in answer["entities"] if entity["type"] == "text_link"]


def _image_rows(world: World, photo: bytes) -> list[int]:
    digest = hashlib.sha256(photo).hexdigest()
    return [
        row["size"] for row in world.rows("SELECT * FROM vision_images WHERE sha256 = %s", digest)
    ]


def _vision_calls(world: World, since: int) -> list[dict[str, Any]]:
    return [c for c in world.sandbox.calls("openai", since) if "image_bytes" in json.dumps(c)]


def _last_prompt(world: World, since: int) -> str:
    streamed = [call for call in world.sandbox.calls("openai", since) if call["body"].get("stream")]
    return json.dumps(streamed[-1]["body"], ensure_ascii=False)


def test_menus_follow_what_was_written_and_not_one_guess(world: World, user: int) -> None:
    """A planner that says English of Devanagari changes no menu, and one in English neither."""
    plan = {"intent": "general_question", "plan": "direct", "web": "never", "language": "en"}
    for text in ("स्टेकिंग क्या होता है, बताइए", "और उसके जोखिम क्या हैं"):
        guess = {"text": json.dumps(plan), "containing": [text, "PlannedTurn"]}
        world.sandbox.fail("openai", "scripted", method="chat.completions", **guess)
        world.ask(user, text, language_code="hi")
    assert re.search("[\u0900-\u097f]", world.ask(user, "/memory", language_code="en")["text"])
    world.ask(user, "What is proof of history?", language_code="en")
    assert re.search("[\u0900-\u097f]", world.ask(user, "/memory", language_code="en")["text"])


@pytest.mark.parametrize(
    ("said", "is_told"),
    [("I am the assistant of this house.", False), ("The texts do not say that. [0]", True)],
)
def test_nothing_found_stands_below_what_says_so_itself(
    world: World, user: int, said: str, *, is_told: bool
) -> None:
    """Not below an answer that needs no source, whatever was planned."""
    question = "Who are you, and who keeps you running?"
    nothing = '{"no_claim": [1]}' if not is_told else '{"no_answer": [1]}'
    checked = {"text": nothing, "containing": [question, "no_claim"], "times": 2}
    world.sandbox.fail("openai", "scripted", method="chat.completions", **checked)
    world.sandbox.script(question, said)
    answer = world.ask(user, question)
    assert said.partition(" [")[0] in answer["text"]
    assert ("Nothing found" in answer["text"]) is is_told


@pytest.mark.feature("agenda")
def test_last_change_is_undone_in_words(world: World, user: int) -> None:
    """In another message than the one that made it; a second time nothing is left to undo."""
    world.ask(user, "add buy milk to my tasks")
    assert "Buy milk" in world.ask(user, "/tasks")["text"]
    assert "Undone" in world.ask(user, "undo")["text"]
    assert "Buy milk" not in world.ask(user, "/tasks")["text"]
    assert "Undone" not in world.ask(user, "undo that")["text"]


@pytest.mark.costs("files are read and indexed")
def test_files_that_were_sent_are_listed_in_words(world: World, user: int) -> None:
    """By their names, the newest first, and never those of somebody else."""
    for name in ("report.pdf", "minutes.docx"):
        data = base64.b64encode(document(name)).decode("ascii")
        world.ask(user, "keep this", document_base64=data, file_name=name)
        world.sandbox.pause(user)
    listed = world.ask(user, "what did I send you?")["text"]
    assert 0 <= listed.find("minutes.docx") < listed.find("report.pdf")
    other = world.ask(user + 500_000, "what did I send you?")["text"]
    assert "report.pdf" not in other
