import pytest

from rich_agent_sandbox.model.answering.answer import answer
from rich_agent_sandbox.model.answering.preferences import is_brief, language_wanted
from rich_agent_sandbox.model.prompt import Prompt, read_prompt


@pytest.mark.parametrize(
    ("preferences", "question", "japanese"),
    [
        ((), "Where do I live?", False),
        ((), "どこですか", True),
        (("Answer in Japanese",), "Where do I live?", True),
        (("Answer in Japanese", "Answer in English"), "どこですか", False),
        (("Likes tea",), "どこですか", True),
    ],
)
def test_in_japanese_follows_the_newest_preference(
    preferences: tuple[str, ...],
    question: str,
    japanese: bool,  # noqa: FBT001 - a table
) -> None:
    """Without one, the question's language."""
    assert (language_wanted(Prompt(question, preferences=preferences)) == "ja") is japanese


def test_is_brief_follows_the_newest_preference() -> None:
    """Short until long is wanted."""
    assert not is_brief(Prompt(""))
    assert is_brief(Prompt("", preferences=("Prefers short answers",)))
    assert not is_brief(Prompt("", preferences=("Prefers short answers", "Wants detailed ones")))


def test_answer_honours_the_language_preferred() -> None:
    """The stand-in's own words are Japanese, also to an English question."""
    system = (
        "<preferences>\n- Answer in Japanese\n</preferences><memory>\n- Lives in Oslo\n</memory>"
    )
    prompt = read_prompt(
        [
            {"role": "system", "content": system},
            {"role": "user", "content": "<question>Where do I live?</question>"},
        ]
    )
    assert answer(prompt).startswith("覚えていること：")
    assert "Oslo" in answer(prompt)
