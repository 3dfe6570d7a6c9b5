from dataclasses import replace

import pytest

from rich_agent_sandbox.model.answering.answer import answer
from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.prompt import Passage, PastTurn, Prompt, Turn
from tests.unit.sandbox.model import pictures


def passage(number: int, text: str, title: str = "", kind: str = "document") -> Passage:
    """A passage with nothing but what a test names."""
    return Passage(number, kind, title, "", "", text)


TEA = passage(1, "Green tea is steeped at 80 degrees. Cups are made of clay.", "Tea")
COFFEE = passage(2, "Coffee is brewed at 93 degrees.\n- Espresso takes 25 seconds [4].", "Coffee")
FIRST_NOTE, FIRST_NOTE_JAPANESE = say("note", "en"), say("note", "ja")
SPOKEN = (Turn("user", "My dog is called Rex."), Turn("assistant", "Understood."))
INTRODUCED = (*SPOKEN, Turn("assistant", f"Rex.\n\n{FIRST_NOTE}"))


def test_answer_quotes_verbatim_with_the_marker() -> None:
    """The fitting sentence is quoted with its passage's number; others are not."""
    text = answer(Prompt("How hot is green tea steeped?", passages=(TEA, COFFEE)))
    assert "Green tea is steeped at 80 degrees. [1]" in text
    assert "Cups" not in text
    assert "[2]" not in text


def test_answer_leaves_out_footnotes_that_read_as_markers() -> None:
    """A number in brackets inside a passage is not taken for a citation."""
    text = answer(Prompt("How long does espresso take?", passages=(TEA, COFFEE)))
    assert "- Espresso takes 25 seconds. [2]" in text
    assert "[4]" not in text


def test_answer_quotes_a_row_of_a_table() -> None:
    """A row is quoted without its outer bars."""
    table = passage(1, "| Tea | Minutes |\n| --- | --- |\n| Sencha | 2 |")
    assert "- Sencha | 2 [1]" in answer(Prompt("And Sencha?", passages=(table,)))


def test_answer_makes_a_paragraph_of_each_passage() -> None:
    """Sentences of a passage stay together, each with its marker; list items stay a list."""
    tea = passage(1, "Tea is a leaf drink. Black tea is a strong tea.")
    items = "- A pot for tea holds a litre.\n- A cup for tea holds less."
    pots = passage(2, items, "Tea pots and cups")
    text = answer(Prompt("Tell me about tea", passages=(tea, pots), turns=INTRODUCED))
    assert text == (
        "Tea is a leaf drink. [1] Black tea is a strong tea. [1]\n\n"
        "- A pot for tea holds a litre. [2]"
    )


def test_answer_adds_what_memory_holds_when_passages_do_not() -> None:
    """Memory answers, and nothing says that the passages did not."""
    text = answer(Prompt("Where do I live?", passages=(TEA,), memory=("Lives in Oslo",)))
    assert text.startswith("What I have on that:\n\n- Lives in Oslo")


def test_answer_quotes_at_most_three_sentences() -> None:
    """Many fitting sentences leave the best three."""
    many = tuple(passage(n, f"Tea number {n} is green tea.") for n in range(1, 8))
    assert answer(Prompt("Which green tea?", passages=many)).count("Tea number") == 3


def test_answer_says_when_passages_hold_nothing() -> None:
    """Without overlap there is no marker, and one friendly sentence."""
    text = answer(Prompt("Who painted the ceiling?", passages=(TEA,)))
    assert text == say("fallback", "en")
    assert "[1]" not in text


def test_answer_follows_the_language_of_the_question() -> None:
    """A Japanese question is matched in Japanese, and the note is in Japanese too."""
    given = passage(1, "保証期間は二年です。送料は無料です。")
    text = answer(Prompt("保証期間は何年ですか？", passages=(given,)))
    assert text.startswith("保証期間は二年です。 [1]")
    assert "送料" not in text
    assert text.endswith(FIRST_NOTE_JAPANESE)


