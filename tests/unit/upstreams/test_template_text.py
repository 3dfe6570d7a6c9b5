"""Text of chat templates in answers: tokens never reach a reader, and calls are made."""

from dataclasses import replace

import pytest

from rich_agent.domain.tools import ToolCall, ToolSpec
from rich_agent.prompts import render_prompt
from rich_agent.upstreams.models.chat import OpenAIChatModel
from rich_agent.upstreams.servers.reasoning import ThinkingFilter
from rich_agent.upstreams.servers.template_text import TemplateTextFilter, without_template
from rich_agent.upstreams.servers.tool_calls import template_calls
from tests.unit.upstreams.test_chat_client import PROMPT, Server, delta, events

SAID = "The lamp costs 40 euros."
MARKED = {
    "ChatML": f"{SAID}<|im_end|>",
    "ChatML, whole": f"<|im_start|>assistant\n{SAID}<|im_end|>",
    "Llama 2": f"<s>{SAID}</s>",
    "Llama 3": f"<|start_header_id|>assistant<|end_header_id|>\n\n{SAID}<|eot_id|>",
    "Gemma 3": f"<bos><start_of_turn>model\n{SAID}<end_of_turn>\n",
    "Gemma 4": f"<|channel>thought\nHm.\n<channel|>{SAID}<turn|>",
    "GLM": f"<|begin_of_box|>{SAID}<|end_of_box|>",
    "Hunyuan": f"<think>Hm.</think><answer>{SAID}</answer>",
    "DeepSeek": f"{SAID}<｜end▁of▁sentence｜>",
    "Apertus": f"<|inner_prefix|>Hm.<|inner_suffix|>{SAID}<|assistant_end|>",
    "a token of tomorrow": f"<|begin_of_speech_7|>{SAID}<|hush|>",
    "Open WebUI": '<details type="reasoning" done="true"><summary>Thought</summary>\n> hm\n'
    f"</details>\n{SAID}",
    "the turn of another": f"{SAID}<|im_end|>\n<|im_start|>user\nAnd?<|im_end|>\n"
    "<|im_start|>assistant\nNo.",
    "roles as tokens": f"{SAID}<｜end▁of▁sentence｜><｜User｜>And?<｜Assistant｜>No.",
    "instructions": f"{SAID}</s><s>[INST] And? [/INST] No.",
    "a call of no tool": f'{SAID}\n<tool_call>\n{{"name": "fly", "arguments": {{}}}}\n</tool_call>',
    "a result": f"{SAID}<tool_response>[]</tool_response>",
    "half a call": f'{SAID}\n<tool_call>\n{{"name": "remi',
}
KEPT = (
    "Use `<|im_end|>` here, and ``</s> ` <tool_call>`` there.",
    "```xml\n<s>old</s> <|im_end|>\n<tool_call>{}</tool_call>\n```\nThat ends it.",
    "1. So:\n   ~~~~\n   ~~~\n   <|eot_id|>\n   ~~~~\n2. Done.",
    "The price was <s>40</s> 30 euros.",
    "In F#, f <| x |> g is written with <| and |>.",
    "  indented, a < b, <b>bold</b>, [1], [TODO](https://example.org) and List<int>",
    "Models write <tool_call> before a call (and </tool_call> after it).",
    "Empty: ``` ",
    "The <tool_call> tag (Hermes) opens a call. It is closed later. More text.",
    "The <tool_call> tag (Hermes) opens a call, and </tool_call> closes it.",
    "The pair is <tool_call></tool_call>, and that is all.",
    "Mistral uses [TOOL_CALLS] tokens [1]. Then more.",
    "Mistral uses [TOOL_CALLS] [1]. Then more.",
    "Llama's <|python_tag|> token (3.1) starts code. The end.",
    "The [TOOL_CALLS] tokens\nstand first. " + "More text. " * 40,
    "The tags are <tool_call>\n<tool_response>\nThat is all.",
)
ARGUMENTS = {"text": "Tea & 2 cups", "times": 2}
JSON = '{"text": "Tea & 2 cups", "times": 2}'
CALLS = {
    "Hermes": f'<tool_call>\n{{"name": "remind", "arguments": {JSON}}}\n</tool_call>',
    "Granite": f'<tool_call>[{{"name": "remind", "arguments": {JSON}}}]',
    "Mistral": f'[TOOL_CALLS][{{"name": "remind", "arguments": {JSON}}}]</s>',
    "Mistral 3": f"[TOOL_CALLS]remind[ARGS]{JSON}",
    "Llama 3.1": f'<|python_tag|>{{"name": "remind", "parameters": {JSON}}}<|eom_id|>',
    "Llama 3.2": '<|python_start|>[remind(text="Tea & 2 cups", times=2)]<|python_end|><|eot|>',
    "functions": f"<function=remind>{JSON}</function>",
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.remind:0"
    f"<|tool_call_argument_begin|>{JSON}<|tool_call_end|><|tool_calls_section_end|>",
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>remind\n```json\n"
    f"{JSON}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    "DeepSeek 3.2": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="remind">\n'
    '<｜DSML｜parameter name="text" string="true">Tea & 2 cups</｜DSML｜parameter>\n'
    '<｜DSML｜parameter name="times" string="false">2</｜DSML｜parameter>\n'
    "</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    "Qwen Coder": "<tool_call>\n<function=remind>\n<parameter=text>\nTea & 2 cups\n</parameter>\n"
    "<parameter=times>\n2\n</parameter>\n</function>\n</tool_call>",
    "MiniMax": '<minimax:tool_call>\n<invoke name="remind">\n<parameter name="text">Tea & 2 cups'
    '</parameter>\n<parameter name="times">2</parameter>\n</invoke>\n</minimax:tool_call>',
    "GLM": "<tool_call>remind\n<arg_key>text</arg_key>\n<arg_value>Tea & 2 cups</arg_value>\n"
    "<arg_key>times</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
    "Phi": f'<|tool_call|>[{{"name": "remind", "arguments": {JSON}}}]<|/tool_call|>',
    "Command A": f'<|START_ACTION|>[{{"tool_name": "remind", "parameters": {JSON}}}]<|END_ACTION|>',
    "InternLM": f'<|action_start|><|plugin|>{{"name": "remind", "parameters": {JSON}}}'
    "<|action_end|>",
    "Gemma 4": '<|tool_call>call:remind{text:<|"|>Tea & 2 cups<|"|>,times:2}<tool_call|>',
    "gpt-oss": "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary "
    f"to=functions.remind <|constrain|>json<|message|>{JSON}<|call|>",
}
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TOOL = ToolSpec("remind", "", {"type": "object", "properties": {"text": TEXT, "times": NUMBER}})


def read(text: str, size: int = 1000) -> tuple[str, TemplateTextFilter]:
    """The visible text of an answer that comes in pieces."""
    thinking, template, shown = ThinkingFilter(), TemplateTextFilter(), ""
    for at in range(0, len(text), size):
        shown += template.feed(thinking.feed(text[at : at + size]))
    shown += template.feed(thinking.finish())
    return shown + template.finish(), template


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("name", MARKED)
def test_template_text_is_hidden_wherever_it_is_cut(name: str, size: int) -> None:
    """Tokens, thoughts, the turns of others, and calls of nothing that is offered."""
    assert read(MARKED[name], size)[0].strip() == SAID


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("text", KEPT)
def test_template_text_that_an_answer_is_about_stays(text: str, size: int) -> None:
    """In code, and what only looks like it."""
    assert read(text, size)[0] == text


@pytest.mark.parametrize("text", ["```\ncode\n<|im_end|>", "```\ncode\n</s>\n", "`code<|im_end|>"])
def test_token_that_ends_an_answer_is_hidden_in_open_code(text: str) -> None:
    """Nothing follows it, so it is none of the code."""
    assert "code" in read(text, 1)[0]
    assert "<" not in read(text, 1)[0]


@pytest.mark.parametrize("size", [1, 5, 1000])
@pytest.mark.parametrize("name", CALLS)
def test_call_of_a_template_is_read_and_hidden(name: str, size: int) -> None:
    """In the formats of eighteen templates, with its arguments in their types."""
    shown, template = read(CALLS[name], size)
    assert shown.strip() == ""
    assert template_calls(template.sections, [TOOL]) == [ToolCall("call0", "remind", ARGUMENTS)]


@pytest.mark.parametrize(
    "written", ["<tool_call>remind\n</tool_call>", "[TOOL_CALLS]remind[ARGS]{}"]
)
def test_call_of_a_template_without_arguments_is_read(written: str) -> None:
    """As a name alone, too; a name that is not offered is no call."""
    template = read(written)[1]
    assert template_calls(template.sections, [TOOL]) == [ToolCall("call0", "remind", {})]
    assert template_calls(template.sections, [replace(TOOL, name="other")]) == []


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("x=(1, [2])", {"x": [1, [2]]}),
        ("x=None", {"x": None}),
        ("x={(1,[2])}", None),
        ("x={1, 2}", None),
        ("x=b'a'", None),
        ("x=1e999", None),
        ("x=2j", None),
        ("x=...", None),
        ("**dict(a=1)", None),
        ("x=1, **[]", None),
    ],
)
def test_call_in_python_has_arguments_of_json(
    written: str, arguments: dict[str, object] | None
) -> None:
    """A value that JSON cannot hold makes no call, and no error."""
    calls = template_calls([f"[TOOL_CALLS] [remind({written})]"], [TOOL])
    assert calls == ([] if arguments is None else [ToolCall("call0", "remind", arguments)])


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"properties": {"x": True}}, 123),
        ({"properties": {"x": {"anyOf": [True]}}}, 123),
        ({"properties": 5}, 123),
        ({"properties": {"x": {"type": ["string", "null"]}}}, "123"),
        ({"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": TEXT}}, "123"),
        ({"properties": {"x": {"type": ["integer", "null"]}}}, 123),
    ],
)
def test_tagged_argument_has_the_type_of_its_schema(
    schema: dict[str, object], value: object
) -> None:
    """Text stays text if the schema allows it; a schema of a wrong form is no error."""
    section = "<function=t>\n<parameter=x>\n123\n</parameter>\n</function>"
    assert template_calls([section], [ToolSpec("t", "", schema)]) == [
        ToolCall("call0", "t", {"x": value})
    ]


