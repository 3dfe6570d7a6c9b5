"""Answers a chat from passages, else from pictures, memory and conversation."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from rich_agent_sandbox.model.answering import conversation as conversing
from rich_agent_sandbox.model.answering.checking import NO_PASSAGE, with_markers
from rich_agent_sandbox.model.answering.listing import CATALOGUE, from_catalogue
from rich_agent_sandbox.model.answering.preferences import is_brief, language_wanted
from rich_agent_sandbox.model.answering.prose import ADDRESS, last_heading
from rich_agent_sandbox.model.answering.quoting import Quote, pick_quotes
from rich_agent_sandbox.model.answering.rows import from_rows
from rich_agent_sandbox.model.answering.small_talk import (
    chat,
    kind_of,
    say,
    without_greeting,
    wordings,
)
from rich_agent_sandbox.model.answering.summarising import (
    asks_for_summary,
    beginnings,
    notes_on,
    summarise,
)
from rich_agent_sandbox.model.language.meaning import glossed
from rich_agent_sandbox.model.language.text import content_terms, words
from rich_agent_sandbox.model.language.tongues import (
    ENGLISH,
    content_of,
    corrected,
    in_english,
    language_of,
)
from rich_agent_sandbox.model.planning.files_wanted import wants_all
from rich_agent_sandbox.model.planning.search_queries import searches
from rich_agent_sandbox.model.prompt import Act, Prompt
from rich_agent_sandbox.model.reminding import ASK_TOOL, REMIND_TOOL, promised
from rich_agent_sandbox.model.results import in_words, is_failure
from rich_agent_sandbox.model.turns import asks_for_action
from rich_agent_sandbox.model.vision.describing import describe_image
from rich_agent_sandbox.model.vision.image_questions import look

_MOST_OF_A_PART = 2
_FILE = "file"
_ON_ITSELF = frozenset({"identity", "language", "nature"})
_OF_DOCUMENTS = frozenset({"en", "ja"})
_NOT_SPACED_OR_LATIN = frozenset({"zh", "ko", "ar", "hi", "ru"})
_Source = Callable[[Prompt], str]


def answer(prompt: Prompt) -> str:
    """The answer to a prompt as Markdown, in the preferred language or that of the question.

    The first answer that is not small talk says who speaks.
    Raises: ImageUnreadableError.
    """
    if prompt.draft:
        return with_markers(prompt.draft, prompt.citable)
    if prompt.file_text:
        return notes_on(prompt)
    if asks_for_summary(prompt):
        return summarise(prompt)
    language = language_wanted(prompt)
    body = _body(prompt)
    needs_none = kind_of(prompt.question) or prompt.manner or say("fallback", language) in body
    is_told = needs_none or _has_said_who_speaks(prompt)
    return body if is_told else f"{body}\n\n{say('note', language)}"


def _has_said_who_speaks(prompt: Prompt) -> bool:
    # Without emphasis, because an earlier message in the prompt may have lost it.
    notes = [note.strip("_") for note in wordings("note")]
    said = any(note in turn.text for turn in prompt.turns for note in notes)
    # A summary includes the first answer.
    return said or bool(prompt.conversation_summary)


def cited_beyond(prompt: Prompt) -> int:
    """A passage number that is not in the prompt."""
    return max([98, *(passage.number for passage in prompt.passages)]) + 1


def _body(prompt: Prompt) -> str:
    language = language_wanted(prompt)
    if seen := conversing.from_image_answers(prompt):
        return f"{seen}\n\n{_from_passages(prompt)}".rstrip()
    is_given_nothing = not (prompt.passages or prompt.acts)
    if prompt.manner == "stop":
        return say("agreement", language)
    if is_given_nothing and (said := chat(prompt, language)):
        return said
    # About itself it speaks the user's language, even if the documents do not.
    is_on_itself = language not in _OF_DOCUMENTS and kind_of(prompt.question) in _ON_ITSELF
    if not is_on_itself and (text := _first(_GROUNDS, prompt)):
        return text
    text = _first(_OTHERWISE, prompt) or _nothing_to_say(prompt, language)
    is_excuse = text == say("fallback", language) and not asks_for_action(prompt.question)
    lacks = is_excuse and prompt.passages
    return f"{text} {NO_PASSAGE}" if lacks and NO_PASSAGE in prompt.instructions else text


def _nothing_to_say(prompt: Prompt, language: str) -> str:
    kind = kind_of(prompt.question)
    return chat(prompt, language) if kind else say("fallback", language)


def _first(sources: Sequence[_Source], prompt: Prompt) -> str:
    return next((text for source in sources if (text := source(prompt))), "")


def _from_tools(prompt: Prompt) -> str:
    """Tell what came of the last calls; a lookup before them is of no interest any more."""
    latest = max((act.round for act in prompt.acts), default=0)
    language = language_wanted(prompt)
    told = [_told(act, language) for act in prompt.acts if act.round == latest]
    return "\n\n".join(dict.fromkeys(filter(None, told)))


def _told(act: Act, language: str) -> str:
    if act.name == ASK_TOOL:
        return say("fallback", language)
    if not (words := in_words(act)):
        return say("nothing_there", language)
    if is_failure(act):
        return say("failed", language, told=words)
    return promised(language) if act.name == REMIND_TOOL else words


def _from_passages(prompt: Prompt) -> str:
    """Quotes with their markers: a paragraph per passage, list items and table rows as a list.

    If the question is in another language than the quotes, the answer says so. A list of documents
    comes after sections on the same question.
    """
    listed = from_catalogue(prompt)
    prose = [passage for passage in prompt.passages if passage.kind != CATALOGUE]
    if listed:
        asked = set(content_terms(prompt.question))
        prose = [one for one in prose if asked <= set(content_terms(last_heading(one.section)))]
    # An address is no word of the question.
    question = ADDRESS.sub(" ", prompt.question).strip()
    prompt = replace(prompt, question=question, passages=tuple(prose))
    of_files = [passage for passage in prose if passage.kind == _FILE]
    quotes = (wants_all(prompt) and beginnings(of_files)) or _quotes(prompt)
    if not quotes and (prompt.files_came or len(of_files) == len(prose)):
        # What a file begins with tells what it is about, whatever was asked.
        quotes = beginnings(of_files)[:_MOST_OF_A_PART]
    if prompt.manner == "more":
        quotes = _unsaid(quotes, prompt)
        if not quotes and not listed:
            return say("no_more", language_wanted(prompt))
    quotes = quotes[:1] if is_brief(prompt) else quotes
    paragraphs = []
    for (_, in_list), group in groupby(quotes, key=lambda quote: (quote.number, quote.listed)):
        marked = [f"{quote.text} [{quote.number}]" for quote in group]
        items = "\n".join(f"- {text}" for text in marked)
        paragraphs.append(items if in_list else " ".join(marked))
    language = language_wanted(prompt)
    is_foreign = bool(quotes) and any(language_of(quote.text) != language for quote in quotes)
    lead = say("quoted", language) if is_foreign else ""
    return "\n\n".join(filter(None, [lead, *paragraphs, listed]))


def _unsaid(quotes: Sequence[Quote], prompt: Prompt) -> list[Quote]:
    """The quotes that no earlier answer has."""
    said = "\n".join(turn.text for turn in prompt.turns if turn.role == "assistant")
    return [quote for quote in quotes if quote.text not in said]


def _quotes(prompt: Prompt) -> list[Quote]:
    """Quotes for each part of the question, else for the question with its context."""
    question = without_greeting(prompt.question)
    query, parts = searches(prompt)
    picked = [pick_quotes(part, prompt.passages)[:_MOST_OF_A_PART] for part in parts]
    found = list(dict.fromkeys(quote for quotes in picked for quote in quotes))
    if found and all(picked):
        return found
    language, is_alone = language_of(question), query == prompt.question.strip()
    wordings = [question]
    if language == ENGLISH:
        wordings.append(corrected(question, _known_words(prompt)))
    elif language != "ja":
        wordings += [_in_english(one, prompt) for one in (question, query)[: 2 - is_alone]]
    if not is_alone and language in _OF_DOCUMENTS:
        wordings.append(query)
    if named := glossed(question):
        wordings.append(" ".join(named))
    return next(
        (quotes for one in wordings if (quotes := pick_quotes(one, prompt.passages))), found
    )


def _in_english(question: str, prompt: Prompt) -> str:
    """The question's words as English words of the passages, as far as they have one."""
    known = _known_words(prompt)
    named = glossed(question)
    spelt = [_word_in_english(word, known) for word in content_of(question)]
    if language_of(question) in _NOT_SPACED_OR_LATIN:
        spelt = [word for word in spelt if word.isascii()]
    return " ".join(dict.fromkeys([*named, *spelt]))


def _known_words(prompt: Prompt) -> list[str]:
    return [word for one in prompt.passages for word in words(f"{one.section} {one.text}")]


def _word_in_english(word: str, known: Sequence[str]) -> str:
    return next(iter(in_english(word, known)), word)


def _from_images(prompt: Prompt) -> str:
    return "\n\n".join(
        f"{look(data, prompt.question)} {' '.join(describe_image(data).warnings)}"
        for data in prompt.images
    )


_GROUNDS: tuple[_Source, ...] = (
    from_rows,
    _from_tools,
    _from_passages,
)
_OTHERWISE: tuple[_Source, ...] = (
    _from_images,
    conversing.from_the_past,
    conversing.acknowledge,
    conversing.from_memory,
    conversing.from_image_summaries,
)
