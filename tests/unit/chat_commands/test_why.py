"""/why: what it tells of a decision, in both languages."""

from typing import Any

import pytest

from rich_agent.chat_commands.why import explain, explain_to
from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.answer.trace import NodeReport
from rich_agent.domain.rights import ANYBODY
from rich_agent.ports.spaces import ReadableSpace
from tests.scripted import ScriptedSpaces


def decision(**changes: Any) -> Decision:
    """A turn that read documents and the web."""
    values: dict[str, Any] = {
        "thread_id": "tg:42",
        "request_id": "tg:7",
        "intent": "general_question",
        "plan": "rag+web",
        "reason": "it is about now",
        "query": "price of SOL",
        "latency_ms": {"N5_retrieve": 20.0, "N6_synthesize": 1500.0},
        "nodes": {
            "N5_retrieve": NodeReport().to_json(),
            "N8_web_search": NodeReport().to_json(),
        },
        "retrieved": [
            {"label": "Fees", "kind": "document", "score": 0.81, "cited": False},
            {"label": "Staking", "kind": "document", "score": 0.7, "cited": True},
            {"label": "News", "kind": "web", "score": 0.5, "cited": True},
        ],
    }
    return Decision(**{**values, **changes})


def told(node: str, **report: Any) -> dict[str, Any]:
    """The nodes of a turn, one of which tells this."""
    return {**decision().nodes, node: NodeReport(**report).to_json()}


@pytest.mark.req("TOOL-3")
def test_why_tells_documents_and_web_apart_the_cited_first() -> None:
    """Each with its score."""
    lines = explain(decision(), "en").text.splitlines()
    documents = lines.index("Documents: 2 passages read")
    assert lines[documents + 1 : documents + 3] == ["• Staking (0.70, cited)", "• Fees (0.81)"]
    web = lines.index("Web: 1 result read")
    assert lines[web + 1] == "• News (0.50, cited)"


@pytest.mark.req("TOOL-3")
def test_why_says_it_in_two_sentences_and_folds_the_rest() -> None:
    """A bold heading, what was done, the reason; all else in a quote that opens."""
    explained = explain(decision(), "en")
    heading, done, reason = explained.text.split("\n\n")[0].splitlines()
    assert done == "I searched my documents, then the web: I read 3 passages and cited 2."
    assert reason == "The reason: it is about now"
    bold, fold = explained.entities
    assert (bold.type, bold.length) == ("bold", len(heading))
    assert fold.type == "expandable_blockquote"
    assert explained.text[fold.offset :].startswith("Looked for:")
    assert fold.offset + fold.length == len(explained.text)


def test_why_names_the_calls_that_a_slow_server_was_spared() -> None:
    """The check and the further search, each in its line; other counts are no such calls."""
    nodes = {
        **told("N14_search_further", counts={"look_left_out": 1, "further_queries": 0}),
        "N6_synthesize": NodeReport(counts={"check_left_out": 2}).to_json(),
    }
    text = explain(decision(nodes=nodes), "en").text
    assert "No further search, because it would have taken too long" in text
    assert "No check by a model, because it would have taken too long" in text
    assert "taken too long" not in explain(decision(), "en").text


def test_why_counts_in_its_sentence_what_it_lists() -> None:
    """A file that the user sent is read as well, and is no passage of the documents."""
    own = {"label": "a.pdf", "kind": "file", "score": 1.0, "cited": True}
    explained = explain(decision(retrieved=[*decision().retrieved, own]), "en").text
    assert "I read 3 passages and cited 2." in explained


@pytest.mark.parametrize(
    ("changes", "done"),
    [
        ({"plan": "direct", "retrieved": []}, "I answered directly and looked nothing up."),
        ({"plan": "rag", "retrieved": []}, "I searched my documents and found nothing on this."),
    ],
)
def test_why_says_when_nothing_was_read(changes: dict[str, Any], done: str) -> None:
    """Instead of counts of nothing."""
    assert explain(decision(**changes), "en").text.splitlines()[1] == done


def test_why_orders_passages_by_score_and_leaves_out_steps_that_took_no_time() -> None:
    """A row of unsorted scores and zeros tells a reader nothing."""
    scores = (0.5, 0.56, 0.23)
    retrieved = [
        {"label": f"P{n}", "kind": "document", "score": score, "cited": False}
        for n, score in enumerate(scores)
    ]
    latency = {"N1_ingest_input": 0.4, "N6_synthesize": 1500.0}
    text = explain(decision(retrieved=retrieved, latency_ms=latency), "en").text
    assert [line for line in text.splitlines() if line.startswith("• ")] == [
        "• P1 (0.56)",
        "• P0 (0.50)",
        "• P2 (0.23)",
    ]
    assert "Time: 1.50 s (writing 1.50)" in text