def test_answer_says_who_speaks_in_the_first_answer_alone() -> None:
    """The note ends the first answer and no later one."""
    asked = Prompt("Tell me about tea", passages=(TEA,))
    assert answer(asked).endswith(FIRST_NOTE)
    assert answer(replace(asked, turns=SPOKEN)).endswith(FIRST_NOTE)
    assert FIRST_NOTE not in answer(replace(asked, turns=INTRODUCED))
    assert FIRST_NOTE not in answer(Prompt("hi"))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is my name?", "Name is Ana"),
        ("Where do I live?", "Lives in Oslo"),
        ("What is my dog called?", "My dog is called Rex."),
        ("What do you remember about me?", "Lives in Oslo"),
        ("hello", "Hello, Ana!"),
        ("I moved to Rome last week", "Understood: I moved to Rome last week"),
        ("What are my tasks?", "- Buy bread (due 2026-11-27)"),
        ("私はどこに住んでいますか？", "Lives in Oslo"),
        ("私のタスクは？", "- Buy bread"),
        ("私の名前は？", "Name is Ana"),
        ("ok", "All right"),
        ("staking", "I quote what answers"),
        ("I live in Rome", "Understood: I live in Rome"),
        ("Why is the sky blue?", "stand-in"),
    ],
)
def test_answer_speaks_without_passages(question: str, told: str) -> None:
    """Memory, conversation and courtesy answer what needs no passage."""
    memory = ("Name is Ana", "Lives in Oslo", "To do: Buy bread (due 2026-11-27)")
    assert told in answer(Prompt(question, memory=memory, turns=SPOKEN))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What do you know about me?", "You have told me nothing"),
        ("私のタスクは？", "それについては、まだ何も伺っていません"),
    ],
)
def test_answer_says_that_it_was_told_nothing(question: str, told: str) -> None:
    """An empty memory is no reason to speak of passages."""
    assert answer(Prompt(question)).startswith(told)


def test_answer_takes_what_is_remembered_before_what_was_said() -> None:
    """Facts said earlier may hold no more."""
    said = (Turn("user", "I live in Oslo."), Turn("user", "I moved to Rome."))
    told = answer(Prompt("Where do I live?", memory=("Lives in Rome",), turns=said))
    assert "Oslo" not in told


def test_answer_quotes_for_each_part_of_a_question() -> None:
    """Quotes for each part, because no sentence fits the whole of it."""
    asked = "What is green tea steeped at, and how hot is coffee brewed?"
    text = answer(Prompt(asked, passages=(TEA, COFFEE)))
    assert "80 degrees. [1]" in text
    assert "93 degrees. [2]" in text


def test_answer_quotes_nothing_for_the_word_documents() -> None:
    """The place to look in is no part of what is asked."""
    tables = passage(1, "Documents disappear with their row.")
    text = answer(Prompt("According to the documents, what is green tea?", passages=(tables, TEA)))
    assert "Green tea is steeped" in text
    assert "disappear" not in text
    invented = passage(1, "Nothing is filled with an invented citation.")
    asked = "According to the documents, who invented the accordion?"
    assert "citation" not in answer(Prompt(asked, passages=(invented, tables)))


def test_answer_quotes_nothing_on_a_name_that_no_passage_holds() -> None:
    """A capital letter is no capital."""
    letters = passage(1, "Capital letters count.")
    assert "letters" not in answer(Prompt("What is the capital of France?", passages=(letters,)))


PAST = (
    PastTurn("2026-03-01", "How old is the moon?", "Old."),
    PastTurn("2026-03-02", "Where is my umbrella?", "In the hall."),
)


def test_answer_tells_earlier_turns_with_their_dates() -> None:
    """All that it was given, since the product chose them."""
    text = answer(Prompt("What did we talk about last week?", past_turns=PAST))
    assert "2026-03-01: “How old is the moon?”" in text
    assert "umbrella" in text


def test_summary_keeps_within_the_words_that_are_allowed() -> None:
    """Questions go first."""
    asked = tuple(PastTurn("", f"What is thing number {n}?", "It.") for n in range(30))
    instructions = "Fold the turns of a conversation into its summary. Write at most 40 words."
    told = PastTurn("", "My dog is called Rex.", "Nice.")
    prompt = Prompt("", instructions=instructions, past_turns=(told, *asked))
    text = answer(prompt)
    assert len(text.split()) <= 40
    assert "Rex" in text
    assert "number 29" in text


def test_notes_on_a_part_keep_within_the_words_that_are_allowed() -> None:
    """They stay spread over the part; few places keep their first sentence each."""
    text = "\n\n".join(f"[Day {day}]\nThe keeper saw {day} ships." for day in range(1, 101))
    few = answer(Prompt("Summarise it", instructions="At most 800 words.", file_text=text))
    assert few.splitlines() == [f"- The keeper saw {n} ships. [Day {n}]" for n in range(1, 101)]
    noted = answer(Prompt("Summarise it", instructions="At most 300 words.", file_text=text))
    assert noted.splitlines() == few.splitlines()[::4]
    assert len(noted.split()) <= 300


