"""Nothing that was to be looked up reaches the user without what it rests on."""

import json
import re
from typing import Any

import pytest

from rich_agent.phrases import say
from tests.acceptance.parameters import some_of
from tests.acceptance.programs import client_of, streamed, text_in
from tests.acceptance.prompt_reading import texts_of
from tests.acceptance.session import links_of
from tests.acceptance.test_agui import events_of as agui_events
from tests.acceptance.test_agui import program, wanted
from tests.acceptance.world import World, ask, command

QUESTION = "What is an automated market maker?"
STREAM = '"stream":true'
"""Stands in the requests in which the model writes text."""
CHECK = '"no_claim"'
"""Stands in the requests for a second look."""


def shown(world: World, since: int) -> list[str]:
    """Every text that the bot sent or edited, in order."""
    calls = world.sandbox.calls("telegram", since)
    return [call["body"]["text"] for call in calls if "text" in call["body"]]


def answers(world: World, since: int) -> list[dict[str, Any]]:
    """The calls in which the model wrote text."""
    calls = world.sandbox.calls("openai", since)
    asked = [call for call in calls if call["method"] == "chat.completions"]
    return [call for call in asked if "response_format" not in call["body"]]


def looks(world: World, since: int) -> list[dict[str, Any]]:
    """The calls in which the planner's model looked at doubtful sentences again."""
    return [
        call
        for call in world.sandbox.calls("openai", since)
        if CHECK in json.dumps(call["body"].get("response_format"))
    ]


@pytest.mark.req("RAG-4", "TOOL-2")
def test_citations_are_passages_of_this_turn(world: World, user: int) -> None:
    """Documents and web together: each cited id was read, and a good answer costs one call."""
    before = world.sandbox.mark()
    world.ask(user, "What is the SOL price on Solana today?")
    (turn,) = world.rows(
        "SELECT meta_json FROM messages WHERE user_id = %s AND role = 'assistant'", user
    )
    (decision,) = world.decisions(user)
    cited = turn["meta_json"]["citations"]
    assert len(cited) == decision["citations_count"] >= 1
    assert len(cited) == sum(passage["cited"] for passage in decision["retrieved"])
    assert len(answers(world, before)) == 1
    assert looks(world, before) == []


BARE = {
    "en": "An automated market maker prices trades by a formula from the reserves of a pool.",
    "de": "Ein solcher Market Maker bildet Preise nach einer Formel. Er braucht kein Orderbuch.",
    "ja": "自動マーケットメーカーは数式で価格を決めます。板は要りません。",
    "ar": "صانع السوق الآلي يحدد الأسعار بمعادلة. لا يحتاج إلى دفتر أوامر.",
}
"""True answers as a model writes them that never cites."""
ASKED = {
    "en": QUESTION,
    "de": "Was ist ein Automated Market Maker?",
    "ja": "自動マーケットメーカーとは何ですか？",
    "ar": "ما هو صانع السوق الآلي (automated market maker)؟",
}


def sentences_of(text: str) -> list[str]:
    """Each sentence of such an answer."""
    return [one.strip() for one in re.findall(r"[^.。]+[.。]", text)]


def debug_of(world: World, user: int) -> dict[str, Any]:
    """The findings of the check of the user's last answer, lists as their lengths."""
    told = world.decisions(user)[-1]["nodes"]["N6_synthesize"]["output"]
    start = "answer.debug."
    return {name.removeprefix(start): one for name, one in told.items() if name.startswith(start)}


def checks(world: World, **verdict: Any) -> None:
    """Script what the planner's model says of the sentences of the next answer."""
    none: dict[str, Any] = {"supported": [], "unsupported": [], "no_answer": [], "no_claim": []}
    told = json.dumps({**none, **verdict})
    world.sandbox.fail("openai", "scripted", containing=[CHECK], text=told)


@pytest.mark.req("TOOL-2", "RAG-4")
@pytest.mark.parametrize("language", some_of(BARE, "en", "ja"))
def test_true_answer_without_markers_is_shown_with_its_sources(
    world: World, user: int, language: str
) -> None:
    """The look names the passages and the bot writes the markers; nothing is written again."""
    before = world.sandbox.mark()
    world.sandbox.script("", BARE[language])
    told = sentences_of(BARE[language])
    checks(world, supported=[{"sentence": n, "passages": [1]} for n, _ in enumerate(told, 1)])
    answer = world.ask(user, ASKED[language], language_code=language)
    for sentence in told:
        assert re.search(rf"{re.escape(sentence)} ?\[1\]", answer["text"])
    assert say(language, "sources-heading") in answer["text"]
    assert say(language, "nothing-found") not in answer["text"]
    assert links_of(answer)
    assert (len(answers(world, before)), len(looks(world, before))) == (1, 1)
    assert world.decisions(user)[0]["citations_count"] >= 1
    assert len(world.sandbox.replies(user)) == 1


