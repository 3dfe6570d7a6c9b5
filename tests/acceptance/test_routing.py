"""Routing: where the running bot looks for an answer, and what it searches for."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.session import links_of
from tests.acceptance.world import World, ask


@pytest.mark.req("ROUTE-1", "ROUTE-5")
@pytest.mark.parametrize(
    ("question", "intent", "plan"),
    [
        ("やあ！", "smalltalk_or_short", "direct"),
        ("write a haiku about rain", "general_question", "direct"),
        ("what is the latest release of PostgreSQL?", "general_question", "web"),
        ("What can you do?", "about_this_bot", "rag"),
        ("According to the documents, what is rent?", "docs_required", "rag"),
        ("Solanaのバリデーターとは何ですか", "domain_solana_defi_trade", "rag"),
        ("What is the staking yield on Solana right now?", "domain_solana_defi_trade", "rag+web"),
    ],
)
def test_utterance_is_routed_as_labelled(
    world: World, user: int, question: str, intent: str, plan: str
) -> None:
    """Intent and plan, and with them which upstreams are asked: only those of the plan.

    The words of what is planned may have been embedded meanwhile.
    """
    before = world.sandbox.mark()
    world.ask(user, question)
    (decision,) = world.decisions(user)
    assert (decision["intent"], decision["plan"]) == (intent, plan)
    methods = [call["method"] for call in world.sandbox.calls(since=before)]
    assert "embeddings" in methods or plan in {"direct", "web"}
    assert intent != "smalltalk_or_short" or methods.count("embeddings") == 0
    assert methods.count("search") == (plan in {"web", "rag+web"})


def is_planning(call: dict[str, Any]) -> bool:
    """Whether a call of the model asks for a plan."""
    return "PlannedTurn" in json.dumps(call["body"])


@pytest.mark.req("ROUTE-2")
def test_small_talk_that_is_certain_costs_no_planning(world: World, user: int) -> None:
    """Bye, thanks, laughter: only Telegram is called; an emoji costs its answer."""
    before = world.sandbox.mark()
    for text in ("bye!", "ありがとう", "haha"):
        world.ask(user, text)
    assert world.sandbox.calls("openai", before) == []
    world.ask(user, "👍")
    (call,) = world.sandbox.calls("openai", before)
    assert not is_planning(call)
    assert world.sandbox.calls("tavily", before) == []
    assert {decision["plan"] for decision in world.decisions(user)} == {"direct"}


@pytest.mark.req("ROUTE-2")
def test_word_of_no_document_is_answered_directly(world: World, user: int) -> None:
    """The planner says that it asks for nothing: no list of words knows it."""
    before = world.sandbox.mark()
    world.ask(user, "marmalade")
    assert any(map(is_planning, world.sandbox.calls("openai", before)))
    assert world.sandbox.calls("tavily", before) == []
    assert {decision["plan"] for decision in world.decisions(user)} == {"direct"}


@pytest.mark.req("ROUTE-2")
@pytest.mark.parametrize(
    ("greeting", "answer"),
    [
        ("Guten Morgen!", "Hallo User"),
        ("¡Hola!", "¡Hola, User"),
        ("你好", "你好"),
        ("やあ", "さん、こんにちは！"),
        ("hello", "Hi User"),
    ],
)
def test_greeting_is_answered_in_its_language(
    world: World, user: int, greeting: str, answer: str
) -> None:
    """Without plan, embedding or search: by the product where it has the words, else by a model."""
    before = world.sandbox.mark()
    assert answer in world.ask(user, greeting)["text"]
    calls = world.sandbox.calls("openai", before)
    assert [call["method"] for call in calls] in ([], ["chat.completions"])
    assert not any(map(is_planning, calls))


@pytest.mark.req("ROUTE-5", "TOOL-1")
@pytest.mark.parametrize(
    "question",
    [
        "What day is it today?",
        "Welcher Tag ist heute?",
        "¿Qué día es hoy?",
        "今天星期几？",
        "今日は何曜日ですか？",
    ],
)
def test_today_is_known_without_a_web_search(prepared: World, user: int, question: str) -> None:
    """The model is told the date; nobody speaks of the web."""
    keyless = {**prepared.environment, "TAVILY_API_KEY": ""}
    answer = ask(question, keyless, "--user", str(user))
    assert (answer["plan"], answer["citations"]) == ("direct", [])
    today = datetime.now(UTC)
    assert str(today.day) in answer["answer"]
    assert str(today.year) in answer["answer"]
    for phrase in ("could not be searched", "検索できませんでした"):
        assert phrase not in answer["answer"]


@pytest.mark.req("ROUTE-2", "TOOL-2")
@pytest.mark.parametrize("word", ["liquidation", "Staking!", "清算"])
def test_word_of_the_documents_is_looked_up_and_cited(world: World, user: int, word: str) -> None:
    """No planning call: an embedding, and the answer with its sources."""
    before = world.sandbox.mark()
    answer = world.ask(user, word)
    calls = world.sandbox.calls("openai", before)
    assert [c["method"] for c in calls][:2] == ["embeddings", "chat.completions"]
    assert not any(map(is_planning, calls))
    (decision,) = world.decisions(user)
    assert (decision["plan"], decision["query"]) == ("rag", word)
    assert "[1]" in answer["text"]


@pytest.mark.req("ROUTE-4", "TOOL-1", "TOOL-3")
def test_weak_evidence_asks_the_web_and_says_so(world: World, user: int) -> None:
    """The documents say little: plan, reason, /why and the list of sources show the web."""
    answer = world.ask(user, "For how many autumns does Python publish bug fixes?")
    (decision,) = world.decisions(user)
    assert decision["plan"] == "rag+web"
    assert "my documents say little" in decision["reason"]
    cited = [read for read in decision["retrieved"] if read["cited"] and read["kind"] == "web"]
    assert cited
    sources = answer["text"].partition("Sources")[2]
    for page in cited:
        assert page["id"].removeprefix("web:").isdigit()
        assert f"{page['label']} (web)" in sources
    assert any("example.com/sandbox" in link for link in links_of(answer))
    why = world.ask(user, "/why")["text"]
    assert "my documents, then the web" in why
    assert "say little" in why
    assert "Web: " in why


@pytest.mark.req("TOOL-1", "ROUTE-5")
def test_question_about_now_without_a_key_says_that_the_web_was_not_searched(
    prepared: World, user: int
) -> None:
    """No call is made; the model answers from what it knows, and the user is told."""
    before = prepared.sandbox.mark()
    keyless = {**prepared.environment, "TAVILY_API_KEY": ""}
    answer = ask("What is the latest release of PostgreSQL?", keyless, "--user", str(user))
    assert (answer["plan"], answer["citations"]) == ("direct", [])
    assert "could not be searched" in answer["answer"]
    assert prepared.sandbox.calls("tavily", before) == []


@pytest.mark.req("ROUTE-5")
@pytest.mark.parametrize("fault", ["malformed", "500"])
def test_planner_that_fails_once_is_asked_again(world: World, user: int, fault: str) -> None:
    """The second call gives the plan, and nobody is told of the first."""
    world.sandbox.fail("openai", fault, method="chat.completions", times=1)
    world.ask(user, "What is Solana?")
    (decision,) = world.decisions(user)
    assert decision["plan"] == "rag"
    assert "gave no plan" not in decision["reason"]


@pytest.mark.req("ROUTE-5", "TOOL-1")
def test_without_a_plan_nothing_is_searched_for_on_the_web(world: World, user: int) -> None:
    """A private statement with a word of time, and a planner of no use: Tavily hears nothing."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", "malformed", method="chat.completions", times=2)
    world.ask(user, "My salary is 4,210 euros today, and I have diabetes")
    (decision,) = world.decisions(user)
    assert decision["plan"] != "web"
    assert "the planning model gave no plan" in decision["reason"]
    assert world.sandbox.calls("tavily", before) == []


