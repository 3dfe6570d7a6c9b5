"""Answers without passages: from memory, earlier messages and picture summaries."""

import re
from collections.abc import Sequence

from rich_agent_sandbox.model.answering.preferences import in_japanese, language_wanted
from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import clip, content_terms, content_words, normalise
from rich_agent_sandbox.model.memory.learning import tells_about_user, update_memory
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.vision.image_questions import is_seen, unseen
from rich_agent_sandbox.model.vision.image_summary import ImageSummary, told_by

_FIRST_PERSON = re.compile(
    r"\b(?:i|my|me|mine|we|our|ich|mein\w{0,2}|mir|mich|mi|mis"
    r"|yo|vivo|soy|tengo|je|mon|ma|mes)\b|私|わたし|僕|俺|自分|我"
)
_WHERE_AT_HOME = re.compile(r"どこに住んで")
_ASKED_FIRST = re.compile(
    r"\bfirst\b.*\b(?:i|my)\b|\b(?:i|my)\b.*\bfirst\b|(?:最初|はじめ|初め)に.*(?:聞|質問|言)"
)
_ASKED_LAST = re.compile(
    r"\b(?:what|which|repeat)\b.*\b(?:i|my)\b.*\b(?:last|before|previous|previously|just)\b"
    r"|さっき|直前"
)
_EVERYTHING = re.compile(
    r"\babout me\b|\bwho am i\b|\b(?:what|do) .*\byou remember\b|私について|何を覚えて"
)
_TASK = "To do: "
_UNDATED = re.compile(r" \(due [\d-]+\)$")
_TASKS = re.compile(
    r"\b(?:tasks?|to-?dos?|to-do list)\b|\bi (?:need|have) to do\b|タスク|やること|予定"
)
# Memories are mostly in English words.
_KEPT_AS = {
    "名前": "name", "住んで": "lives", "仕事": "works", "好き": "likes", "好み": "likes",
    "heiße ich": "name", "wohne": "lives", "allergisch": "allergic", "vivo": "lives",
    "me llamo": "name", "alérgic": "allergic", "住在": "lives", "过敏": "allergic",
}  # fmt: skip
_HAIKU = re.compile(r"\b(?:haiku|poem|gedicht|poema|poème|poesia)\b|俳句|詩を")
_SUBJECT = re.compile(r"\babout (?!last|yesterday)|\bmention|について|の話")
_MOST_LINES = 3
_LONGEST_LINE = 300  # characters


def from_first_messages(prompt: Prompt) -> str:
    """The first or last thing that the user said, if asked for, else ""."""
    question = normalise(prompt.question)
    told = [*(turn.asked for turn in prompt.past_turns), *_user_lines(prompt)]
    if tells_about_user(question):
        return ""
    if not (_ASKED_FIRST.search(question) or _ASKED_LAST.search(question)):
        return ""
    if not told:
        first = "これが最初のメッセージです。"
        return first if in_japanese(prompt) else "This is the first message that I have from you."
    if asked := _dated(prompt):
        return asked
    line = clip(told[0] if _ASKED_FIRST.search(question) else told[-1], _LONGEST_LINE)
    which = "first" if _ASKED_FIRST.search(question) else "last"
    if in_japanese(prompt):
        return f"あなたの{'最初' if which == 'first' else '直前'}の発言はこうでした：「{line}」"
    return f"The {which} thing I have from you is: “{line}”"


def from_the_past(prompt: Prompt) -> str:
    """The given earlier turns with their dates: all of them, or the ones that fit best."""
    question = normalise(prompt.question)
    if not prompt.past_turns:
        return ""
    terms = set(content_terms(question))
    given = prompt.past_turns
    shared = [len(terms & set(content_terms(turn.asked + turn.answered))) for turn in given]
    lines = [
        f"{turn.date}: “{clip(turn.asked, _LONGEST_LINE)}”"
        for turn, count in zip(given, shared, strict=True)
        if count == max(shared) or not _SUBJECT.search(question)
    ]
    japanese = in_japanese(prompt)
    frame = "以前の会話から：" if japanese else "From our earlier conversation:"
    return "\n".join([frame, "", *(f"- {line}" for line in lines)])


def from_memory(prompt: Prompt) -> str:
    """Lines of memory, else of the conversation, that fit a question about the user."""
    question = normalise(prompt.question)
    if tells_about_user(prompt.question):
        return ""
    if not _FIRST_PERSON.search(question) and not _WHERE_AT_HOME.search(question):
        return ""
    known = [*prompt.preferences, *prompt.memory]
    if _EVERYTHING.search(question):
        return _recalled(prompt, known) or _nothing_known(prompt)
    if _TASKS.search(question):
        tasks = [line.removeprefix(_TASK) for line in known if line.startswith(_TASK)]
        return _recalled(prompt, tasks) or _nothing_known(prompt)
    summed_up = prompt.conversation_summary.splitlines()
    said = [line for line in summed_up if not line.startswith("Asked: ")]
    past = [turn.asked for turn in prompt.past_turns]
    # Messages may be outdated, unlike memories.
    return _on_that(prompt, known) or _on_that(prompt, [*said, *past, *_statements(prompt)])


