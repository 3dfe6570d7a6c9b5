from typing import Any

from rich_agent.upstreams.models.planning import PlannedCalls, PlannedStep
from rich_agent_sandbox.model.prompt import Entry, Prompt, Turn
from rich_agent_sandbox.model.schema import fill, strictness_fault
from rich_agent_sandbox.model.structured import fill_for_prompt
from tests.unit.sandbox.model import pictures


def obj(**properties: dict[str, Any]) -> dict[str, Any]:
    """A strict object schema that requires all its properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


STRING = {"type": "string"}
STRINGS = {"type": "array", "items": STRING}


def test_fill_for_prompt_plans_by_property_names() -> None:
    """A schema with intent and plan is answered by the planning rules, behind references too."""
    schema = obj(intent={"$ref": "#/$defs/Intent"}, plan=STRING, reason=STRING, query=STRING)
    schema["$defs"] = {"Intent": {"enum": ["general_question", "smalltalk_or_short"]}}
    filled = fill_for_prompt(schema, Prompt("hello"))
    assert (filled["intent"], filled["plan"]) == ("smalltalk_or_short", "direct")
    assert filled["query"] == "hello"


def test_fill_for_prompt_plans_the_reminder_that_the_message_asks_for() -> None:
    """In the form that the product sends; a question asks for no call."""
    form = PlannedCalls.model_json_schema()
    filled = fill_for_prompt(form, Prompt("erinnere mich jeden Montag um 9 an den Bericht"))
    assert PlannedCalls.model_validate(filled).steps == [
        PlannedStep(tool="remind", written=["text", "when"], repeats=True)
    ]
    assert fill_for_prompt(form, Prompt("What is staking?")) == {"steps": []}
    listed = ({"name": "create_task", "parameters": {}},)
    (step,) = fill_for_prompt(form, Prompt("Add the tea to my list", tools=listed))["steps"]
    assert step["given"] == [{"argument": "title", "value": "tea"}]
    assert fill_for_prompt(form, Prompt("Add the tea to my list")) == {"steps": []}


def test_fill_for_prompt_keeps_to_the_enum() -> None:
    """An intent that the schema does not know gives way to its first."""
    schema = obj(intent={"enum": ["other"]}, plan=STRING)
    assert fill_for_prompt(schema, Prompt("hello"))["intent"] == "other"


def test_fill_for_prompt_sees_the_image() -> None:
    """The vision schema holds what the pixels say, and a warning."""
    schema = obj(summary=STRING, entities=STRINGS, tables=STRINGS, warnings=STRINGS)
    seen = fill_for_prompt(schema, Prompt("", images=(pictures.halves(),)))
    assert seen["entities"][:2] == ["orange", "navy"]
    assert seen["tables"] == []
    assert "pixels" in seen["warnings"][0]


def test_fill_for_prompt_remembers_as_texts_or_objects() -> None:
    """Memory items take the shape that the schema asks for."""
    item = obj(key=STRING, value=STRING, confidence={"type": "number"})
    schema = obj(
        facts={"type": "array", "items": {"$ref": "#/$defs/Item"}},
        preferences=STRINGS,
        tasks=STRINGS,
        retract=STRINGS,
    )
    schema["$defs"] = {"Item": item}
    told = Prompt("I moved to Rome.", memory=("Lives in Oslo",))
    assert fill_for_prompt(schema, told) == {
        "facts": [{"key": "residence", "value": "Lives in Rome", "confidence": 0.0}],
        "preferences": [],
        "tasks": [],
        "retract": ["Lives in Oslo"],
    }


def test_fill_gives_plain_defaults_for_unknown_schemas() -> None:
    """Enums give their first, defaults are kept, null where it may be, and types their zero."""
    schema = obj(
        colour={"enum": ["red", "blue"]},
        size={"type": "integer", "minimum": 3},
        flag={"type": "boolean"},
        note={"anyOf": [STRING, {"type": "null"}]},
        kept={"type": "string", "default": "yes"},
        inner=obj(text=STRING),
    )
    assert fill(schema, {}) == {
        "colour": "red",
        "size": 3,
        "flag": False,
        "note": None,
        "kept": "yes",
        "inner": {"text": ""},
    }


def test_strictness_fault_names_what_openai_would_refuse() -> None:
    """Open objects and optional properties are refused under strict, also inside."""
    assert strictness_fault(obj(inner=obj(text=STRING))) is None
    assert "additionalProperties" in str(strictness_fault(obj(inner={"type": "object"})))
    optional = obj(text=STRING) | {"required": []}
    assert "'text'" in str(strictness_fault(obj(items={"type": "array", "items": optional})))


def test_fill_for_prompt_folds_the_conversation() -> None:
    """A summary without an image is one of the conversation."""
    turns = (Turn("user", "I have a cat."), Turn("assistant", "Noted."))
    assert fill_for_prompt(obj(summary=STRING), Prompt("", turns=turns)) == {
        "summary": "Said: I have a cat."
    }


def test_fill_for_prompt_says_what_each_item_does() -> None:
    """Items with an action: what replaces, what is dated, and what no longer holds."""
    action = {"enum": ["add", "replace", "remove"]}
    number = {"type": "integer"}
    item = obj(topic=STRING, text=STRING, about=STRING, action=action, number=number, due=STRING)
    items = {"type": "array", "items": item}
    schema = obj(facts=items, preferences=items, tasks=items)
    today = "Today is Thursday, 2026-01-01."
    entries = (Entry(1, "facts", "Lives in Oslo"), Entry(2, "tasks", "Buy the ticket"))

    def remembered(text: str, kind: str) -> list[tuple[str, ...]]:
        filled = fill_for_prompt(schema, Prompt(text, instructions=today, entries=entries))
        names = ("text", "action", "number", "due")
        return [tuple(str(one[name]) for name in names) for one in filled[kind]]

    assert remembered("I moved to Rome.", "facts") == [("Lives in Rome", "replace", "1", "")]
    assert remembered("I've bought the ticket.", "tasks") == [("Buy the ticket", "remove", "2", "")]
    due = ("Pay tomorrow", "add", "0", "2026-01-02")
    assert remembered("I need to pay tomorrow", "tasks") == [due]


def test_fill_for_prompt_acts_when_asked_to() -> None:
    """A message that begins or ends like a request to act; its plan is direct."""
    schema = obj(intent=STRING, plan=STRING, action={"type": "boolean"})
    tools = "and one of these tools does it: create_task, delete_task, remind. Telling"
    told = f"`action` is true if the message asks to do something, {tools}"
    for text in ("Remind me to buy milk", "Delete the task 3", "牛乳を買うタスクを追加して"):
        filled = fill_for_prompt(schema, Prompt(text, instructions=told))
        assert (filled["plan"], filled["action"]) == ("direct", True)
    assert fill_for_prompt(schema, Prompt("What is a wallet?"))["action"] is False
