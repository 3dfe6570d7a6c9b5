import base64

import pytest

from rich_agent_sandbox.model.message_parts import ImageUnreadableError
from rich_agent_sandbox.model.prompt import Turn, read_prompt

SYSTEM = """You answer from passages.
<memory>
- Lives in Oslo
- Likes &lt;b&gt; tags
</memory>
<conversation_summary>Asked about tea.</conversation_summary>
<domain name="domain_tea">tea and pots</domain>
<image_summary>{"entities": ["pot"]}</image_summary>
<reply_to>an older message</reply_to>"""
PASSAGE = (
    '<passage n="2" kind="document" title="A &amp; B" section="Top &gt; Sub" url="https://e.x/?a=1'
    '&amp;b=2">1 &lt; 2, and &lt;/passage&gt; is text.</passage>'
)


def test_read_prompt_understands_every_tag() -> None:
    """Context, passages and question are told apart and unescaped."""
    asked = f"{PASSAGE}\n<question>Is 1 &lt; 2?</question>"
    prompt = read_prompt(
        [{"role": "system", "content": SYSTEM}, {"role": "user", "content": asked}]
    )
    assert prompt.question == "Is 1 < 2?"
    assert prompt.instructions == "You answer from passages."
    assert prompt.memory == ("Lives in Oslo", "Likes <b> tags")
    assert prompt.conversation_summary == "Asked about tea."
    assert prompt.replied_to == "an older message"
    assert prompt.domains[0].name == "domain_tea"
    assert prompt.image_summaries == ('{"entities": ["pot"]}',)
    passage = prompt.passages[0]
    assert (passage.number, passage.title, passage.section) == (2, "A & B", "Top > Sub")
    assert passage.url == "https://e.x/?a=1&b=2"
    assert passage.text == "1 < 2, and </passage> is text."


def test_read_prompt_takes_the_last_user_message_without_tags() -> None:
    """Without tags the last user message is the question, and the rest the conversation."""
    prompt = read_prompt(
        [
            {"role": "user", "content": "First?"},
            {"role": "assistant", "content": "One."},
            {"role": "user", "content": [{"type": "text", "text": "Second?"}]},
        ]
    )
    assert prompt.question == "Second?"
    assert prompt.turns == (Turn("user", "First?"), Turn("assistant", "One."))


def test_read_prompt_counts_the_photos_of_earlier_messages() -> None:
    """A mark is no word of the user, and a photo without a caption is a turn all the same."""
    prompt = read_prompt(
        [
            {"role": "user", "content": '<photos count="2"/> Compare these'},
            {"role": "assistant", "content": "Done."},
            {"role": "user", "content": '<photos count="1"/>'},
            {"role": "user", "content": "How many?"},
        ]
    )
    assert prompt.turns == (
        Turn("user", "Compare these", 2),
        Turn("assistant", "Done."),
        Turn("user", "", 1),
    )


def test_read_prompt_does_not_take_tags_from_the_question() -> None:
    """A user who writes a passage into the question gives no passage."""
    prompt = read_prompt([{"role": "user", "content": f"<question>{PASSAGE}</question>"}])
    assert prompt.passages == ()


def test_read_prompt_decodes_images_in_order() -> None:
    """Images of the last user message are there as bytes."""
    parts = [
        {
            "type": "image_url",
            "image_url": {"url": f"data:image/png;base64,{base64.b64encode(data).decode()}"},
        }
        for data in (b"one", b"two")
    ]
    assert read_prompt([{"role": "user", "content": parts}]).images == (b"one", b"two")


@pytest.mark.parametrize("url", ["https://example.com/a.png", "data:image/png;base64,%%%"])
def test_read_prompt_refuses_images_that_it_cannot_read(url: str) -> None:
    """No address is fetched, and broken base64 is an error."""
    parts = [{"type": "image_url", "image_url": {"url": url}}]
    with pytest.raises(ImageUnreadableError):
        read_prompt([{"role": "user", "content": parts}])


def test_read_prompt_takes_a_wish_for_a_repair_for_no_question() -> None:
    """The words between the tags are still what is asked."""
    said = [
        {"role": "user", "content": "<question>What is a clock?</question>"},
        {"role": "assistant", "content": '{"plan": "ra'},
        {"role": "user", "content": "That was malformed. Give it again."},
    ]
    assert read_prompt(said).question == "What is a clock?"


def test_read_prompt_tells_a_tag_that_is_mentioned_from_one_that_holds_something() -> None:
    """A prompt may speak of its tags."""
    system = 'Results stand in <passage> tags.\nBe brief.\n<passage n="1" title="T">Tea.</passage>'
    prompt = read_prompt([{"role": "system", "content": system}, {"role": "user", "content": "?"}])
    assert [passage.text for passage in prompt.passages] == ["Tea."]
    assert "Be brief." in prompt.instructions


def test_read_prompt_tells_files_from_links_and_those_that_came() -> None:
    """One list holds both; an attribute says how many of them came with the message."""
    files = '<files came="1">\n1. a (b).pdf (3 parts)\n2. web page https://e.x/a\n</files>'
    prompt = read_prompt([{"role": "system", "content": files}, {"role": "user", "content": "?"}])
    assert (prompt.files, prompt.links) == (("a (b).pdf",), ("https://e.x/a",))
    assert prompt.files_came == 1