@pytest.mark.req("TOOL-2", "RAG-4")
@pytest.mark.parametrize("language", some_of(BARE, "de"))
def test_false_answer_without_markers_is_refused(world: World, user: int, language: str) -> None:
    """No passage says any of it, and the repair says it again: what was looked at instead."""
    before = world.sandbox.mark()
    count = len(sentences_of(BARE[language]))
    world.sandbox.script("", BARE[language], BARE[language])
    checks(world, unsupported=list(range(1, count + 1)))
    answer = world.ask(user, ASKED[language], language_code=language)["text"]
    assert answer.startswith(say(language, "refused-rag"))
    assert "•" in answer
    assert sentences_of(BARE[language])[-1] not in answer
    assert len(answers(world, before)) == 2
    (decision,) = world.decisions(user)
    assert (decision["plan"], decision["citations_count"]) == ("rag", 0)


@pytest.mark.req("TOOL-2", "RAG-4")
@pytest.mark.parametrize("language", some_of(["de", "ja", "ar"], "ar"))
def test_mixed_answer_without_markers_is_cited_and_marked(
    world: World, user: int, language: str
) -> None:
    """The supported sentence has its source, the rest is named below."""
    first, second = sentences_of(BARE[language])
    world.sandbox.script("", BARE[language], BARE[language])
    checks(world, supported=[{"sentence": 1, "passages": [1]}], unsupported=[2])
    answer = world.ask(user, ASKED[language], language_code=language)["text"]
    assert re.search(rf"{re.escape(first)} ?\[1\]", answer)
    assert not re.search(rf"{re.escape(second)} ?\[1\]", answer)
    assert say(language, "unsupported", claims=second) in answer


FALSE = {
    "en": "An automated market maker does not price trades by a formula.",
    "de": "Ein Automated Market Maker bildet Preise nicht nach einer Formel.",
    "ja": "自動マーケットメーカーは数式で価格を決めません。",
    "ar": "صانع السوق الآلي لا يحدد الأسعار بمعادلة.",
}
"""Cited, without a name or a number."""


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize("language", some_of(FALSE, "en"))
def test_denied_claim_is_repaired(world: World, user: int, language: str) -> None:
    """The model is told which passage says otherwise, and the user reads what that says."""
    before = world.sandbox.mark()
    world.sandbox.script("", f"{FALSE[language]} [1]", f"{BARE[language]} [1]")
    checks(world, contradicted=[{"sentence": 1, "passages": [1]}])
    checks(world, supported=[{"sentence": n, "passages": [1]} for n in (1, 2)])
    answer = world.ask(user, ASKED[language], language_code=language)["text"]
    assert FALSE[language] not in answer
    assert sentences_of(BARE[language])[0] in answer
    assert '<contradicted passages=\\"1\\">' in json.dumps(answers(world, before)[-1]["body"])
    assert debug_of(world, user)["asked"] == 1


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize("language", some_of(FALSE, "ja"))
def test_denied_claim_that_stays_is_told_with_its_source(
    world: World, user: int, language: str
) -> None:
    """Below the answer, which no marker vouches for; /why counts it."""
    false = f"{FALSE[language]} [1]"
    world.sandbox.script("", false, false)
    checks(world, contradicted=[{"sentence": 1, "passages": [1]}])
    answer = world.ask(user, ASKED[language], language_code=language)
    said = FALSE[language]
    assert answer["text"].startswith(
        f"{said}\n\n{say(language, 'contradicted', claims=f'{said} [1]')}"
    )
    assert links_of(answer)
    assert (
        say(language, "why-contradicted", count=1)
        in world.ask(user, "/why", language_code=language)["text"]
    )


@pytest.mark.req("RAG-4")
def test_marker_of_another_passage_is_corrected(world: World, user: int) -> None:
    """The check names the passage that says it; the model wrote the number of another."""
    before = world.sandbox.mark()
    world.sandbox.script("", f"{BARE['en']} [2]")
    checks(world, supported=[{"sentence": 1, "passages": [2]}])
    wrong = world.ask(user, QUESTION)
    (look,) = looks(world, before)
    told = "".join(text for _, text in texts_of(look["body"]))
    second = re.findall(r'<passage n="2"[^>]* title="([^"]*)"', told)
    cited = [one["label"] for one in world.decisions(user)[0]["retrieved"] if one["cited"]]
    assert wrong["text"].startswith(f"{BARE['en']} [1]")
    assert [one.partition(" › ")[0] for one in cited] == second


