"""Another OpenAI-compatible server: nothing in the product changes."""

from collections.abc import Iterator

import pytest

from tests.acceptance.world import ROOT, World, ask, command, environment
from tests.integration.sandbox_openai.serving import served
from tests.second_openai import second_openai_app


@pytest.fixture
def other(
    prepared: World, database_url: str
) -> Iterator[tuple[dict[str, str], list[dict[str, object]]]]:
    """The bot's environment with the second stand-in as its model server, and its calls."""
    calls: list[dict[str, object]] = []
    with served(second_openai_app(calls)) as url:
        settings = environment(
            prepared.sandbox.url,
            database_url,
            OPENAI_BASE_URL=f"{url}/v1",
            CHAT_MODEL="other-chat",
            VISION_MODEL="other-vision",
            EMBEDDING_MODEL="other-embedding",
            EMBEDDING_DIMENSIONS="8",
        )
        yield settings, calls


@pytest.mark.req("TOOL-2", "STATE")
def test_answer_is_planned_streamed_and_cited(
    other: tuple[dict[str, str], list[dict[str, object]]], user: int
) -> None:
    """One character at a time, usage in the last chunk, structured output only by tool calls."""
    settings, calls = other
    source = str(ROOT / "sample" / "solana" / "proof-of-history.md")
    command(["ingest.cli", "add-source", source], settings)
    command(["ingest.cli", "sync"], settings)
    answer = ask("What is proof of history?", settings, "--user", str(user))
    assert answer["plan"] in {"rag", "rag+web"}
    assert answer["citations"]
    assert "[1]" in answer["answer"]
    assert any("tools" in dict(call["body"]) for call in calls)  # type: ignore[call-overload]
