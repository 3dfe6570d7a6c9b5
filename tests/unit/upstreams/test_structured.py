"""Structured output in the surest way that a server takes."""

import pytest

from rich_agent.errors import MalformedOutputError
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import to_messages
from rich_agent.upstreams.models.choosing import ChosenEntries
from rich_agent.upstreams.models.memory_extraction import LearnedAboutUser
from rich_agent.upstreams.models.planning import (
    PlannedClarification,
    PlannedForgetting,
    PlannedTurn,
)
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.output_shapes import ModelOutput, RequestedForm
from rich_agent.upstreams.servers.structured import ask_structured
from tests.unit.upstreams.servers import (
    Json,
    ModelServer,
    Refuse,
    mistral_refusal,
    openai_refusal,
)

PROMPT = Prompt("Plan.", "What is staking?")
PLAN = '{"intent": "general_question", "plan": "rag", "query": "staking"}'


async def ask(access: ModelAccess) -> PlannedTurn:
    """One plan."""
    return await ask_structured(
        open_chat_client(access), to_messages(PROMPT), RequestedForm(PlannedTurn)
    )


def refusing(fields: dict[str, tuple[int, object]]) -> Refuse:
    """Refuses a request that has one of these fields."""
    return lambda body: next((fields[name] for name in fields if name in body), None)


