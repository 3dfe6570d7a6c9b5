"""Files in the chat, made by real programs: read whole, searched, cited, kept and forgotten."""

import base64
import json
import random
from email.message import EmailMessage
from functools import partial
from typing import Any

import pytest

from tests.acceptance.programs import client_of, whole
from tests.acceptance.test_agui import program, wanted
from tests.acceptance.test_commands import command, labels, press, press_data, shown
from tests.acceptance.world import ROOT, Sent, World, ask, wait_until
from tests.documents import document, pages
from tests.unit.documents.documents import docx

LONG = "# Almanac\n\n" + "\n\n".join(
    f"## Day {day}\n\nOn day {day} the keeper of the lighthouse saw {day * 3} ships and noted the "
    f"wind from the {('north', 'south', 'east', 'west')[day % 4]}. The lamp was lit at dusk, the "
    "brass was polished, and the log was signed. Nothing else happened worth telling to anybody."
    + (" The keeper found a bottle with a letter from Valparaiso." if day == 137 else "")
    for day in range(1, 201)
)
"""Some 15,000 tokens: more than a prompt may hold."""
SEAL = "<w:p><w:r><w:object/></w:r></w:p>"
"""The body of a Word document without text."""


def send(world: World, user: int, name: str, text: str | None = None, **more: Any) -> Sent:
    """The user sends a document; its bytes are those of tests/documents unless `data` is given."""
    data = more.pop("data", None)
    encoded = base64.b64encode(document(name) if data is None else data).decode("ascii")
    return world.sandbox.say(user, text, document_base64=encoded, file_name=name, **more)


def sent(
    world: World, user: int, name: str, text: str | None = None, **more: Any
) -> dict[str, Any]:
    """The bot's last message after the document."""
    return world.answer(user, send(world, user, name, text, **more))


def prompts(world: World, since: int) -> str:
    """Everything that models were sent."""
    return json.dumps([call["body"] for call in world.sandbox.calls("openai", since)])


def test_pdf_that_fits_is_read_whole_and_cited_by_page(world: World, user: int) -> None:
    """Ten pages: the answer stands on page 3, the source names it, and the note says whole."""
    before = world.sandbox.mark()
    answer = sent(world, user, "report.pdf", "What does the crossing cost for adults?")
    assert "14 euros" in answer["text"]
    assert "report.pdf › page 3" in answer["text"]
    assert "I read all of report.pdf." in answer["text"]
    assert {"Remember", "Only here"} <= set(labels(answer))
    assert "A second ferry called Thistle" in prompts(world, before)


@pytest.mark.costs("it reads, embeds and asks about several files")
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("minutes.docx", "Decisions"),
        ("minutes.odt", "Decisions"),
        ("minutes.epub", "Decisions"),
        ("minutes.rtf", "minutes.rtf"),
    ],
)
def test_document_of_any_program_is_read(world: World, user: int, name: str, place: str) -> None:
    """The answer comes from the section that holds it."""
    answer = sent(world, user, name, "When is the garden party at the old mill?")
    assert "20 June" in answer["text"]
    assert place in answer["text"].partition("Sources")[2]


def test_mail_is_read_with_its_attachments(world: World, user: int) -> None:
    """The text and a sheet are cited under their names; a photo is counted as not read."""
    mail = EmailMessage()
    mail["From"], mail["To"] = "Runa Falk <runa@x.example>", "bob@x.example"
    mail["Subject"] = "Offer for the windlass"
    mail.set_content("The windlass costs 640 euros with delivery.", cte="base64")
    rows = "part;price\nchain;75 euros\nanchor;90 euros\n"
    mail.add_attachment(rows.encode(), "text", "csv", filename="parts.csv")
    mail.add_attachment(b"\xff\xd8\xff" + bytes(99), "image", "jpeg", filename="photo.jpg")
    question = "What does the windlass cost with delivery?"
    before = world.sandbox.mark()
    answer = sent(world, user, "offer.eml", question, data=mail.as_bytes())
    assert "640 euros" in answer["text"]
    assert "I cannot read 1 attachment of offer.eml." in answer["text"]
    read = prompts(world, before)
    assert "From: Runa Falk <runa@x.example>" in read
    assert "parts.csv" in read
    assert "90 euros" in read


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Nothing here says that [0].", "Nothing found in your files."),
        ("Blue whales sing for hours.", "Nothing in your files answers this. I looked at:"),
    ],
)
def test_file_without_an_answer_is_named_as_what_was_read(
    world: World, user: int, said: str, told: str
) -> None:
    """Not the registered documents, which the question was not about."""
    world.sandbox.script("whale song", said)
    shown = sent(world, user, "report.pdf", "What does it tell about whale song?")
    assert told in shown["text"], shown["text"]
    assert "registered" not in shown["text"]


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_later_question_is_answered_from_the_file(world: World, user: int) -> None:
    """It was not sent again, and is named by what it is."""
    sent(world, user, "report.pdf", "What does the crossing cost for adults?")
    answer = world.ask(user, "Who is the harbour master in the report?")
    assert "Petra Ahlberg" in answer["text"]
    assert "report.pdf › page 4" in answer["text"]