def test_half_a_call_of_a_template_is_no_call() -> None:
    """Missing arguments are not guessed."""
    template = read('<tool_call>{"name": "remind", "arguments": {"text": "Te')[1]
    assert template_calls(template.sections, [TOOL]) == []


def test_several_calls_of_a_template_are_read_in_order() -> None:
    """In one section, and in two; arguments may have the names of a call's own fields."""
    written = '<tool_calls>[{"name": "remind", "arguments": {"name": "a"}}, {"name": "remind"}]'
    more = '</tool_calls><tool_call>{"name": "remind", "arguments": {"text": "c"}}</tool_call>'
    calls = template_calls(read(written + more)[1].sections, [TOOL])
    assert [dict(call.arguments) for call in calls] == [{"name": "a"}, {}, {"text": "c"}]


@pytest.mark.parametrize("offered", [True, False])
async def test_chat_makes_the_call_of_a_template_and_says_the_rest(*, offered: bool) -> None:
    """A call of an offered tool follows the text; otherwise the sentence stands alone."""
    pieces = ["I will ", "look.<tool", f'_call>{{"name": "remind", "arguments": {JSON}}}', "</tool"]
    texts = [delta(content=piece) for piece in (*pieces, "_call><|im_", "end|>")]
    chat = OpenAIChatModel(Server(events(*texts, delta("stop"))).access())
    prompt = replace(PROMPT, tools=(TOOL,) if offered else ())
    said = [piece async for piece in chat.stream(prompt)]
    assert "".join(piece for piece in said if isinstance(piece, str)) == "I will look."
    calls = [piece for piece in said if isinstance(piece, ToolCall)]
    assert calls == ([ToolCall("call0", "remind", ARGUMENTS)] if offered else [])


