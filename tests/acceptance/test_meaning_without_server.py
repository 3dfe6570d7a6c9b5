"""Meaning without a server: a bot whose vectors are made on its own machine, beside its answers."""

from pathlib import Path

import psycopg
import pytest

from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from tests.acceptance.world import World, ask, command, environment, running_bot, wait_until

PAGES = {
    "refunds": "Refunds are paid back to the card of the buyer within fourteen days.",
    "parking": "Parking permits are handed out at the reception on the ground floor.",
    "library": "The reading room opens at nine in the morning and closes at sunset.",
    "bees": "The beehives on the roof are opened in May and fed in autumn.",
    "printer": "The printer on the second floor jams when the paper is damp.",
    "pension": "Contributions to the pension are matched up to five per cent of the salary.",
}
QUESTIONS = {
    "Wann bekomme ich mein Geld zurück?": "refunds",
    "متى تفتح المكتبة للقراءة؟": "library",
    "返品したらお金はいつ戻りますか": "refunds",
}
pytestmark = pytest.mark.skipif(not MODELS[LOCAL].is_installed, reason="no wheel for this machine")
WITHOUT_VECTOR = """
SELECT count(*) FROM rag_chunks LEFT JOIN rag_embeddings ON chunk_id = rag_chunks.id
WHERE chunk_id IS NULL
"""


@pytest.mark.costs("it runs a bot and commands, and the model reads the pages")
def test_questions_of_other_languages_are_answered_without_a_server_for_vectors(
    prepared: World, database_url: str, user: int, tmp_path: Path
) -> None:
    """The words of the questions are in no page; the vectors arrive after the sync."""
    settings = environment(
        prepared.sandbox.url, database_url, TAVILY_API_KEY="", EMBEDDING_MODEL=LOCAL
    )
    for name, text in PAGES.items():
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n{text}\n", "utf-8")
    command(["ingest.cli", "add-source", str(tmp_path)], settings)
    synced = command(["ingest.cli", "sync"], settings)
    assert f"{len(PAGES)} of {len(PAGES)} chunks are found by their words" in synced.stderr
    before = prepared.sandbox.mark()
    with running_bot(settings), psycopg.connect(database_url, autocommit=True) as database:
        wait_until(lambda: _is_done(database) or None, "all have vectors")
        for question, page in QUESTIONS.items():
            # The stand-in for a model quotes no passage that has none of the question's words.
            prepared.sandbox.script(question[:12], f"{PAGES[page]} [1]")
            answer = ask(question, settings, "--user", str(user))
            sources = [one["source_url"] for one in answer["citations"]]
            assert sources[:1] == [(tmp_path / f"{page}.md").as_uri()], answer
    methods = {call["method"] for call in prepared.sandbox.calls("openai", before)}
    assert "embeddings" not in methods


def _is_done(database: psycopg.Connection[tuple[int]]) -> bool:
    return database.execute(WITHOUT_VECTOR).fetchone() == (0,)