def _on_that(prompt: Prompt, lines: Sequence[str]) -> str:
    asked = prompt.question
    kept_as = " ".join(english for japanese, english in _KEPT_AS.items() if japanese in asked)
    terms = set(content_terms(f"{asked} {kept_as}"))
    shared = [(len(terms & set(content_terms(line))), line) for line in lines]
    most = max((count for count, _ in shared), default=0)
    return _recalled(prompt, [line for count, line in shared if 0 < count == most])


def _nothing_known(prompt: Prompt) -> str:
    if in_japanese(prompt):
        return "それについては、まだ何も伺っていません。"
    return "You have told me nothing on that yet."


def from_image_summaries(prompt: Prompt) -> str:
    """The picture summaries, unless passages are wanted and no picture is meant."""
    question = prompt.question
    leans = phrases.points_back(question) or phrases.about_image(question)
    if not prompt.image_summaries or (prompt.passages and not leans):
        return ""
    told = "\n\n".join(_told_of(summary, prompt) for summary in prompt.image_summaries)
    return f"{told} [{prompt.image_number}]" if prompt.image_number else told


def from_image_answers(prompt: Prompt) -> str:
    """The result of a further look at the pictures."""
    told = "\n\n".join(prompt.image_answers)
    return f"{told} [{prompt.image_number}]" if told and prompt.image_number else told


def acknowledge(prompt: Prompt) -> str:
    """A confirmation of what a message says about the user, or of a task that was done."""
    japanese = in_japanese(prompt)
    tasks = [line.removeprefix(_TASK) for line in prompt.memory if line.startswith(_TASK)]
    labelled = [f"[tasks/task] {_UNDATED.sub('', task)}" for task in tasks]
    known = update_memory(prompt.question, labelled)
    if done := [line.removeprefix("[tasks/task] ") for line in known.retracted]:
        told = "; ".join(done)
        return f"完了しました：{told}" if japanese else f"Good, that is done: {told}."
    if not tells_about_user(prompt.question):
        return ""
    told = "; ".join(item.text for item in known.remembered)
    return f"{say('understood', language_wanted(prompt))}{told}{'' if japanese else '.'}"


def haiku(prompt: Prompt) -> str:
    """Three lines about the topic, which say who wrote them."""
    if not _HAIKU.search(normalise(prompt.question)):
        return ""
    if in_japanese(prompt):
        return "言葉だけ\n数えて並ぶ\n代役は"
    topic = [
        word
        for word in content_words(prompt.question)
        if word not in ("write", "haiku", "please", "compose", "poem", "short")
        and "俳句" not in word
    ]
    subject = " ".join(topic[:3]) or "a blank page"
    title = subject[:1].upper() + subject[1:]
    return f"{title}:\nI have only these few words,\na stand-in counts them."


def _recalled(prompt: Prompt, lines: list[str]) -> str:
    kept = [clip(line.strip(), _LONGEST_LINE) for line in dict.fromkeys(lines) if line.strip()]
    if not kept:
        return ""
    frame = say("recalled", language_wanted(prompt))
    shown = kept if _EVERYTHING.search(normalise(prompt.question)) else kept[-_MOST_LINES:]
    return "\n".join([frame, "", *(f"- {line}" for line in shown)])


def _statements(prompt: Prompt) -> list[str]:
    return [text for text in prompt.earlier_questions if not text.rstrip().endswith(("?", "？"))]


def _user_lines(prompt: Prompt) -> list[str]:
    """Earlier messages as far as known, oldest first: passages of conversation, summary, turns."""
    archived = [
        line
        for passage in prompt.passages
        if passage.kind == "conversation"
        for line in passage.text.splitlines()
    ]
    folded = prompt.conversation_summary.splitlines()
    return [line for line in [*archived, *folded, *prompt.earlier_questions] if line.strip()]


def _dated(prompt: Prompt) -> str:
    """The first of the given earlier turns with its date, if the first is meant."""
    if not prompt.past_turns or not _ASKED_FIRST.search(normalise(prompt.question)):
        return ""
    first = prompt.past_turns[0]
    line = clip(first.asked, _LONGEST_LINE)
    if in_japanese(prompt):
        return f"最初の発言は{first.date}で、こうでした：「{line}」"
    return f"The first thing I have from you is of {first.date}: “{line}”"


def _told_of(text: str, prompt: Prompt) -> str:
    """Tell what a picture shows: the table cell that is asked for, else the whole summary."""
    told, language = ImageSummary.read(text).told, language_wanted(prompt)
    cell = told_by(text, prompt.question)
    if cell or is_seen(prompt.question, told):
        return say("picture", language) + (cell or told)
    return unseen(told, language)