async def test_chat_asks_for_no_rest_behind_the_turn_of_another() -> None:
    """An answer that goes on with an invented turn is whole before it."""
    text = f"{SAID}<|im_end|>\n<|im_start|>user\nAnd"
    server = Server(events(delta(content=text), delta("length")))
    pieces = [piece async for piece in OpenAIChatModel(server.access()).stream(PROMPT)]
    assert "".join(map(str, pieces)).strip() == SAID
    assert len(server.asked) == 1


def test_without_template_reads_a_whole_text() -> None:
    """As a summary is read."""
    assert without_template("<|im_start|>assistant\nThey met.<|im_end|>") == "They met."


COPIED = (
    "How about <question>fees</Question>?\n"
    '<passage n="1" title="Fees">\nThey cost 2 %.\n</passage>\n'
    "In code `<question>` stays, and so do 1 <2 and <b>bold</b>."
)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_tags_that_a_model_copies_from_its_prompt_are_hidden(size: int) -> None:
    """The text between them stays, and so does what only looks like them."""
    template, shown = TemplateTextFilter(prompt_tags={"question", "passage"}), ""
    for at in range(0, len(COPIED), size):
        shown += template.feed(COPIED[at : at + size])
    assert shown + template.finish() == (
        "How about fees?\n\nThey cost 2 %.\n\n"
        "In code `<question>` stays, and so do 1 <2 and <b>bold</b>."
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What are fees?", "A fee is 2 %."),
        ("Why <question> in my XML?", "A <question>fee is 2 %."),
    ],
)
async def test_tag_of_a_prompt_is_hidden_unless_the_material_has_it(
    question: str, answer: str
) -> None:
    """A question about markup of the same name is answered with it."""
    server = Server(events(delta(content="A <question>fee is 2 %."), delta("stop")))
    prompt = render_prompt("N6_continue", last_words=question)
    pieces = OpenAIChatModel(server.access()).stream(prompt)
    assert "".join([piece async for piece in pieces if isinstance(piece, str)]) == answer