@pytest.mark.req("TOOL-3")
def test_why_tells_what_was_remembered_and_seen() -> None:
    """By number, not by word: /memory shows the words."""
    recalled = {"memory.long_term_entries": 3, "memory.conversation_summary": "90 characters"}
    text = explain(decision(nodes=told("N2_load_long_term_memory", output=recalled)), "en").text
    assert "Remembered: 3 things about you (see /memory)" in text
    assert "Remembered: a summary of what we said before" in text
    looked = told("N3_vision_summarize", output={"vision.cached": False})
    assert "Photo: I looked at it" in explain(decision(nodes=looked), "en").text.splitlines()
    known = told("N3_vision_summarize", output={"vision.cached": True})
    # Whether it was known would tell that somebody else sent it.
    assert explain(decision(nodes=known), "en") == explain(decision(nodes=looked), "en")


@pytest.mark.req("TOOL-3")
def test_why_tells_what_failed_and_which_model_wrote() -> None:
    """Rules that stood in for the planner, a web that could not be searched."""
    usage = ({"kind": "text", "model": "some-model", "calls": 1},)
    nodes = {
        **told("N4_build_effective_query", survived={"planner_failed": "UpstreamTimeoutError"}),
        "N8_web_search": NodeReport(output={"rag.web_error": "9 characters"}).to_json(),
        "N6_synthesize": NodeReport(usage=usage).to_json(),
    }
    text = explain(decision(nodes=nodes), "en").text
    assert "Problem: the planning model gave no plan" in text
    assert "I could not search the web" in text
    assert "Model: some-model" in text


def test_why_names_each_part_of_a_compound_question() -> None:
    """As it was searched for."""
    text = explain(decision(queries=("price of SOL", "fees of Drift")), "en").text
    assert "Looked for: “price of SOL · fees of Drift”" in text


def test_why_names_the_turn_for_the_operator() -> None:
    """The id that `rich-agent trace` takes."""
    assert explain(decision(), "en").text.endswith("Reference for the operator: tg:7")


@pytest.mark.parametrize("plan", ["direct", "rag", "web", "rag+web"])
def test_why_speaks_japanese(plan: str) -> None:
    """Every line, also with all that may be told."""
    survived = {"planner_failed": "X", "embedding_failed": "Y", "rerank_failed": "Z"}
    nodes = {
        **told("N2_load_long_term_memory", output={"memory.long_term_entries": 1}),
        **told("N3_vision_summarize", output={"vision.cached": True}),
        "N4_build_effective_query": NodeReport(survived=survived).to_json(),
    }
    text = explain(decision(plan=plan, nodes=nodes), "ja").text
    assert "資料：2 か所を読みました" in text
    assert "写真：確認しました" in text
    assert "並べ替えに失敗" in text
    assert "Documents" not in text


def test_why_tells_how_many_actions_the_message_asks_for_by_itself() -> None:
    """It counts those that were planned from it alone, and is silent without any."""
    planned = told("N7_persist", counts={"calls_planned": 2})
    text = explain(decision(nodes=planned), "en").text
    assert "Actions that your message asks for by itself: 2" in text
    assert "by itself" not in explain(decision(nodes=told("N7_persist")), "en").text


def test_why_tells_what_further_rounds_looked_for() -> None:
    """Apart from the first one, be that the whole question or its parts."""
    searched = told("N14_search_further", counts={"further_queries": 2})
    whole = explain(decision(queries=("Tarn", "tick"), nodes=searched), "en").text
    assert "Looked for: “price of SOL”\nThen looked for: “Tarn · tick”\n" in whole
    parts = explain(decision(queries=("a", "b", "Tarn", "tick"), nodes=searched), "en").text
    assert "Looked for: “a · b”\nThen looked for: “Tarn · tick”\n" in parts
    assert "Then looked for" not in explain(decision(queries=("a", "b")), "en").text


async def test_why_tells_neither_closed_documents_nor_what_their_reader_looked_for() -> None:
    """The words that were looked for before anything was read stay."""
    nodes = told("N14_search_further", counts={"further_queries": 1})
    closed = {"label": "Vault", "kind": "document", "score": 0.9, "cited": True}
    read = [*decision().retrieved, closed | {"guards": ["space:3"]}]
    asked = decision(queries=("safe", "code of the vault"), nodes=nodes, retrieved=read)
    for readable in ([ReadableSpace(3, "Board", 1, is_chosen=True)], []):
        text = (await explain_to(ANYBODY, asked, ScriptedSpaces(readable), "en")).text
        assert "Looked for: “safe”" in text
        assert ("Vault" in text) is ("code of the vault" in text) is bool(readable)


def test_why_tells_calls_and_tokens_of_chat_models() -> None:
    """All calls, those in a row before the first word, and what the server had read before."""
    plan = {"kind": "text", "model": "m", "calls": 1, "input_tokens": 900}
    answer = {**plan, "input_tokens": 1100, "cached_tokens": 800}
    nodes = {
        **told("N4_build_effective_query", usage=[plan]),
        **told("N5_retrieve", usage=[{**plan, "kind": "embedding"}]),
        **told("N6_synthesize", usage=[answer]),
        **told("N7_persist", counts={"calls_before_answer": 2}),
    }
    line = "Model calls: 2, of which one after another before the first word: 2. "
    line += "Tokens read: 2,000, of which reused by the server: 800"
    assert line in explain(decision(nodes=nodes), "en").text
    assert "Model calls" not in explain(decision(), "en").text