def test_long_file_is_searched_for_its_user(world: World, user: int) -> None:
    """Its chunks are a private source; the answer says that not all of it was read."""
    question = "On which day did the keeper find a bottle with a letter?"
    answer = sent(world, user, "almanac.md", question, data=LONG.encode())
    assert "Valparaiso" in answer["text"]
    assert "almanac.md › Day 137" in answer["text"]
    assert "I searched it for your question" in answer["text"]
    owner = "SELECT owner_user_id FROM rag_sources WHERE status = 'private' AND name = 'almanac.md'"
    assert {"owner_user_id": user} in world.rows(owner)
    assert "almanac" not in command(world, user, "/sources")["text"]


def test_summary_reads_all_of_a_long_file_in_parts(world: World, user: int) -> None:
    """The first and the last day reach a model, and the answer says in how many parts."""
    before = world.sandbox.mark()
    answer = sent(world, user, "almanac.md", "Please summarise this file", data=LONG.encode())
    assert "I read all of almanac.md, in" in answer["text"]
    read = prompts(world, before)
    assert "On day 1 the keeper" in read
    assert "On day 200 the keeper" in read


def test_file_without_a_question_is_asked_about(world: World, user: int) -> None:
    """Buttons offer what is likely; a press of one is the question, and reads nothing anew."""
    offer = sent(world, user, "minutes.docx")
    assert "minutes.docx" in offer["text"]
    assert labels(offer) == ["Summarise it", "List the key points", "Remember", "Only here"]
    before = world.sandbox.mark()
    world.ask(user, "When is the garden party?")
    assert "20 June" in world.sandbox.replies(user)[-1]["text"]
    fetched = [c for c in world.sandbox.calls("telegram", before) if c["method"] == "getFile"]
    assert fetched == []


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_file_with_a_question_of_its_own_begins_a_turn(world: World, user: int) -> None:
    """It is no answer to what was asked about the file before."""
    sent(world, user, "minutes.docx")
    answer = sent(world, user, "report.pdf", "What does the crossing cost for adults?")
    assert "14 euros" in answer["text"]
    assert "minutes.docx" not in answer["text"]


def test_choice_under_a_file_is_done(world: World, user: int) -> None:
    """Summarise it: the answer comes below, from the file."""
    offer = sent(world, user, "minutes.docx")
    press(world, user, offer, "Summarise it")

    def answered() -> bool:
        return "I read all of minutes.docx" in world.sandbox.replies(user)[-1]["text"]

    wait_until(lambda: answered() or None, "the summary")


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_files_of_an_album_are_one_turn(world: World, user: int) -> None:
    """Two documents with one caption: one answer that rests on both."""
    group = f"files-{user}"
    question = "When is the garden party, and who is the harbour master?"
    first = send(world, user, "minutes.docx", question, media_group_id=group)
    send(world, user, "report.pdf", media_group_id=group)
    answer = world.answer(user, first)
    assert "I read all of minutes.docx." in answer["text"]
    assert "I read all of report.pdf." in answer["text"]


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_reply_to_an_earlier_file_asks_about_it(world: World, user: int) -> None:
    """Also when another file was sent since."""
    first = send(world, user, "minutes.docx", "When is the garden party?")
    world.answer(user, first)
    sent(world, user, "report.pdf", "What does the crossing cost?")
    answer = world.ask(user, "How much is the band?", reply_to_message_id=first.message_id)
    assert "450" in answer["text"]
    assert "I read all of minutes.docx." in answer["text"]


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_scan_is_read_by_the_vision_model(world: World, user: int) -> None:
    """Each of its two pages is shown once; what stands there can be cited."""
    seen = json.dumps({"answer": "The ticket costs 14 euros for adults."})
    for _ in range(2):
        world.sandbox.script("Transcribe this page", seen, streamed=False)
    before = world.sandbox.mark()
    answer = sent(world, user, "scan.pdf", "What does the ticket cost for adults?")
    assert "14 euros" in answer["text"]
    assert "scan.pdf › page 1" in answer["text"]
    assert "I read all of scan.pdf." in answer["text"]
    shown_pages = [
        call
        for call in world.sandbox.calls("openai", before)
        if "image_url" in json.dumps(call["body"])
    ]
    assert len(shown_pages) == 2


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_file_is_not_called_whole_where_a_page_was_not_read(world: World, user: int) -> None:
    """The model, the answer and the list say what is missing, and so does a later answer."""
    seen = json.dumps({"answer": "The ticket costs 14 euros for adults."})
    world.sandbox.script("Transcribe this page", seen, streamed=False)
    world.sandbox.fail(
        "openai", "500", method="chat.completions", times=20, containing="Transcribe this page"
    )
    before = world.sandbox.mark()
    missing = "I cannot read 1 page without text of scan.pdf."
    for answer in (
        sent(world, user, "scan.pdf", "What does the ticket cost for adults?"),
        world.ask(user, "What does the scan say of the ticket for adults?"),
    ):
        assert "14 euros" in answer["text"]
        assert missing in answer["text"]
        assert "I read all of" not in answer["text"]
    assert '<not_read title=\\"scan.pdf\\">1 page without text</not_read>' in prompts(world, before)
    assert "Not read: 1 page without text." in command(world, user, "/files")["text"]


