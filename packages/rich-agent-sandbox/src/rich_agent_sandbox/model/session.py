"""Leads a guided session: asks, proposes, stores the result that was agreed on, and closes it.

A session is recognized by the offered tools. Every step depends only on the conversation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.small_talk import kind_of, say, wordings
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import FunctionSpec
from rich_agent_sandbox.model.results import in_words, is_failure
from rich_agent_sandbox.model.turns import Intended

_END, _SAVE, _LOOK, _BLOCK = (
    "complete_ceremony",
    "save_ceremony_output",
    "get_tasks",
    "create_schedule_block",
)
_DAY_BEGINS, _LAST_HOUR = 9 * 60, 24 * 60
_USUAL_MIN = 60
_MOST_ITEMS = 8
_MOST_WORDS_OF_AN_ITEM = 3  # without a time; a sentence is no list
_BETWEEN = re.compile(r"[,;、،，\n]| (?:and|und|y|et|e|en|i|и|ve|और) ")
_HOURS = (
    r"h|hours?|std\.?|stunden?|horas?|heures?|ore|ora|uur|час\w*|saat|घंटे|घंटा|時間|小时|小時|시간"
)
_MINUTES = r"min\.?|minut\w*|мин\w*|dakika|मिनट|分鐘|分钟|分|분"
_LENGTH = re.compile(rf"(\d+(?:[.,]\d+)?)\s*(?:({_HOURS})|(?:{_MINUTES}))(?!\w)", re.IGNORECASE)
_SPELT = {"ساعتان": 120, "ساعتين": 120, "ساعة": 60, "两小时": 120, "一小时": 60, "兩小時": 120}
_PROPOSED = re.compile(r"(\d\d):(\d\d)–(\d\d):(\d\d) (.+)")
_FROM = re.compile(r"\D*(\d{1,2})(?::00)?\D+(\d{1,2})(?::00)?\D*")


@dataclass(frozen=True, slots=True)
class _Block:
    """A part of the day, in minutes after midnight."""

    start: int
    minutes: int
    title: str

    @property
    def line(self) -> str:
        ends = self.start + self.minutes
        return f"- {_clock(self.start)}–{_clock(ends)} {self.title}"


def is_led(offered: Sequence[FunctionSpec]) -> bool:
    """Whether these tools are those of a guided session."""
    return _END in {spec.name for spec in offered}


def next_step(prompt: Prompt, offered: Sequence[FunctionSpec]) -> list[Intended] | str:
    """The calls to make now, or the text for the user."""
    names = {spec.name for spec in offered}
    done = {act.name for act in prompt.acts if not is_failure(act)}
    return _calls(prompt, names, done) or _words(prompt, names, done)


def _calls(prompt: Prompt, names: set[str], done: set[str]) -> list[Intended]:
    """The calls to get the tasks first, then to store the agreed result, then to close it."""
    if _END in done:
        return []
    answer = prompt.answer_to_it or prompt.question
    is_agreed = kind_of(answer) == "agreement" and bool(_said_before(prompt))
    if _BLOCK in done or (is_agreed and _BLOCK not in names):
        return _closing(prompt)
    if is_agreed and (blocks := _proposed(prompt)):
        day = prompt.today.isoformat() if prompt.today else ""
        return [Intended(_BLOCK, _arguments(block, day)) for block in blocks]
    needs_tasks = _LOOK in names and not done and not _said_before(prompt)
    return [Intended(_LOOK, {})] if needs_tasks else []


def _words(prompt: Prompt, names: set[str], done: set[str]) -> str:
    language = language_wanted(prompt)
    if _END in done:
        return say("session_done", language)
    answer = prompt.answer_to_it or prompt.question
    if _BLOCK in names:
        return _plan(replace(prompt, question=answer), language)
    if not _said_before(prompt):
        return _with_tasks("session_listen", prompt, language)
    return say("session_noted", language, told=answer.strip())


def _plan(prompt: Prompt, language: str) -> str:
    """The proposal for a message, else the question about the user's plans."""
    items = _items(prompt.question)
    hours = None if items else _FROM.fullmatch(prompt.question)
    if hours:
        items = [(block.title, block.minutes) for block in _proposed(prompt)]
    if not items:
        excuse = [say("fallback", language)] if _said_before(prompt) else []
        return "\n\n".join([*excuse, _with_tasks("session_plan", prompt, language)])
    start = int(hours[1]) * 60 if hours and int(hours[1]) < 24 else _DAY_BEGINS
    lines = []
    for title, minutes in items[:_MOST_ITEMS]:
        if start + minutes <= _LAST_HOUR:
            lines.append(_Block(start, minutes, title).line)
        start += minutes
    return "\n".join([say("session_propose", language), "", *lines])


