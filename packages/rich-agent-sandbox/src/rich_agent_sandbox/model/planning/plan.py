"""Plans an answer by rules: the intent, the sources, and the search queries."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rich_agent_sandbox.model.answering.listing import asks_for_list, subject_of
from rich_agent_sandbox.model.answering.small_talk import has_context, kind_of, worked_out
from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import (
    STOP_WORDS,
    cjk_runs,
    content_words,
    normalise,
    stem,
    words,
)
from rich_agent_sandbox.model.planning.search_queries import leans, searches, standalone_query
from rich_agent_sandbox.model.prompt import Domain, Prompt
from rich_agent_sandbox.model.turns import understand
from rich_agent_sandbox.model.vision.image_summary import told_by

_WORDS_OF_ANY_TOPIC = """
anything ask best chain close come concern description difference domain example examples explain
exchange fee fees find get give go good happen happens help high keep know long look low make
market mean means need open order people phrase phrases position put question questions rate
related risk risks see send set short show start stop take tell thing things think time topic
topics try understand use used user users using want way well work works
"""
_MOST_OF_A_BARE_QUESTION = 1  # content words
_ORDINARY = frozenset(_WORDS_OF_ANY_TOPIC.split())


@dataclass(frozen=True, slots=True)
class Plan:
    """The intent, the plan, one sentence of reason, and a standalone query.

    `web`: whether the web may be searched: `never`, `if_needed`, or `now` for facts that change.
    `queries`: the queries for the parts of a compound question.
    """

    intent: str
    plan: str
    reason: str
    web: str
    query: str
    queries: tuple[str, ...] = ()


_Verdict = tuple[str, str, str]
_COMPUTED = frozenset({"clock", "today"})


def plan_answer(prompt: Prompt) -> Plan:
    """The plan of the first matching rule; else the documents are asked, if anything is asked."""
    for rule in _RULES:
        if verdict := rule(prompt):
            break
    else:
        verdict = _any_question(prompt.question)
    query, parts = searches(prompt)
    if asks_for_list(prompt.question):
        query = subject_of(prompt.question) or query
    return Plan(*verdict, _web_use(verdict, prompt.question), query, parts)


def _web_use(verdict: _Verdict, question: str) -> str:
    """Whether the web may be searched: only for a question that is not about this bot."""
    intent, plan, _ = verdict
    if "web" in plan:
        return "now"
    is_local = plan == "direct" or intent in {"about_this_bot", "docs_required"}
    is_local = is_local or phrases.in_first_person(question)
    return "if_needed" if not is_local and phrases.asks(question) else "never"


def _any_question(question: str) -> _Verdict:
    if phrases.asks(question):
        return "general_question", "rag", "No rule fits better: the registered documents are asked."
    return "general_question", "direct", "The message asks for nothing that documents hold."


def image_question(prompt: Prompt) -> str:
    """The question, if a listed turn needs pictures or if it refers to the last photo.

    "" otherwise, or without any picture.
    """
    needs_picture = "look" in understand(prompt.question).told
    if prompt.image_summaries or prompt.files_came:
        return prompt.question if needs_picture and prompt.image_summaries else ""
    user_turns = [turn for turn in prompt.turns if turn.role == "user"]
    if not any(turn.photos for turn in user_turns):
        return ""
    is_about_image = phrases.about_image(prompt.question)
    is_bare = leans(prompt.question) or _is_short(prompt.question)
    is_free = not (phrases.about_user(prompt.question) or kind_of(prompt.question))
    is_next = prompt.last_came == "photo" and is_bare and is_free
    return prompt.question if needs_picture or is_about_image or is_next else ""


def _is_short(question: str) -> bool:
    """Whether a question has no subject of its own: "which colours?"."""
    is_brief = len(content_words(question)) <= _MOST_OF_A_BARE_QUESTION
    return is_brief and not phrases.asks_for_definition(question)


def is_on_picture(prompt: Prompt) -> bool:
    """Whether the question came with a picture, and is about nothing else."""
    other_rules = (_about_user, _about_bot, _domain, _documents)
    return bool(prompt.image_summaries) and not any(rule(prompt) for rule in other_rules)


def _about_last(prompt: Prompt) -> _Verdict | None:
    if prompt.manner == "stop":
        return "smalltalk_or_short", "direct", "The user has had enough of it."
    if prompt.manner and _has_been_looked_up(prompt):
        return "general_question", "rag", "The message comes back to the last question."
    return None


def _has_been_looked_up(prompt: Prompt) -> bool:
    """Whether the conversation has an answer, and the question is not small talk."""
    answers = [turn.text for turn in prompt.turns if turn.role == "assistant"]
    return not kind_of(prompt.question) and bool(answers)


def _greeting(prompt: Prompt) -> _Verdict | None:
    question = prompt.question
    if not question.strip():
        return "smalltalk_or_short", "direct", "The message holds no text."
    kind = kind_of(question)
    if kind in _COMPUTED or worked_out(question):
        return "general_question", "direct", "The answer can be computed."
    if not kind:
        return None
    return "smalltalk_or_short", "direct", "The message is small talk."


def _about_past(prompt: Prompt) -> _Verdict | None:
    if understand(prompt.question).past(prompt):
        return "general_question", "direct", "The question is about what was said before."
    return None


def _bare_word(prompt: Prompt) -> _Verdict | None:
    """A word without a question mark and without context."""
    question = prompt.question.strip()
    is_bare = len(question.split()) == 1 and not question.endswith(("?", "？", "؟"))
    is_word = len(words(question)) == 1 and not cjk_runs(question)
    if is_bare and is_word and not has_context(prompt):
        return "smalltalk_or_short", "direct", "The message is a word and asks for nothing."
    return None


def _about_user(prompt: Prompt) -> _Verdict | None:
    turn = understand(prompt.question)
    if turn.teaches and not _ends_as_question(prompt.question):
        return "general_question", "direct", "The user tells something about themselves."
    if "recalls" in turn.told or phrases.about_user(prompt.question):
        return "general_question", "direct", "The question is about the user, so memory answers it."
    return None


def _about_bot(prompt: Prompt) -> _Verdict | None:
    if phrases.about_bot(prompt.question) and phrases.asks(prompt.question):
        return "about_this_bot", "rag", "The question is about this bot."
    return None


def _domain(prompt: Prompt) -> _Verdict | None:
    # A follow-up question has the subject of its context.
    question = standalone_query(prompt)
    for domain in prompt.domains:
        if word := _domain_word(domain, question):
            if phrases.time_bound(prompt.question):
                reason = f"“{word}” belongs to the domain, and the question is about now."
                return domain.name, "rag+web", reason
            return domain.name, "rag", f"“{word}” belongs to the domain."
    return None


def _domain_word(domain: Domain, question: str) -> str | None:
    text = f"{domain.name.removeprefix('domain_').replace('_', ' ')} {domain.text}"
    stems = {stem(word) for word in words(text) if _is_telling(word)}
    for word in words(question):
        if _is_telling(word) and stem(word) in stems:
            return word
    topics = [run for run in _topic_runs(text) if not phrases.time_bound(run)]
    return next((run for run in topics if run in normalise(question)), None)


def _is_telling(word: str) -> bool:
    is_ordinary = word in STOP_WORDS or word in _ORDINARY or phrases.time_bound_alone(word)
    return len(word) > 2 and not is_ordinary


def _topic_runs(text: str) -> list[str]:
    """Two or more katakana or ideographs in a row, which name the topic in Japanese."""
    joined = " ".join(cjk_runs(text))
    return re.findall(r"[\u30a1-\u30ffー]{2,}|[\u4e00-\u9fff々]{2,}", joined)


def _listing(prompt: Prompt) -> _Verdict | None:
    if asks_for_list(prompt.question):
        return "docs_required", "rag", "The question asks which documents there are."
    return None


def _documents(prompt: Prompt) -> _Verdict | None:
    if phrases.about_documents(prompt.question):
        return "docs_required", "rag", "The question asks for what the documents say."
    return None


def _ends_as_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "？", "؟"))


def _time_bound(prompt: Prompt) -> _Verdict | None:
    is_of_others = not phrases.in_first_person(prompt.question)
    if phrases.asks(prompt.question) and phrases.time_bound_alone(prompt.question) and is_of_others:
        return "general_question", "web", "The answer changes with time."
    return None


def _on_table(prompt: Prompt) -> _Verdict | None:
    if any(told_by(summary, prompt.question) for summary in prompt.image_summaries):
        return "general_question", "direct", "The picture shows it."
    return None


def _about_image(prompt: Prompt) -> _Verdict | None:
    if prompt.image_summaries or image_question(prompt):
        return "general_question", "direct", "The question is about the picture that was sent."
    return None


_RULES: tuple[Callable[[Prompt], _Verdict | None], ...] = (
    _about_last,
    _greeting,
    _on_table,
    _about_past,
    _about_user,
    _about_bot,
    _listing,
    _documents,
    _domain,
    _time_bound,
    _about_image,
    _bare_word,
)
