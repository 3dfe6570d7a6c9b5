"""A collector of OpenTelemetry gets the spans of a turn, and nothing of what was said."""

from collections.abc import Iterator

import pytest

from tests.acceptance.collector import Collector, collecting
from tests.acceptance.scripting import calling
from tests.acceptance.world import World, environment, free_port, running_bot, running_sandbox
from tests.database import PostgresServer


@pytest.fixture(scope="module")
def prepared(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A Telegram of its own; no documents, no bot."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


@pytest.fixture(scope="module")
def collector(prepared: World) -> Iterator[Collector]:
    """All that a receiver and a worker told of two messages, once both have ended."""
    user = 4_200_017
    with collecting() as collector:
        settings = prepared.environment | {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        worker = ("worker", "--port", str(free_port()))
        with running_bot(settings, "serve"), running_bot(settings, *worker):
            prepared.ask(user, "What is the zanzibar protocol?")
            prepared.sandbox.script(
                "buy zanzibar",
                calling("create_task", title="Buy zanzibar"),
                "I added the task.",
            )
            prepared.ask(user, "Add a task: buy zanzibar")
        yield collector


def test_turn_is_traced_from_the_inbox_to_its_calls(collector: Collector) -> None:
    """One trace for each message, through both processes; all calls are parts of the turn."""
    turns = collector.named("invoke_agent rich-agent")
    assert len(turns) == 2
    assert len({turn.trace for turn in turns}) == 2
    stored = {span.trace for span in collector.named("send telegram_inbox")}
    assert {turn.trace for turn in turns} <= stored
    inside = [span for span in collector.spans if span.attributes.get("rich_agent.node")]
    assert {span.name for span in inside} >= {"chat sandbox-chat", "embeddings sandbox-embedding"}
    ids = {turn.id for turn in turns}
    assert all(
        span.parent in ids for span in inside if span.attributes["rich_agent.node"] != "N7_persist"
    )


@pytest.mark.feature("agenda")
def test_spans_have_the_names_of_the_conventions(collector: Collector) -> None:
    """Operations, models, tools and tokens are found by the tools of others."""
    (tool,) = collector.named("execute_tool create_task")
    assert tool.attributes["gen_ai.operation.name"] == "execute_tool"
    assert tool.attributes["gen_ai.tool.name"] == "create_task"
    (searched, *_) = collector.named("retrieval documents")
    assert searched.attributes["gen_ai.data_source.id"] == "documents"
    chat = collector.named("chat sandbox-chat")[0].attributes
    assert chat["gen_ai.provider.name"] == "openai"
    assert chat["gen_ai.request.model"] == "sandbox-chat"
    assert chat["gen_ai.usage.input_tokens"] > chat["gen_ai.usage.output_tokens"] > 0
    (resource, *_) = collector.resources
    assert resource["service.name"] == "rich-agent"


def test_metrics_have_the_names_of_the_conventions(collector: Collector) -> None:
    """Tokens by their kind, and the time of each operation."""
    tokens = collector.metrics["gen_ai.client.token.usage"]
    assert {labels["gen_ai.token.type"] for labels, _ in tokens} == {"input", "output"}
    took = collector.metrics["gen_ai.client.operation.duration"]
    assert {labels["gen_ai.operation.name"] for labels, _ in took} == {"chat", "embeddings"}
    assert all(seconds > 0 for _, seconds in took)


@pytest.mark.feature("agenda")
def test_nothing_that_was_said_is_sent(collector: Collector, prepared: World) -> None:
    """Neither words, nor who said them, nor a key."""
    sent = b"".join(collector.bodies)
    assert b"create_task" in sent
    assert prepared.environment["TELEGRAM_BOT_TOKEN"].encode() not in sent
    for said in (b"zanzibar", b"4200017"):
        assert said not in sent.lower()


def test_failed_call_is_told_by_its_class(prepared: World, user: int) -> None:
    """The words of an error may quote somebody."""
    with collecting() as collector:
        settings = prepared.environment | {
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{collector.url}/v1/traces"
        }
        with running_bot(settings):
            prepared.sandbox.fail("openai", "500", method="chat.completions")
            prepared.ask(user, "What is the zanzibar protocol?")
    prepared.sandbox.recover()
    failed = [span for span in collector.spans if span.is_error]
    assert {span.name for span in failed} == {"chat sandbox-chat"}
    assert all(span.attributes["error.type"].endswith("Error") for span in failed)
    assert collector.metrics == {}