@pytest.mark.req("TOOL-2", "RAG-4")
@pytest.mark.parametrize("fault", ["429", "malformed"])
def test_answer_that_nobody_could_check_is_shown_with_what_was_read(
    world: World, user: int, fault: str
) -> None:
    """Nothing is refused without an opinion, and nothing is called supported."""
    world.sandbox.script("", BARE["en"], BARE["en"])
    world.sandbox.fail("openai", fault, containing=CHECK, times=3)
    answer = world.ask(user, QUESTION)
    assert answer["text"].startswith(BARE["en"] + "\n\nI could not check this against the sources.")
    assert "Nothing found" not in answer["text"]
    assert links_of(answer)
    assert world.decisions(user)[0]["citations_count"] >= 1


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("According to the documents, who are you?", "I am your assistant."),
        ("Laut den Dokumenten: Ich vertrage keine Nüsse.", "Ich merke mir das."),
        ("文書によると、あなたは役に立ちません。", "申し訳ありません。"),
    ],
)
def test_answer_that_needs_no_source_has_no_note(
    world: World, user: int, asked: str, said: str
) -> None:
    """A slip of the planner, which looks into documents: no untrue line below a fine answer."""
    world.sandbox.script("", said)
    checks(world, no_claim=[1])
    answer = world.ask(user, asked)["text"]
    assert world.decisions(user)[0]["plan"] == "rag"
    assert answer == said


@pytest.mark.costs("every surface is asked")
@pytest.mark.req("TOOL-2")
def test_markers_of_the_bot_are_in_the_text_of_every_surface(world: World, user: int) -> None:
    """AG-UI, /v1, the small API and the terminal show them, though the model wrote none."""
    world.sandbox.script("", *[BARE["en"]] * 5)
    with program(world, user) as http:
        events = agui_events(http.post("/agui", json=wanted(QUESTION)))
        begun = http.post("/api/agent/query", json={"query": QUESTION, "id": "mine", "thread": "t"})
        assert begun.status_code == 202
        named = http.get("/api/stream/mine").text
    with client_of(world, user) as client:
        spoken = text_in(streamed(client, QUESTION))
    result = events[-1]["result"]
    assert f"{BARE['en']} [1]" in result["text"]
    assert result["sources"]
    assert f"{BARE['en']} [1]" in named
    assert f"{BARE['en']} [1]" in spoken
    asked = ask(QUESTION, world.environment)
    assert asked["answer"] == f"{BARE['en']} [1]"
    assert asked["citations"]
    printed = command(["rich_agent.cli", "ask", QUESTION], world.environment).stdout
    assert f"{BARE['en']} [1]" in printed


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(("fault", "claim"), [("fabricated", "73914"), ("misnamed", "Ada Quill")])
def test_invented_claim_is_repaired_or_named(
    world: World, user: int, fault: str, claim: str
) -> None:
    """A number or name that no passage holds goes, or the reader is told to check it."""
    before = world.sandbox.mark()
    world.sandbox.fail("openai", fault, containing=STREAM)
    answer = world.ask(user, QUESTION)["text"]
    assert claim not in answer
    assert "[1]" in answer
    assert len(looks(world, before)) == 1
    world.sandbox.fail("openai", fault, containing=STREAM, times=2)
    marked = world.ask(user, "What is slippage?")["text"]
    assert "Not in the sources, please check: " in marked
    assert claim in marked.split("please check: ")[1].splitlines()[0]
    assert "1 sentence has no source" in world.ask(user, "/why")["text"]


@pytest.mark.req("RAG-4")
def test_claim_without_any_support_is_not_shown(world: World, user: int) -> None:
    """A marker behind an invention is no ground."""
    world.sandbox.script("", "The CEO is Ada Quill. [1]")
    answer = world.ask(user, QUESTION)["text"]
    assert answer.startswith("Nothing in my documents answers this.")
    assert "Ada" not in answer


@pytest.mark.req("RAG-4")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What do 12 months at $20 cost?", "An automated market maker: $240 (12 × $20). [1]"),
        ("How long are 7 days?", "An automated market maker: 168 hours (7 days × 24). [1]"),
        ("Was sind die 12 Gebühren?", "An automated market maker has zwölf of them. [1]"),
    ],
)
def test_result_with_its_working_is_not_doubted(
    world: World, user: int, asked: str, said: str
) -> None:
    """The working holds by arithmetic, and numbers in words are the model's to read."""
    before = world.sandbox.mark()
    world.sandbox.script("", said)
    checks(world, supported=[{"sentence": 1, "passages": [1]}])
    answer = world.ask(user, f"{QUESTION} {asked}")["text"]
    assert said.split(" [", maxsplit=1)[0] in answer
    assert "please check" not in answer
    assert len(answers(world, before)) == 1
    assert debug_of(world, user)["doubted"] == 0