@pytest.mark.req("ROUTE-4")
@pytest.mark.parametrize(
    ("first", "follow_up", "subject"),
    [
        ("What is staking on Solana?", "and its fee?", "staking"),
        ("清算とは何ですか", "手数料は？", "清算"),
    ],
)
def test_follow_up_is_searched_with_its_subject(
    world: World, user: int, first: str, follow_up: str, subject: str
) -> None:
    """The conversation makes the query stand alone; after /new there is nothing to refer to."""
    world.ask(user, first)
    before = world.sandbox.mark()
    world.ask(user, follow_up)
    query = world.decisions(user)[-1]["query"]
    assert subject in query
    *_, embedded = [c for c in world.sandbox.calls("openai", before) if c["method"] == "embeddings"]
    assert embedded["body"]["input"] == [query]
    world.ask(user, "/new")
    world.ask(user, follow_up)
    assert world.decisions(user)[-1]["query"] == follow_up


@pytest.mark.req("ROUTE-4", "VIS-3")
def test_follow_up_after_a_photo_names_what_it_showed(world: World, user: int) -> None:
    """The photo is gone from the turn, and its subject is in the conversation."""
    photo = picture("orange", "navy", seed=user)
    world.answer(user, world.sandbox.say(user, "what is in this picture?", photo=photo))
    world.ask(user, "and its price?")
    assert "orange" in world.decisions(user)[-1]["query"]


@pytest.mark.req("ROUTE-4", "RAG-6", "TOOL-3")
def test_compound_question_is_searched_part_by_part(world: World, user: int) -> None:
    """Both queries are embedded in one call, stored, and find passages of their own."""
    before = world.sandbox.mark()
    answer = world.ask(user, "What is a seed phrase, and what is impermanent loss?")
    (decision,) = world.decisions(user)
    assert decision["queries"] == ["What is a seed phrase", "what is impermanent loss?"]
    *_, embedded = [c for c in world.sandbox.calls("openai", before) if c["method"] == "embeddings"]
    assert embedded["body"]["input"] == decision["queries"]
    read = json.dumps(decision["retrieved"])
    assert "seed phrase" in read
    assert "impermanent loss" in read
    assert "[1]" in answer["text"]