def test_file_without_text_is_explained_with_what_it_holds(world: World, user: int) -> None:
    """The parts that nobody can read are named."""
    answer = sent(world, user, "seal.docx", "What is it?", data=docx(SEAL))
    assert "I found no text in “seal.docx”." in answer["text"]
    assert "I cannot read 1 embedded object of seal.docx." in answer["text"]


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("locked.pdf", None, "protected with a password"),
        ("locked.xlsx", None, "protected with a password"),
        ("locked.docx", None, "protected with a password"),
        ("minutes.doc", None, "old Office format"),
        ("empty.txt", b" ", "no text"),
        ("broken.pdf", b"%PDF-1.7\n" + bytes(500), "damaged"),
        ("film.mkv", bytes(range(256)) * 9, "I cannot read “film.mkv”"),
    ],
)
def test_file_that_cannot_be_read_is_explained(
    world: World, user: int, name: str, data: bytes | None, told: str
) -> None:
    """One plain sentence says what to do; no model is asked."""
    before = world.sandbox.mark()
    answer = sent(world, user, name, "What is in it?", data=data)
    assert told in answer["text"]
    assert name in answer["text"]
    assert "chat.completions" not in {c["method"] for c in world.sandbox.calls("openai", before)}


def test_large_file_is_refused_before_it_is_fetched(world: World, user: int) -> None:
    """Telegram gives no more than 20 MB; a file beside it is read all the same."""
    before, group = world.sandbox.mark(), f"large-{user}"
    question = "When is the garden party?"
    first = send(
        world,
        user,
        "film.pdf",
        question,
        data=b"%PDF-",
        size_bytes=21_000_000,
        media_group_id=group,
    )
    send(world, user, "minutes.docx", media_group_id=group)
    answer = world.answer(user, first)
    assert "20 June" in answer["text"]
    assert "“film.pdf” is larger than 20 MB" in answer["text"]
    fetched = [c for c in world.sandbox.calls("telegram", before) if c["method"] == "getFile"]
    assert len(fetched) == 1


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_file_goes_with_its_conversation_unless_it_is_remembered(world: World, user: int) -> None:
    """Remember keeps one of two beyond /new; /files lists, and forgets."""
    kept = sent(world, user, "minutes.docx", "When is the garden party?")
    sent(world, user, "report.pdf", "What does the crossing cost?")
    chat = press(world, user, kept, "Remember")
    assert "Remember ✓" in labels(shown(chat, kept["message_id"]))
    command(world, user, "/new")
    listed = command(world, user, "/files")
    answer = world.ask(user, "When is the garden party in the minutes?")
    assert "20 June" in answer["text"]
    assert "minutes.docx" in listed["text"]
    assert "report.pdf" not in listed["text"]
    chat = press(world, user, listed, "1 🗑")
    assert "no files" in shown(chat, listed["message_id"])["text"]
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", user) == []


@pytest.mark.soak
def test_five_hundred_pages_are_searched_and_cited_by_page(world: World, user: int) -> None:
    """More than any prompt holds: the right page is found, and the answer says how it was read."""
    chance, words = random.Random(7), LONG.split()  # noqa: S311 - varied, not secret
    made = pages(
        " ".join(chance.choices(words, k=120))
        + (" A bottle from Valparaiso lay on the beach." if number == 437 else "")
        for number in range(1, 501)
    )
    answer = sent(world, user, "logbook.pdf", "Where was the bottle from Valparaiso?", data=made)
    assert "on the beach" in answer["text"]
    assert "logbook.pdf › page 437" in answer["text"]
    assert "logbook.pdf is long" in answer["text"]


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_file_is_forgotten_by_words(world: World, user: int) -> None:
    """After a look at what goes: the file with its index, and no other."""
    sent(world, user, "almanac.md", "When was the bottle found?", data=LONG.encode())
    sent(world, user, "report.pdf", "What does the crossing cost for adults?")
    asked = world.ask(user, "Please delete almanac.md")
    assert "Your files:\n• almanac.md" in asked["text"]
    press(world, user, asked, "Forget it")
    world.await_idle()
    names = world.rows("SELECT name FROM user_files WHERE user_id = %s", user)
    assert names == [{"name": "report.pdf"}]


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_files_of_somebody_else_are_out_of_reach(world: World, user: int) -> None:
    """Their buttons do nothing here."""
    other = user + 60_000
    theirs = sent(world, other, "minutes.docx", "When is the garden party?")
    mine = world.ask(user, "hi")
    keep = next(
        one["callback_data"]
        for row in theirs["buttons"]
        for one in row
        if one.get("callback_data", "").startswith("keepfiles1:")
    )
    file_id = keep.rpartition(":")[2]
    press_data(world, user, mine["message_id"], keep)
    press_data(world, user, mine["message_id"], f"file1:forget:{file_id}:0")
    stored = world.rows("SELECT is_kept FROM user_files WHERE user_id = %s", other)
    assert stored == [{"is_kept": False}]


