"""Words of conversations on the operator's pages: who reads them, and that the audit has none."""

from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.domain.answer.citation import Decision
from rich_agent.features.operator_pages.quality.records import WeakAnswer
from rich_agent.features.operator_pages.quality.repository import WeakQuestions
from rich_agent.ports.turns import TurnRecord
from tests.integration.catalogue import execute, read
from tests.integration.features.operator_pages.served_pages import USERS, Pages
from tests.integration.features.operator_pages.test_questions import USUAL, terms_of

VIEWER, AUTHOR = USERS["viewer"], USERS["author"]
QUESTION, ANSWER = "What does everybody earn?", "Ada earns 7,000 crowns."


async def rated_down(pages: Pages, request: str, *guards: str, passages: int = 1) -> str:
    """The page on an answer that was rated down, and that rests on passages with guards."""
    retrieved = [{"id": f"p{one}", "guards": list(guards)} for one in range(passages)]
    decision = Decision("tg:42", request, "i", "rag", "r", QUESTION, retrieved=retrieved)
    await pages.repositories.decisions.record(decision)
    record = TurnRecord(42, "tg:42", request, QUESTION, f"{ANSWER} ({request})", {})
    await pages.repositories.transcript.record(record)
    questions = WeakQuestions(pages.repositories.databases.app)
    await questions.note(WeakAnswer("tg:42", request, QUESTION), is_rated_down=True)
    statement = "SELECT id FROM quality_questions WHERE request_id = %s"
    number = (await questions._rows(statement, (request,)))[0]["id"]
    subject = await questions.group(number, USUAL, terms_of)
    return f"/operator/quality/{subject}"


async def test_answer_is_shown_to_who_may_read_what_it_rests_on(
    pages: Pages, database_url: str
) -> None:
    """To others only its question is; nobody knows what an answer without passages rests on."""
    spaces = PostgresSpaceRegistry(pages.repositories.databases.rag)
    await spaces.add("HR", grant=[f"user:{VIEWER}"])
    execute(
        database_url,
        "INSERT INTO rag_sources (id, type, root_url, name, space_id) "
        "SELECT 'src_1', 'page', 'https://a.example/', 'A', id FROM rag_spaces",
    )
    ((space,),) = read(database_url, "SELECT id FROM rag_spaces")
    path = await rated_down(pages, "closed", f"space:{space}")
    assert path == await rated_down(pages, "open")
    assert path == await rated_down(pages, "unknown", passages=0)
    for user, seen in ((VIEWER, {"closed", "open"}), (AUTHOR, {"open"})):
        async with await pages.browser(user) as browser:
            text = (await browser.get(path)).text
        assert text.count(f'<blockquote dir="auto">{QUESTION}') == 3
        assert {one for one in ("closed", "open", "unknown") if f"{ANSWER} ({one})" in text} == seen


async def test_audit_keeps_no_words_of_drafts_and_questions(pages: Pages) -> None:
    """Of a correction and of a search as somebody, only their length."""
    secret = "Ada earns nothing"
    async with await pages.browser(USERS["operator"]) as browser:
        form = {"verdict": "correct", "words": secret}
        assert (await browser.post("/operator/work/approvals/1", data=form)).status_code == 400
        form = {"user": "42", "q": secret}
        assert (await browser.post("/operator/knowledge/search", data=form)).status_code == 200
    records = [one async for one in pages.repositories.audit.all_records()]
    assert {one.action for one in records} == {"approval.decide", "knowledge.search_as"}
    assert secret not in str(records)
    assert str(records).count(f"'characters': {len(secret)}") == 2