LM_STUDIO = {"error": "'response_format.type' must be 'json_schema' or 'text'"}
OLLAMA = {"error": {"message": "m does not support tools", "type": "api_error", "param": None}}
OPENROUTER = {"error": {"message": "No endpoints found that support tool use.", "code": 404}}
LLAMA_CPP = {"error": {"message": "tools param requires --jinja flag", "type": "server_error"}}
PYDANTIC = {
    "error": {
        "message": "1 validation error for ChatFormat\ntype\n  Input should be 'text' or "
        "'json_object' [type=literal_error, input_value='json_schema', input_type=str]",
        "type": "internal_server_error",
    }
}
VLLM = {"object": "error", "message": "guided decoding is off", "type": "BadRequestError"}
MISTRAL = mistral_refusal("response_format")
CASES: list[tuple[Refuse, list[str], str]] = [
    (lambda _: None, ["json_schema"], "json_schema"),
    (refusing({"response_format": (400, LM_STUDIO)}), ["json_schema", "tools"], "tool_call"),
    (refusing({"response_format": (501, VLLM)}), ["json_schema", "tools"], "tool_call"),
    (
        refusing({"tools": (400, OLLAMA), "response_format": openai_refusal("response_format")}),
        ["json_schema", "tools", "json_object", "json_object", "words"],
        "words",
    ),
    (
        refusing({"tools": (404, OPENROUTER), "response_format": MISTRAL}),
        ["json_schema", "tools", "json_object", "json_object", "words"],
        "words",
    ),
    (
        lambda body: (500, LLAMA_CPP) if "tools" in body else
        (422, VLLM) if "json_schema" in str(body.get("response_format")) else None,
        ["json_schema", "tools", "json_object"],
        "json_mode",
    ),
    (
        lambda body: (500, PYDANTIC) if "json_schema" in str(body.get("response_format")) else None,
        ["json_schema", "tools"],
        "tool_call",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("refuse", "steps", "found"), CASES)
async def test_refused_way_leads_to_the_next_and_is_not_tried_again(
    refuse: Refuse, steps: list[str], found: str
) -> None:
    """Whichever way a server refuses it, the plan comes, the second one at once."""
    server = ModelServer(refuse, [PLAN])
    async with server.access() as access:
        assert (await ask(access)).plan == "rag"
        assert server.steps() == steps
        await ask(access)
        assert server.steps() == [*steps, steps[-1]]
        assert (await access.capabilities.known()).step == found


async def test_ignored_way_leads_to_the_next() -> None:
    """A server that takes every request and answers in prose is asked in words in the end."""
    server = ModelServer(says=["I would search.", "The documents!", "Hm.", f"```json\n{PLAN}\n```"])
    server.calls_tools = False
    async with server.access() as access:
        assert (await ask(access)).query == "staking"
        assert server.steps() == ["json_schema", "tools", "json_object", "words"]


async def test_known_way_is_repaired_and_kept() -> None:
    """A model that once gave what was wanted is told what was wrong, and asked the same way.

    Prose leads to the next way for this once.
    """
    server = ModelServer(says=[PLAN, '{"plan": "maybe", "intent": "x"}', PLAN, "Sorry?", PLAN])
    async with server.access() as access:
        await ask(access)
        assert (await ask(access)).plan == "rag"
        told = server.asked[-1]["messages"][-1]["content"]
        assert "- plan: " in told
        assert "intent" not in told
        assert (await ask(access)).plan == "rag"
        assert server.steps() == [*["json_schema"] * 4, "tools"]
        await ask(access)
        assert server.steps()[5:] == ["json_schema"]


async def test_known_way_that_is_refused_later_is_learned_anew() -> None:
    """A server that lost its tools is asked in a way that it has left."""
    server = ModelServer(refusing({"response_format": (400, VLLM)}), [PLAN])
    async with server.access() as access:
        await ask(access)
        server.refuse = refusing({"tools": (400, OLLAMA)})
        await ask(access)
        assert (await access.capabilities.known()).step == "json_mode"


async def test_output_that_stays_malformed_is_an_error_after_one_repair() -> None:
    """Retries end, and nothing is learned from them."""
    server = ModelServer(says=['{"plan": "maybe"}'])
    async with server.access() as access:
        with pytest.raises(MalformedOutputError):
            await ask(access)
        assert len(server.asked) == 2
        assert (await access.capabilities.known()).step is None


FINAL = [
    openai_refusal("prompt", "content_filter"),
    openai_refusal("model", "model_not_found"),
    openai_refusal("messages[1].content[1].image_url", "invalid_value"),
    (401, {"error": {"message": "tools are not for this key", "code": "invalid_api_key"}}),
    (429, {"error": {"message": "too many tools", "code": "rate_limit_exceeded"}}),
]


@pytest.mark.parametrize("refusal", FINAL)
async def test_refusal_of_something_else_is_final(refusal: tuple[int, Json]) -> None:
    """Content, model, image and key are the same in every form."""
    server = ModelServer(lambda _: refusal)
    async with server.access() as access:
        with pytest.raises(Exception, match=str(refusal[0])):
            await ask(access)
        assert server.steps() == ["json_schema"]


async def test_prompt_that_is_too_long_is_asked_once_more_without_a_limit() -> None:
    """Servers add it to the prompt; without one, they give what is left of the window."""
    server = ModelServer(lambda _: openai_refusal("messages", "context_length_exceeded"))
    async with server.access() as access:
        with pytest.raises(Exception, match="400"):
            await ask(access)
        assert ["max_tokens" in body for body in server.asked] == [True, False]
        assert not (await access.capabilities.known()).refused


async def test_first_refusal_is_told_when_all_ways_are_refused() -> None:
    """A server that only says no, in words of its own, is asked in every way."""
    server = ModelServer()
    server.refuse = lambda _: (
        404,
        {"error": {"message": f"not found ({len(server.asked)})"}},
    )
    async with server.access() as access:
        with pytest.raises(Exception, match=r"not found \(1\)"):
            await ask(access)
        assert server.steps() == ["json_schema", "tools", "json_object", "json_object", "words"]
        assert (await access.capabilities.known()).step is None


async def test_refused_choice_of_a_tool_is_left_out_alone() -> None:
    """Tools are still given to a server that takes no `tool_choice`."""
    server = ModelServer(
        refusing({"response_format": (400, VLLM), "tool_choice": mistral_refusal("tool_choice")}),
        [PLAN],
    )
    async with server.access() as access:
        assert (await ask(access)).plan == "rag"
        assert server.steps() == ["json_schema", "tools", "tools"]
        assert "tool_choice" not in server.asked[-1]


async def test_strict_schema_has_no_optional_field_and_no_default() -> None:
    """Or OpenAI refuses it."""
    server = ModelServer()
    async with server.access() as access:
        await ask_structured(
            open_chat_client(access), to_messages(PROMPT), RequestedForm(LearnedAboutUser)
        )
    told = server.asked[0]["response_format"]["json_schema"]
    assert (told["name"], told["strict"]) == ("LearnedAboutUser", True)
    objects = list(_objects(told["schema"]))
    assert len(objects) > 3
    for one in objects:
        assert one["required"] == list(one["properties"])
        assert one["additionalProperties"] is False
    assert not {"default", "$ref", "$defs", "title"} & set(_keywords(told["schema"]))


BOUND_REFUSALS: list[tuple[int, Json]] = [
    (
        400,
        {
            "error": {
                "message": "Invalid schema for response_format 'PlannedTurn': In context="
                "('properties', 'intent'), 'maxLength' is not permitted.",
                "type": "invalid_request_error",
                "param": "response_format",
                "code": None,
            }
        },
    ),
    (400, {"error": {"message": "For 'array' type, property 'maxItems' is not supported"}}),
    (400, {"message": "Unsupported JSON schema fields: {'maxLength'}", "code": "wrong_api_format"}),
]


@pytest.mark.parametrize("refusal", BOUND_REFUSALS)
async def test_bounds_that_a_server_refuses_are_left_out_of_the_same_way(
    refusal: tuple[int, Json],
) -> None:
    """Azure, Anthropic and Cerebras refuse them; the strict schema is still the way."""
    server = ModelServer(lambda body: refusal if "maxLength" in str(body) else None, [PLAN])
    async with server.access() as access:
        assert (await ask(access)).plan == "rag"
        assert server.steps() == ["json_schema", "json_schema"]
        await ask(access)
        assert server.steps() == ["json_schema"] * 3
        assert (await access.capabilities.known()).step == "json_schema"


WRONG = '{"plan": "maybe", "intent": "general_question", "query": "staking"}'


@pytest.mark.parametrize("schemas", [True, False])
async def test_repair_asks_for_the_wrong_fields_alone(*, schemas: bool) -> None:
    """The prompt is the same again, the schema stands in it once, and the rest is kept."""
    refused = {"json_schema": (400, LM_STUDIO)} if not schemas else {}
    tools: tuple[int, object] | None = (404, OPENROUTER) if not schemas else None
    server = ModelServer(
        lambda body: (
            refused.get(str((body.get("response_format") or {}).get("type")))
            or (tools if "tools" in body else None)
        ),
        [WRONG, '{"plan": "rag"}'],
    )
    async with server.access() as access:
        plan = await ask(access)
    assert (plan.plan, plan.query) == ("rag", "staking")
    first, repair = server.asked[-2:]
    assert repair["messages"][: len(first["messages"])] == first["messages"]
    asked, request = repair["messages"][len(first["messages"]) :]
    assert (asked["role"], asked["content"]) == ("assistant", WRONG)
    assert len(request["content"]) < 200
    assert '"plan"' not in request["content"]
    form = repair["response_format"]
    schema = form["json_schema"]["schema"] if schemas else form["schema"]
    assert (list(schema["properties"]), schema["required"]) == (["plan"], ["plan"])


async def test_plan_that_is_cut_in_its_texts_is_a_plan() -> None:
    """A model that never ends a string has said before what is needed."""
    server = ModelServer(says=[f'{PLAN[:-1]}, "reason": "because of because of bec'])
    server.ending = "length"
    async with server.access() as access:
        plan = await ask(access)
    assert (plan.plan, plan.query, plan.reason) == ("rag", "staking", "because of because of bec")
    assert len(server.asked) == 1


async def test_plan_that_is_cut_too_early_is_repaired_once() -> None:
    """In the same way, and for what is missing."""
    server = ModelServer(says=['{"intent": "general_question", "pl'])
    server.ending = "length"
    async with server.access() as access:
        with pytest.raises(MalformedOutputError):
            await ask(access)
    assert server.steps() == ["json_schema"] * 2
    assert "- plan: " in server.asked[-1]["messages"][-1]["content"]


async def test_model_that_fails_twice_is_not_asked_a_third_time() -> None:
    """Other messages wait behind it; a known way is left once."""
    server = ModelServer(says=[PLAN, "I would search.", "The documents!", PLAN])
    server.calls_tools = False
    async with server.access() as access:
        await ask(access)
        with pytest.raises(MalformedOutputError):
            await ask(access)
        assert server.steps() == ["json_schema", "json_schema", "tools"]


async def test_prose_after_a_refused_way_is_malformed_output() -> None:
    """The server took two requests, so that its refusal is not why there is no output."""
    server = ModelServer(says=[PLAN, "I would search.", "The documents!"])
    async with server.access() as access:
        await ask(access)
        server.refuse = refusing({"tools": (400, OLLAMA)})
        with pytest.raises(MalformedOutputError):
            await ask(access)
        assert server.steps() == ["json_schema", "json_schema", "tools", "json_object"]


UNENFORCED: list[tuple[Refuse, str]] = [
    (lambda body: BOUND_REFUSALS[0] if "maxLength" in str(body) else None, "json_schema"),
    (refusing({"response_format": (400, VLLM)}), "tool_call"),
    (refusing({"response_format": (400, VLLM), "tools": (400, OLLAMA)}), "words"),
    (
        lambda body: (
            (422, VLLM) if "json_schema" in str(body.get("response_format")) or "tools" in body
            else None
        ),
        "json_mode",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("refuse", "step"), UNENFORCED)
async def test_bounds_that_a_server_does_not_enforce_limit_no_tokens(
    refuse: Refuse, step: str
) -> None:
    """The form may be longer than they say; the limit that its caller gave stays."""
    form = RequestedForm(PlannedTurn, frozenset({"intent", "plan", "query"}))
    server = ModelServer(refuse, [PLAN])
    async with server.access() as access:
        client, messages = open_chat_client(access), to_messages(PROMPT)
        await ask_structured(client, messages, form)
        assert (await access.capabilities.known()).step == step
        assert server.asked[-1]["max_tokens"] == PlannedTurn.most_tokens > form.token_limit()
        await ask_structured(client, messages, RequestedForm(PlannedTurn, most_tokens=70))
        assert server.asked[-1]["max_tokens"] == 70


async def test_form_bounds_what_a_model_may_write() -> None:
    """The limit of tokens follows from the lengths of its texts."""
    server = ModelServer(says=['{"numbers": [1]}', PLAN])
    async with server.access() as access:
        messages = to_messages(PROMPT)
        await ask_structured(
            open_chat_client(access), messages, RequestedForm(ChosenEntries, most_tokens=70)
        )
        await ask(access)
    limits = [body["max_tokens"] for body in server.asked]
    assert limits == [70, RequestedForm(PlannedTurn).token_limit()]
    short = RequestedForm(PlannedTurn, frozenset({"intent", "plan", "query"}))
    assert 200 <= short.token_limit() < limits[1]


@pytest.mark.parametrize("form", [PlannedClarification, PlannedForgetting])
def test_form_that_may_not_be_cut_has_room_for_every_script(form: type[ModelOutput]) -> None:
    """A character of Hindi or Thai may take a token; a plan is read as far as it came."""
    texts = {PlannedClarification: 300 + 6 * 60, PlannedForgetting: 200 + 16 * 40}[form]
    assert texts < RequestedForm(form).token_limit() < texts + 200


def _objects(schema: Json) -> list[Json]:
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inner += [schema["items"]] if "items" in schema else []
    own = [schema] if "properties" in schema else []
    return own + [one for each in inner for one in _objects(each)]


def _keywords(schema: Json) -> list[str]:
    return [key for one in _objects(schema) for key in one] + [
        key for one in _objects(schema) for field in one["properties"].values() for key in field
    ]
