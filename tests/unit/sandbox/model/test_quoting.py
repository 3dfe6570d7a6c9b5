import pytest

from rich_agent_sandbox.model.answering.quoting import Quote, pick_quotes
from rich_agent_sandbox.model.prompt import Passage


def passage(number: int, text: str, section: str = "") -> Passage:
    """A document's passage."""
    return Passage(number, "document", "Pots", section, "", text)


def texts(quotes: list[Quote]) -> list[str]:
    """The texts that are quoted, without numbers."""
    return [quote.text for quote in quotes]


CAN_NOT = passage(1, "It is unable to fly.", "About > What can you not do?")
CAN = passage(2, "It pours. It cleans. It boils. It rests.", "About > What can you do?")
WHO = passage(3, "It is a kettle.", "About > Who are you?")


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What can you do?", ["It pours.", "It cleans.", "It boils."]),
        ("Who are you?", ["It is a kettle."]),
        ("Why?", []),
        ("", []),
        ("？", []),
    ],
)
def test_pick_quotes_of_function_words_go_by_the_heading(question: str, quoted: list[str]) -> None:
    """Without a content word the beginning of the section with this heading is quoted, if any."""
    assert texts(pick_quotes(question, [CAN_NOT, CAN, WHO])) == quoted


def test_pick_quotes_of_function_words_go_by_the_heading_in_japanese() -> None:
    """The wording of a Japanese heading is compared likewise."""
    given = [passage(1, "猫です。", "あなたは誰ですか"), passage(2, "回答です。", "何ができますか")]
    assert pick_quotes("何ができますか", given) == [Quote(2, "回答です。")]


@pytest.mark.parametrize(
    ("question", "definition"),
    [
        ("What is a kettle?", "Kettles are vessels with a spout in which water is boiled at home."),
        ("What is a kettle?", "A kettle (or boiler) is a vessel with a spout for boiling water."),
        ("What is a kettle?", "A vessel with a spout for water is called a kettle."),
        ("Define steeping", "Steeping means leaving leaves in hot water for some minutes."),
        ("やかんとは何ですか？ 湯沸かし", "湯沸かしとは、湯を沸かす道具です。"),
        ("急須って何", "湯を注いで茶を淹れる道具を急須と呼びます。"),
    ],
)
def test_pick_quotes_prefer_definitions(question: str, definition: str) -> None:
    """A sentence that defines the noun comes before those that happen to hold it."""
    noise = "The kettle broke. Steeping helps. 湯沸かしが壊れた。急須が壊れた。"
    quotes = pick_quotes(question, [passage(1, noise), passage(2, definition)])
    assert quotes[0] == Quote(2, definition)


def test_pick_quotes_go_on_in_a_section_that_asks_the_same() -> None:
    """Under a heading with the question's terms, sentences without them are quoted too."""
    own = ["Clay comes from the river.", "Steel comes by rail.", "Glass is blown on the spot."]
    named = passage(4, " ".join(own), "Pots > What are my sources?")
    quotes = pick_quotes("What are your sources?", [passage(1, "A source of steam hisses."), named])
    assert texts(quotes) == own


def test_pick_quotes_heed_the_order_of_passages() -> None:
    """Of two sentences nearly alike the one in the passage given first comes first."""
    shorter = "Kettles whistle loudly when boiling water sends steam through narrow spouts."
    longer = shorter.replace("narrow", "narrow metal")
    for given in ([shorter, longer], [longer, shorter]):
        passages = [passage(number, text) for number, text in enumerate(given, start=1)]
        assert pick_quotes("Which kettles whistle?", passages)[0] == Quote(1, given[0])


def test_pick_quotes_prefer_sentences_that_stand_alone() -> None:
    """A sentence that leans on the one before loses against one that names its thing."""
    given = [passage(1, "It fills the kettle daily."), passage(2, "Ana fills the kettle.")]
    assert [quote.number for quote in pick_quotes("Who fills kettles?", given)] == [2, 1]


def test_pick_quotes_find_nothing_in_unrelated_passages() -> None:
    """No content word in common is no ground for an answer."""
    assert pick_quotes("How do I bake bread?", [CAN, WHO]) == []
