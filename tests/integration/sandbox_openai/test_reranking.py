"""Servers that rank texts answer and refuse as their documentation says."""

import json
from typing import Any

import httpx
import pytest

from rich_agent_sandbox.ledger import Fault
from tests.integration.sandbox_openai.conftest import Upstreams

ASKED = {"model": "m", "query": "green tea", "documents": ["black coffee", "a green tea", "tea"]}
TEI = {"query": "green tea", "texts": ASKED["documents"]}
SCORED, WITH_TEXT = {"index", "relevance_score"}, {"index", "relevance_score", "document"}
COUNTED = {"model", "usage", "results"}


def post(upstreams: Upstreams, place: str, body: object, key: str = "k") -> httpx.Response:
    """The answer of `POST …/rerank`."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return httpx.post(f"{upstreams.url}/servers/{place}/rerank", json=body, headers=headers)


@pytest.mark.parametrize(
    ("place", "fields", "of_result"),
    [
        ("cohere/v2", {"id", "meta", "results"}, SCORED),
        ("jina/v1", COUNTED | {"object"}, WITH_TEXT),
        ("vllm-rerank/v2", COUNTED | {"id"}, WITH_TEXT),
        ("llamacpp-rerank", COUNTED | {"object"}, SCORED),
        ("voyage/v1", {"object", "data", "model", "usage"}, SCORED),
        ("infinity", COUNTED | {"object", "id", "created"}, SCORED),
    ],
)
def test_rerankers_answer_in_their_form(
    upstreams: Upstreams, place: str, fields: set[str], of_result: set[str]
) -> None:
    """Best first, with indexes of the request; `top_n` of them, which Voyage calls `top_k`."""
    answer = post(upstreams, place, ASKED).json()
    assert answer.keys() == fields
    results = answer.get("results") or answer["data"]
    assert [one["index"] for one in results] == [1, 2, 0]
    assert results[0].keys() == of_result
    top = "top_k" if place == "voyage/v1" else "top_n"
    cut = post(upstreams, place, {**ASKED, top: 1}).json()
    assert len(cut.get("results") or cut["data"]) == 1


def test_tei_reads_texts_and_answers_with_a_list(upstreams: Upstreams) -> None:
    """At most 32 of them; another field is refused by what is missing."""
    ranked = post(upstreams, "tei", TEI).json()
    assert [one["index"] for one in ranked] == [1, 2, 0]
    assert ranked[0].keys() == {"index", "score"}
    refused = post(upstreams, "tei", ASKED)
    assert (refused.status_code, "missing field `texts`" in refused.text) == (422, True)
    many = post(upstreams, "tei", {**TEI, "texts": ["t"] * 33})
    assert many.status_code == 413
    assert many.json()["error"] == "batch size 33 > maximum allowed batch size 32"


@pytest.mark.parametrize(
    ("place", "more", "status", "told"),
    [
        ("voyage/v1", {"top_n": 2}, 400, "not supported"),
        ("voyage/v1", {"documents": ["t"] * 1_001}, 400, "limit of 1000"),
        ("infinity", {"documents": ["t"] * 2_049}, 422, "at most 2048"),
        ("cohere/v2", {"documents": []}, 422, "at least 1 item"),
    ],
)
def test_rerankers_refuse_what_they_cannot_take(
    upstreams: Upstreams, place: str, more: dict[str, Any], status: int, told: str
) -> None:
    """Unknown fields, too many texts, and none."""
    refused = post(upstreams, place, {**ASKED, **more})
    assert (refused.status_code, told in refused.text) == (status, True)


def test_hosted_rerankers_need_a_key(upstreams: Upstreams) -> None:
    """Servers of one's own need none."""
    hosted = [post(upstreams, place, ASKED, "") for place in ("cohere/v2", "jina/v1", "voyage/v1")]
    assert [one.status_code for one in hosted] == [401] * 3
    assert post(upstreams, "llamacpp-rerank", ASKED, "").status_code == 200


def test_relevance_is_scripted_by_what_a_text_contains(upstreams: Upstreams) -> None:
    """In the scale of the server: llama.cpp gives raw numbers."""
    fault = Fault("openai", "scripted", method="rerank", text=json.dumps({"coffee": 0.75}))
    upstreams.ledger.plan_fault(fault)
    results = post(upstreams, "llamacpp-rerank", ASKED).json()["results"]
    assert results[0] == {"index": 0, "relevance_score": 5.0}
    assert results[1]["relevance_score"] == -10.0