@pytest.mark.costs("it reads, embeds and asks about several files")
def test_file_of_an_ag_ui_client_is_read(world: World, user: int) -> None:
    """Uploaded first, then named in a message; it belongs to the same conversation."""
    with program(world, user) as client:
        pdf = {"Content-Type": "application/pdf"}
        kept = client.post("/agui/uploads", content=document("report.pdf"), headers=pdf).json()
        source = {"type": "file", "value": kept["id"], "mimeType": kept["mimeType"]}
        part = {"type": "document", "source": source, "metadata": {"filename": "report.pdf"}}
        asked = [{"type": "text", "text": "What does the crossing cost for adults?"}, part]
        told = client.post("/agui", json=wanted(asked)).text
        (question, _) = client.get("/agui/threads/t1").json()["messages"]
    assert question["files"] == [{"name": "report.pdf"}]
    assert "14 euros" in told
    assert "report.pdf › page 3" in told or "page 3" in told
    assert "Petra Ahlberg" in world.ask(user, "Who is the harbour master in the report?")["text"]


def test_file_of_an_openai_client_is_read(world: World, user: int) -> None:
    """It comes within the message, as that API has it."""
    data = base64.b64encode(document("minutes.docx")).decode("ascii")
    file = {"file_data": f"data:application/octet-stream;base64,{data}", "filename": "minutes.docx"}
    with client_of(world, user) as client:
        text = {"type": "text", "text": "When is the garden party?"}
        answer = whole(client, [text, {"type": "file", "file": file}])
    assert "20 June" in answer


def test_file_is_asked_about_at_the_terminal(world: World) -> None:
    """`--file` takes any number of paths."""
    folder = ROOT / "tests" / "documents"
    more = [f"--file={folder / name}" for name in ("minutes.docx", "report.pdf")]
    outcome = ask("When is the garden party?", world.environment, *more, "--user", "77001")
    assert "20 June" in outcome["answer"]
    assert "I read all of report.pdf." in outcome["answer"]


@pytest.mark.soak
def test_no_file_reaches_the_prompt_of_another_user(world: World, user: int) -> None:
    """Eight users, each with a secret in a long file of their own, ask the same question."""
    users = range(user + 30_000, user + 30_008)
    for one in users:
        text = LONG.replace("Valparaiso", f"Zanzibar{one}")
        send(world, one, "almanac.md", "From where was the letter?", data=text.encode())
    for one in users:
        wait_until(partial(world.sandbox.replies, one), f"an answer for {one}")
    world.await_idle()
    for one in users:
        before = world.sandbox.mark()
        world.ask(one, "From where was the letter in the bottle, says the almanac?")
        read = prompts(world, before)
        assert f"Zanzibar{one}" in read
        assert [other for other in users if other != one and f"Zanzibar{other}" in read] == []


def test_files_are_exported_and_forgotten_with_everything_else(world: World, user: int) -> None:
    """Text and name are in the export; after /forget nothing of them is left."""
    someone = user + 7_200_000_000
    sent(world, someone, "almanac.md", "Who found a bottle?", data=LONG.encode())
    command(world, someone, "/export")
    (found,) = [m["document"] for m in world.sandbox.chat(someone)["messages"] if m["document"]][
        -1:
    ]
    data = json.loads(world.sandbox.http.get(f"{world.sandbox.url}{found['url']}").content)
    (file,) = data["files"]
    assert file["name"] == "almanac.md"
    assert "Valparaiso" in file["text"]
    asked = command(world, someone, "/forget")
    press(world, someone, asked, labels(asked)[0])
    assert world.rows("SELECT 1 FROM user_files WHERE user_id = %s", someone) == []
    owned = "SELECT 1 FROM rag_sources WHERE owner_user_id = %s"
    assert world.rows(owned, someone) == []