@pytest.mark.req("TOOL-2")
@pytest.mark.parametrize(
    "said",
    [
        "Die Dokumente enthalten dazu keine Angaben.",
        "Los documentos no dicen nada sobre eso.",
        "文件中没有提到这一点。",
    ],
)
def test_nothing_found_is_recognised_in_any_language(world: World, user: int, said: str) -> None:
    """Without a marker: a second look says so, and nothing is written again or refused."""
    before = world.sandbox.mark()
    world.sandbox.script("", said)
    answer = world.ask(user, QUESTION)["text"]
    assert answer.startswith(said)
    assert "Nothing found in my documents" in answer
    assert (len(answers(world, before)), len(looks(world, before))) == (1, 1)


FAILING_JUDGES: dict[str, dict[str, Any]] = {
    "429": {"kind": "429", "times": 3},
    "malformed": {"kind": "malformed", "times": 9},
    "nothing": {"kind": "empty", "times": 9},
    "no list": {"kind": "scripted", "times": 2, "text": "{}"},
    "empty lists": {"kind": "scripted", "times": 2, "text": '{"supported": [], "unsupported": []}'},
    "silent": {"kind": "timeout", "delay_s": 60.0},
}


@pytest.mark.req("RAG-4", "ACT-5")
@pytest.mark.parametrize("judge", FAILING_JUDGES)
def test_judge_that_fails_is_told_below_a_cited_answer(world: World, user: int, judge: str) -> None:
    """The answer stays as it is, with a line; /why has it too, and no sentence as judged."""
    world.sandbox.script("", f"{FALSE['en']} [1]")
    world.sandbox.fail("openai", containing=["no_claim"], **FAILING_JUDGES[judge])
    answer = world.ask(user, QUESTION)["text"]
    assert answer.startswith(f"{FALSE['en']} [1]\n\n{say('en', 'unjudged')}")
    record = debug_of(world, user)
    assert (record["judged"], record["unjudged"], record["looked"]) == (0, 1, False)
    assert not record["repaired"]
    assert say("en", "why-unjudged", count=1) in world.ask(user, "/why")["text"]


@pytest.mark.req("ACT-5")
def test_judge_is_asked_again_about_what_it_left_out(world: World, user: int) -> None:
    """Once; /why counts what was judged then."""
    before = world.sandbox.mark()
    first, second = sentences_of(BARE["de"])
    world.sandbox.script("", f"{first} [1] {second} [1]")
    checks(world, supported=[{"sentence": 1, "passages": [1]}])
    checks(world, supported=[{"sentence": 1, "passages": [1]}])
    answer = world.ask(user, ASKED["de"], language_code="de")["text"]
    again = json.dumps(looks(world, before)[-1]["body"]["messages"][-1], ensure_ascii=False)
    assert (first in again, second in again) == (False, True)
    assert say("de", "unjudged-claims", claims="").strip() not in answer
    why = world.ask(user, "/why", language_code="de")["text"]
    assert say("de", "why-judged", count=2) in why


@pytest.mark.costs("every surface is asked")
@pytest.mark.req("ACT-5")
def test_judge_that_fails_is_told_on_every_surface(world: World, user: int) -> None:
    """AG-UI, /v1, the small API and the terminal have the line."""
    note = say("en", "unjudged")
    world.sandbox.script("", *[f"{FALSE['en']} [1]"] * 5)
    world.sandbox.fail("openai", "scripted", containing=[CHECK], text="{}", times=10)
    with program(world, user) as http:
        events = agui_events(http.post("/agui", json=wanted(QUESTION)))
        begun = http.post("/api/agent/query", json={"query": QUESTION, "id": "mine", "thread": "t"})
        assert begun.status_code == 202
        named = http.get("/api/stream/mine").text
    with client_of(world, user) as client:
        spoken = text_in(streamed(client, QUESTION))
    texts = {
        "agui": events[-1]["result"]["text"],
        "api": named,
        "v1": spoken,
        "ask": ask(QUESTION, world.environment)["answer"],
        "terminal": " ".join(
            command(["rich_agent.cli", "ask", QUESTION], world.environment).stdout.split()
        ),
    }
    assert [surface for surface, text in texts.items() if note not in text] == []


@pytest.mark.req("TOOL-2")
def test_question_without_an_answer_says_so(world: World, user: int) -> None:
    """The documents were asked for and hold nothing: no citation, no call for a repair."""
    before = world.sandbox.mark()
    answer = world.ask(user, "According to the documents, who plays the trombone?")
    assert "Nothing found in my documents" in answer["text"]
    assert "Sources" not in answer["text"].split("\n")
    assert len(answers(world, before)) <= 1
    assert world.decisions(user)[0]["citations_count"] == 0
