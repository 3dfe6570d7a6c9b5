"""Interrupts of AG-UI: the questions for which a run waits, and their answers.

Each call that waits for approval is an interrupt. All interrupts of a run are answered together:
the approved calls are made.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich_agent.feature.runs import DECISIONS, Run, RunAsked, cards_of_question, question_markdown
from rich_agent.features.web_chat.agui.requests import Resumption, refused_input

Wire = dict[str, Any]
"""A JSON object in its form on the wire."""
_QUESTION = "question"
_ANY_OBJECT: Mapping[str, Any] = {"type": "object"}


def interrupts_of(run_id: str, question: Mapping[str, Any], base: str) -> list[Wire]:
    """The interrupts of a run, at least one, from the data of its event `question`.

    `base` precedes the ids of calls on the wire.
    """
    return [
        _with_binding({"id": f"{run_id}:{part}", **details, **_expiry(question)}, run_id)
        for part, details in _parts(question, base)
    ]


def answer_to(run: Run, question: Mapping[str, Any], resume: Sequence[Resumption]) -> RunAsked:
    """The request that answers a run's interrupts. Raises: RequestRefusedError."""
    answer_by_call_id = {
        answer.interrupt_id.removeprefix(f"{run.run_id}:"): answer for answer in resume
    }
    part_ids = {part for part, _ in _parts(question, "")}
    if answer_by_call_id.keys() != part_ids or len(resume) != len(part_ids):
        raise refused_input("resume has to answer every open interrupt once, and no other.")
    request_id, approves = question["request_id"], question["approves"]
    if not approves:
        if resume[0].status == "cancelled":
            return RunAsked("", answers=request_id, decision="cancelled")
        return RunAsked(_words_of(resume[0].payload), answers=request_id)
    approved_parts = {part for part, answer in answer_by_call_id.items() if _is_approved(answer)}
    if not approved_parts:
        return RunAsked("", answers=request_id, decision="cancelled", approves=approves)
    edits = {
        part: _edits_of(answer) if part in approved_parts else None
        for part, answer in answer_by_call_id.items()
    }
    is_lasting = any(
        answer.payload.get("always")
        for part, answer in answer_by_call_id.items()
        if part in approved_parts
    )
    if is_lasting and (not _may_last(question) or any(edits.values())):
        raise refused_input("This call cannot be permitted for good; approve it without `always`.")
    return RunAsked(
        "",
        answers=request_id,
        decision="always" if is_lasting else "approved",
        approves=approves,
        edits={p: edit for p, edit in edits.items() if edit is not None or p not in approved_parts},
    )


def interrupted_run(resume: Sequence[Resumption]) -> str:
    """The id of the run whose interrupts are answered."""
    return resume[0].interrupt_id.rpartition(":")[0] if resume else ""


def _parts(question: Mapping[str, Any], base: str) -> Iterator[tuple[str, Wire]]:
    if not question["approves"]:
        choices = question["choices"]
        schema = {"type": "string", **({"enum": list(choices)} if choices else {})}
        yield (
            _QUESTION,
            {
                "reason": "input_required",
                "message": question_markdown(question, ()),
                "responseSchema": schema,
            },
        )
        return
    card_by_call_id = {card.call_id: card for card in cards_of_question(question)}
    for call in question["calls"]:
        card = card_by_call_id[call["id"]]
        card_data = {"question": question_markdown(question, ()), **card.to_state()}
        yield (
            call["id"],
            {
                "reason": "tool_call",
                "message": question_markdown(question, [card]),
                "toolCallId": f"{base}{call['id']}",
                "responseSchema": _approval_schema(
                    call.get("parameters", _ANY_OBJECT), may_last=_may_last(question)
                ),
                "metadata": {
                    "toolName": call["name"],
                    "arguments": _in_order(call),
                    "card": card_data,
                },
            },
        )


def _in_order(call: Mapping[str, Any]) -> Wire:
    """The arguments of a call in the order of its card."""
    arguments: Mapping[str, Any] = call["arguments"]
    return {name: arguments[name] for name in call.get("order", arguments)}


def _may_last(question: Mapping[str, Any]) -> bool:
    """Whether the call may be permitted for good."""
    return len(question["choices"]) == len(DECISIONS)


def _approval_schema(parameters: Mapping[str, Any], *, may_last: bool) -> Wire:
    # References within a schema start at its root.
    arguments_schema = {key: value for key, value in parameters.items() if key != "$defs"}
    definitions = {"$defs": parameters["$defs"]} if "$defs" in parameters else {}
    return {
        "type": "object",
        "properties": {
            "approved": {"type": "boolean"},
            **({"always": {"type": "boolean"}} if may_last else {}),
            "editedArgs": arguments_schema,
        },
        "required": ["approved"],
        **definitions,
    }


def _expiry(question: Mapping[str, Any]) -> Wire:
    return {"expiresAt": question["expires_at"]} if question.get("expires_at") else {}


def _with_binding(interrupt: Wire, run_id: str) -> Wire:
    """The interrupt with the fields for which TanStack's client shows buttons.

    Source: @tanstack/ai, interrupt-resume.
    """
    binding = {
        "v": 1,
        "kind": "generic",
        "interruptId": interrupt["id"],
        "interruptedRunId": run_id,
        "generation": 0,
        "responseSchemaHash": f"sha256:{_digest(interrupt['responseSchema'])}",
    }
    metadata = interrupt.get("metadata", {})
    return {**interrupt, "metadata": {**metadata, "tanstack:interruptBinding": binding}}


def _digest(value: Mapping[str, Any]) -> str:
    canonical = json.dumps(
        _as_javascript(value), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(canonical.encode()).hexdigest()


def _as_javascript(value: Any) -> Any:  # noqa: ANN401 - JSON
    """The value with whole numbers in JavaScript's form: 1 for 1.0."""
    if isinstance(value, Mapping):
        return {key: _as_javascript(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_javascript(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_approved(answer: Resumption) -> bool:
    payload = answer.payload
    if answer.status == "cancelled":
        return False
    if isinstance(payload, Mapping) and isinstance(payload.get("always", False), bool):
        decision = payload.get("approved")
        if isinstance(decision, bool):
            return decision
    form = '{"approved": true | false, "always"?, "editedArgs"?}'
    raise refused_input(f"The payload of an approval is {form}.")


def _edits_of(answer: Resumption) -> dict[str, Any] | None:
    edits = answer.payload.get("editedArgs") if isinstance(answer.payload, Mapping) else None
    if edits is not None and not isinstance(edits, dict):
        raise refused_input("editedArgs is no JSON object.")
    return edits


def _words_of(payload: Any) -> str:  # noqa: ANN401 - JSON
    """The answer to a question, which is a text, or an object with a text."""
    if isinstance(payload, Mapping):
        payload = next((payload[key] for key in ("text", "choice") if key in payload), None)
    if isinstance(payload, str) and payload.strip():
        return payload
    raise refused_input("The payload of an answer is a text.")