def _items(text: str) -> list[tuple[str, int]]:
    """The titles and minutes in a message; [] if it has neither a time nor a list."""
    parts = [part.strip() for part in _BETWEEN.split(text) if part.strip()]
    items, is_timed = [], False
    for part in parts:
        match = _LENGTH.search(part)
        spelt_length = next((word for word in _SPELT if word in part), "")
        if match:
            minutes = float(match[1].replace(",", ".")) * (60 if match[2] else 1)
            title = part.replace(match[0], " ")
        else:
            minutes, title = _SPELT.get(spelt_length, _USUAL_MIN), part.removesuffix(spelt_length)
        is_timed = is_timed or bool(match or spelt_length)
        items.append((" ".join(title.split()).strip(" .:："), round(minutes)))
    named_items = [(title, minutes) for title, minutes in items if any(map(str.isalpha, title))]
    is_list = len(named_items) > 1 and all(
        len(title.split()) <= _MOST_WORDS_OF_AN_ITEM for title, _ in named_items
    )
    return named_items if is_timed or is_list else []


def _with_tasks(kind: str, prompt: Prompt, language: str) -> str:
    tasks = [in_words(act) for act in prompt.acts if act.name == _LOOK]
    task_lists = [text for text in tasks if text.lstrip().startswith("-")]
    return "\n\n".join([*task_lists, say(kind, language)])


def _said_before(prompt: Prompt) -> list[str]:
    """The bot's own messages of this session, which begins with a certain text."""
    opening_texts = {line for kind in ("session_plan", "session_listen") for line in wordings(kind)}
    answers = [turn.text for turn in prompt.turns if turn.role == "assistant"]
    first_index = next(
        (
            index
            for index, text in enumerate(answers)
            if any(opening_text in text for opening_text in opening_texts)
        ),
        None,
    )
    return answers[first_index:] if first_index is not None else []


def _proposed(prompt: Prompt) -> list[_Block]:
    """The blocks of the newest proposal."""
    for text in reversed(_said_before(prompt)):
        if matches := _PROPOSED.findall(text):
            times = [[int(part) for part in match[:4]] for match in matches]
            return [
                _Block(
                    hour * 60 + minute,
                    (end_hour - hour) * 60 + end_minute - minute,
                    match[4].strip(),
                )
                for match, (hour, minute, end_hour, end_minute) in zip(matches, times, strict=True)
            ]
    return []


def _closing(prompt: Prompt) -> list[Intended]:
    """The calls that store the result of the session and end it."""
    if blocks := _proposed(prompt):
        day = prompt.today.isoformat() if prompt.today else ""
        data = {"date": day, "blocks": [_arguments(block) for block in blocks]}
        return [Intended(_SAVE, {"output_type": "schedule", "data": data}), Intended(_END, {})]
    user_messages = [text for text in prompt.earlier_questions[-_MOST_ITEMS:] if not kind_of(text)]
    save_call = Intended(
        _SAVE, {"output_type": "summary", "data": user_messages[1:] or user_messages}
    )
    return [save_call, Intended(_END, {})]


def _arguments(block: _Block, day: str = "") -> dict[str, object]:
    time_fields = {"start_time": _clock(block.start), "duration_minutes": block.minutes}
    return {**({"date": day} if day else {}), **time_fields, "title": block.title}


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
