"""Folds a conversation into lines: who said what, shortened, statements before questions."""

import re
from collections.abc import Sequence

from rich_agent_sandbox.model.answering.prose import Sentence, quotable_sentences
from rich_agent_sandbox.model.answering.quoting import LONGEST_QUOTE, MOST_QUOTES, Quote
from rich_agent_sandbox.model.language.text import clip
from rich_agent_sandbox.model.prompt import Passage, Prompt, Turn

_ASKED = re.compile(
    r"^\W*(?:you (?:will )?|your (?:task|job) is to |please )?"
    r"(?:summari[sz]e|condense|fold|compact)\b[^.]*"
    r"\b(?:conversation|dialogue|chat|turns|messages|exchange)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SPOKEN = re.compile(r"^(user|assistant|human|bot|ai)\s*:\s*(.+)", re.IGNORECASE)
_LONGEST_LINE = 160  # characters
_MOST_LINES = 60
_MOST_BEGINNINGS = 8
_MOST_WORDS = 1_200
_PLACE = re.compile(r"^\[([^\[\]\n]{1,80})\]$", re.MULTILINE)
_SENTENCE = re.compile(r"[^\s#|](?:[^.!?。\n]|[.!?](?=\S)){10,300}(?:[.!?](?=\s|$)|。)")
_LIMIT = re.compile(r"\bat most (\d+) words\b", re.IGNORECASE)


def asks_for_summary(prompt: Prompt) -> bool:
    """Whether the instructions ask to summarise the conversation."""
    return bool(_ASKED.search(prompt.instructions)) and not prompt.passages


def summarise(prompt: Prompt) -> str:
    """The summary so far and a line for each thing the user said since, oldest first.

    At most 60 lines, and no more words than the instructions allow. The oldest questions are
    dropped first, statements about the user last.
    """
    lines = [line for line in prompt.conversation_summary.splitlines() if line.strip()]
    lines += [_line(turn.text) for turn in _spoken(prompt) if turn.role == "user"]
    distinct = list(dict.fromkeys(lines))
    while len(distinct) > _MOST_LINES or _words_in(distinct) > _most_words(prompt):
        questions = [line for line in distinct if line.startswith("Asked: ")]
        distinct.remove(questions[min(1, len(questions) - 1)] if questions else distinct[0])
    return "\n".join(distinct)


def notes_on(prompt: Prompt) -> str:
    """The first sentence below each place in a part of a file, with the place.

    While these are more words than the instructions allow, every second is left out.
    """
    pieces = _PLACE.split(prompt.file_text)
    told = [
        f"- {found[0].strip()} [{place}]"
        for place, body in zip(pieces[1::2], pieces[2::2], strict=True)
        if (found := _SENTENCE.search(body))
    ]
    while len(told) > 1 and _words_in(told) > _most_words(prompt):
        told = told[::2]
    return "\n".join(told) or clip(prompt.file_text, 300)


def beginnings(passages: Sequence[Passage]) -> list[Quote]:
    """The first sentences of the first passages, as of a text that is to be summarised."""
    most = max(1, MOST_QUOTES // max(1, len(passages)))
    sentences_by_passage = [
        (one.number, sorted(quotable_sentences(one.text, one.section), key=_is_fragment)[:most])
        for one in passages[:_MOST_BEGINNINGS]
    ]
    return [
        Quote(number, clip(sentence.text, LONGEST_QUOTE), sentence.form in ("item", "row"))
        for number, quotable in sentences_by_passage
        for sentence in quotable
    ]


def _is_fragment(sentence: Sentence) -> bool:
    return sentence.form == "fragment"


def _most_words(prompt: Prompt) -> int:
    limit = _LIMIT.search(prompt.instructions)
    return int(limit[1]) if limit else _MOST_WORDS


def _words_in(lines: list[str]) -> int:
    return sum(len(line.split()) for line in lines)


def _line(text: str) -> str:
    told = clip(" ".join(text.split()), _LONGEST_LINE)
    return f"{'Asked' if told.endswith(('?', '？')) else 'Said'}: {told}"


def _spoken(prompt: Prompt) -> list[Turn]:
    """The turns given as messages, and the ones quoted in the last message."""
    written = [match for line in prompt.question.splitlines() if (match := _SPOKEN.match(line))]
    roles = {"human": "user", "bot": "assistant", "ai": "assistant"}
    told = [Turn(roles.get(match[1].lower(), match[1].lower()), match[2]) for match in written]
    past = [
        Turn(role, text)
        for turn in prompt.past_turns
        for role, text in (("user", turn.asked), ("assistant", turn.answered))
    ]
    return [*past, *prompt.turns, *told]
