"""Reads conversations in the file format of LoCoMo; the data are not part of this repository.

Source: Maharana et al., Evaluating very long-term conversational memory of LLM agents, 2024.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.memory.talks import Asked, Conversation, Kind, Said

_KINDS: Mapping[int, Kind] = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single"}
_TURN = re.compile(r"D\d+:\d+")
_WHEN = "%I:%M %p on %d %B, %Y"


def read(file: Path) -> list[Conversation]:
    """The conversations of a file, each utterance a turn; questions without evidence are left out.

    Adversarial questions (category 5) are left out too: their evidence is about somebody else.
    """
    return [_conversation(one) for one in json.loads(file.read_text("utf-8"))]


def _conversation(sample: Mapping[str, Any]) -> Conversation:
    talk = sample["conversation"]
    numbers = sorted(
        int(found[1])
        for key in talk
        if (found := re.fullmatch(r"session_(\d+)", key)) and talk[key]
    )
    turns: list[Said] = []
    places: dict[str, int] = {}
    for number in numbers:
        began = datetime.strptime(talk[f"session_{number}_date_time"], _WHEN).replace(tzinfo=UTC)
        for minute, said in enumerate(talk[f"session_{number}"]):
            places[said["dia_id"]] = len(turns)
            turns.append(Said(_text(said), "", began + timedelta(minutes=minute)))
    return Conversation(
        "english", turns, list(filter(None, (_asked(q, places) for q in sample["qa"])))
    )


def _text(said: Mapping[str, Any]) -> str:
    """An utterance, with the caption of its picture."""
    shown = f" [{said['blip_caption']}]" if said.get("blip_caption") else ""
    return f"{said['speaker']}: {said['text']}{shown}"


def _asked(question: Mapping[str, Any], places: Mapping[str, int]) -> Asked | None:
    named = _TURN.findall(" ".join(question.get("evidence", ())))
    evidence = frozenset(places[one] for one in named if one in places)
    kind = _KINDS.get(question["category"])
    return Asked(kind, question["question"], evidence) if kind and evidence else None