def test_answer_tells_what_the_picture_summary_says() -> None:
    """A question on the picture is answered from its summary."""
    prompt = Prompt("What is in this picture?", image_summaries=("A red pot.",))
    assert answer(prompt).startswith("About the picture: A red pot.")


def test_answer_describes_an_image_in_the_message() -> None:
    """Pixels are described, and that it is only pixels."""
    text = answer(Prompt("What is this?", images=(pictures.halves(),)))
    assert "orange on the left half" in text
    assert "recognises no objects" in text


def test_answer_folds_a_conversation_when_told_to() -> None:
    """Asked to summarise, it keeps what stood there and a line for each thing said since."""
    prompt = Prompt(
        "user: I live in Oslo\nassistant: Noted.",
        instructions="Summarise the conversation so far.",
        conversation_summary="Said: I have a cat.",
        turns=SPOKEN,
    )
    assert answer(prompt).splitlines() == [
        "Said: I have a cat.",
        "Said: My dog is called Rex.",
        "Said: I live in Oslo",
    ]


def test_answer_drops_old_questions_first_from_a_long_summary() -> None:
    """A summary stays within 60 lines; what the user told outlives what they asked."""
    asked = tuple(Turn("user", f"What is thing number {n}?") for n in range(100))
    prompt = Prompt("", instructions="Summarise the conversation.", turns=(*SPOKEN, *asked))
    lines = answer(prompt).splitlines()
    assert len(lines) == 60
    assert lines[0] == "Said: My dog is called Rex."
    assert lines[-1] == "Asked: What is thing number 99?"


def test_answer_quotes_numbered_clauses_and_rows_whole() -> None:
    """The number stands before a clause, and the decimals of a price behind their point."""
    rent = passage(1, "1.1 The rent is 900.50 euros. 1.2 It is due on Monday.", kind="file")
    prices = passage(2, "| Day | Price |\n| --- | --- |\n| Monday | 2.94 |", kind="file")
    told = answer(Prompt("what is in it?", passages=(rent, prices)))
    assert "1.1 The rent is 900.50 euros. [1]" in told
    assert "- Monday | 2.94 [2]" in told


@pytest.mark.parametrize("kind", ["document", "file"])
@pytest.mark.parametrize(
    "question", ["who made the image?", "how many rows are there?", "how much is it?", "my guide?"]
)
def test_answer_quotes_nothing_that_shares_only_a_word(question: str, kind: str) -> None:
    """A file is named as what a model would read, and never said to lack the answer."""
    row = passage(1, "A leader serves four slots in a row, at 3 SOL. Images vary.", kind=kind)
    instructions = "Write [0] if no passage answers."
    told = answer(Prompt(question, passages=(row,), instructions=instructions))
    nothing = " [0]" if "guide" in question else ""
    rest = f"\n\n{say('given', 'en')} [1]" if kind == "file" else nothing
    assert told == f"{say('fallback', 'en')}{rest}"


@pytest.mark.parametrize(
    ("question", "is_quoted"),
    [("who wrote these documents?", False), ("which orders do you get?", True)],
)
def test_answer_quotes_a_page_on_the_bot_only_about_the_bot(
    question: str, *, is_quoted: bool
) -> None:
    """Its words are those of everyday, which a question on anything has."""
    page = "A document gives orders, and you get an address that you wrote."
    own = replace(passage(1, page), title="About this bot", section="Documents and orders")
    assert (page in answer(Prompt(question, passages=(own,)))) is is_quoted


def test_answer_to_what_leans_has_a_word_of_its_own() -> None:
    """Not the last answer once more."""
    turns = (Turn("user", "What is a limit order?"), Turn("assistant", "It has a price."))
    limit = passage(1, "A limit order has a price. A limit order costs no fee.")
    safe, fee = (
        answer(Prompt(asked, turns=turns, passages=(limit,)))
        for asked in ("is it safe?", "and its fee?")
    )
    assert "price" not in safe
    assert "costs no fee. [1]" in fee


def test_answer_does_not_recall_a_question() -> None:
    """A question is no statement, in any script."""
    turns = (Turn("user", "ما هو الستيكينغ؟"), Turn("assistant", "…"))
    assert "الستيكينغ" not in answer(Prompt("ما هو المدقق؟", turns=turns))


def test_answer_recalls_what_was_written_down() -> None:
    """A message of the user that has the question's words."""
    noted = (Turn("user", "note that the cabin code is 4417"), Turn("assistant", "Noted."))
    told = answer(Prompt("what is the cabin code?", passages=(TEA,), turns=noted))
    assert "- note that the cabin code is 4417" in told
