"""The conversations of the benchmark of memory: the same for a seed, and in LoCoMo's format."""

import json
from pathlib import Path

import pytest

from bench.memory.locomo import read
from bench.memory.talks import LANGUAGES, make


@pytest.mark.parametrize("language", LANGUAGES)
def test_conversation_is_the_same_for_a_seed(language: str) -> None:
    """Each question has its evidence, unless nobody said it; nothing is left unfilled."""
    made = make(language, 1)
    assert made == make(language, 1)
    assert made.turns != make(language, 2).turns
    assert [turn.at for turn in made.turns] == sorted(turn.at for turn in made.turns)
    for asked in made.questions:
        assert bool(asked.evidence) == (asked.kind not in {"unsaid", "strange"})
        assert len(asked.evidence) == 2 or asked.kind != "multi-hop"
    texts = [text for turn in made.turns for text in (turn.question, turn.answer)]
    assert not any("{" in text for text in (*texts, *(one.text for one in made.questions)))


def test_evidence_of_an_update_is_the_newer_turn() -> None:
    """The older one is named apart."""
    made = make("english", 3)
    updates = [one for one in made.questions if one.kind == "update"]
    assert len(updates) == len(made.changes) > 0
    assert all(one.outdated is not None and one.outdated < min(one.evidence) for one in updates)


def test_locomo_file_is_read(tmp_path: Path) -> None:
    """Each utterance is a turn; questions without evidence, and adversarial ones, are left out."""
    said = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a cat."},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a grey cat"},
    ]
    sample = {
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": said,
            "session_2_date_time": "9:00 am on 9 May, 2023",
        },
        "qa": [
            {"question": "What pet?", "answer": "a cat", "evidence": ["D1:1; D1:2"], "category": 1},
            {"question": "Why?", "evidence": [], "category": 4},
            {"question": "Who?", "evidence": ["D1:1"], "category": 5},
        ],
    }
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([sample]))
    (found,) = read(file)
    assert [turn.question for turn in found.turns] == [
        "Ann: I adopted a cat.",
        "Bo: Look! [a grey cat]",
    ]
    assert found.turns[0].at.isoformat() == "2023-05-08T13:56:00+00:00"
    (asked,) = found.questions
    assert (asked.kind, asked.evidence) == ("multi-hop", frozenset({0, 1}))
