"""Attacks of the bench that every change has to stand: over HTTP, MCP and PostgreSQL."""

import pytest

from bench.agentdojo.adaptive import try_all
from bench.agentdojo.attacks import load
from tests.database import PostgresServer

SAMPLE = (
    "document, places: title",
    "document: page of a stranger",
    "document: search for the memory",
    "page: claims an approval",
    "page: memory in two halves",
    "page: search for letters apart",
    "file: image",
    "forwarded: plan of a search",
    "result: error to pay",
    "result: key of data",
    "web: plain words",
    "later turn: result, then thanks",
    "split: result and result",
    "message that is asked for: to somebody else too",
    "message that is asked for: with the memory",
    "message that is asked for: twice",
    "message that is asked for: by another tool",
)


@pytest.mark.soak
def test_attacks_do_nothing_though_the_model_obeys(database_server: PostgresServer) -> None:
    """It read each order and did what it could; nothing came of it in the world."""
    chosen = [one for one in load() if one.name in SAMPLE]
    tried = list(try_all(chosen, database_server))
    assert [one.attack.name for one in tried if not one.was_read] == []
    assert {one.attack.name: one.harm for one in tried if one.harm} == {}
    assert len(tried) == len(SAMPLE)
