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

    The first answer that is not small talk introduces the stand-in.

    Raises: ImageUnreadableError.
    """
    if prompt.draft:
        return with_markers(prompt.draft, prompt.citable)
    if prompt.file_text:
        return notes_on(prompt)
    if asks_for_summary(prompt):
        return summarise(prompt)
    language = language_wanted(prompt)
    answer_text = _body(prompt)
    needs_no_note = (
        kind_of(prompt.question) or prompt.manner or say("fallback", language) in answer_text
    )
    is_complete = needs_no_note or _has_said_who_speaks(prompt)
    return answer_text if is_complete else f"{answer_text}\n\n{say('note', language)}"


def _has_said_who_speaks(prompt: Prompt) -> bool:
    # Without emphasis, because earlier messages in the prompt may have none.
    notes = [note.strip("_") for note in wordings("note")]
    is_noted = any(note in turn.text for turn in prompt.turns for note in notes)
    # A summary includes the first answer.
    return is_noted or bool(prompt.conversation_summary)


def cited_beyond(prompt: Prompt) -> int:
    """A passage number that is not in the prompt."""
    return max([98, *(passage.number for passage in prompt.passages)]) + 1


def _body(prompt: Prompt) -> str:
    language = language_wanted(prompt)
    if image_answer := conversing.from_image_answers(prompt):
        return f"{image_answer}\n\n{_from_passages(prompt)}".rstrip()
    is_given_nothing = not (prompt.passages or prompt.acts)
    if prompt.manner == "stop":
        return say("agreement", language)
    if is_given_nothing and (small_talk := chat(prompt, language)):
        return small_talk
    # Answers about itself are in the user's language, even if no document is.
    is_on_itself = language not in _OF_DOCUMENTS and kind_of(prompt.question) in _ON_ITSELF
    if not is_on_itself and (text := _first(_GROUNDS, prompt)):
        return text
    text = _first(_OTHERWISE, prompt) or _nothing_to_say(prompt, language)
    is_excuse = text == say("fallback", language) and not asks_for_action(prompt.question)
    lacks_passage = is_excuse and prompt.passages
    return f"{text} {NO_PASSAGE}" if lacks_passage and NO_PASSAGE in prompt.instructions else text


def _nothing_to_say(prompt: Prompt, language: str) -> str:
    kind = kind_of(prompt.question)
    return chat(prompt, language) if kind else say("fallback", language)


def _first(sources: Sequence[_Source], prompt: Prompt) -> str:
    return next((text for source in sources if (text := source(prompt))), "")


def _from_tools(prompt: Prompt) -> str:
    """The results of the last calls; the results of earlier calls, such as lookups, are ignored."""
    last_round = max((act.round for act in prompt.acts), default=0)
    language = language_wanted(prompt)
    result_texts = [_result_text(act, language) for act in prompt.acts if act.round == last_round]
    return "\n\n".join(dict.fromkeys(filter(None, result_texts)))


def _result_text(act: Act, language: str) -> str:
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
    document_list = from_catalogue(prompt)
    passages = [passage for passage in prompt.passages if passage.kind != CATALOGUE]
    if document_list:
        question_terms = set(content_terms(prompt.question))
        passages = [
            passage
            for passage in passages
            if question_terms <= set(content_terms(last_heading(passage.section)))
        ]
    # An address is not a word of the question.
    question = ADDRESS.sub(" ", prompt.question).strip()
    prompt = replace(prompt, question=question, passages=tuple(passages))
    file_passages = [passage for passage in passages if passage.kind == _FILE]
    quotes = (wants_all(prompt) and beginnings(file_passages)) or _quotes(prompt)
    if not quotes and (prompt.files_came or len(file_passages) == len(passages)):
        # The beginning of a file shows its subject, which suits any question.
        quotes = beginnings(file_passages)[:_MOST_OF_A_PART]
    if prompt.manner == "more":
        quotes = _unsaid(quotes, prompt)
        if not quotes and not document_list:
            return say("no_more", language_wanted(prompt))
    quotes = quotes[:1] if is_brief(prompt) else quotes
    paragraphs = []
    for (_, in_list), group in groupby(quotes, key=lambda quote: (quote.number, quote.listed)):
        marked_quotes = [f"{quote.text} [{quote.number}]" for quote in group]
        items = "\n".join(f"- {text}" for text in marked_quotes)
        paragraphs.append(items if in_list else " ".join(marked_quotes))
    language = language_wanted(prompt)
    is_foreign = bool(quotes) and any(language_of(quote.text) != language for quote in quotes)
    introduction = say("quoted", language) if is_foreign else ""
    return "\n\n".join(filter(None, [introduction, *paragraphs, document_list]))


def _unsaid(quotes: Sequence[Quote], prompt: Prompt) -> list[Quote]:
    """The quotes that are in no earlier answer."""
    earlier_answers = "\n".join(turn.text for turn in prompt.turns if turn.role == "assistant")
    return [quote for quote in quotes if quote.text not in earlier_answers]


def _quotes(prompt: Prompt) -> list[Quote]:
    """Quotes for each part of the question, else for the question with its context."""
    question = without_greeting(prompt.question)
    query, parts = searches(prompt)
    picked_quotes = [pick_quotes(part, prompt.passages)[:_MOST_OF_A_PART] for part in parts]
    quotes_found = list(dict.fromkeys(quote for quotes in picked_quotes for quote in quotes))
    if quotes_found and all(picked_quotes):
        return quotes_found
    language, is_alone = language_of(question), query == prompt.question.strip()
    wordings = [question]
    if language == ENGLISH:
        wordings.append(corrected(question, _known_words(prompt)))
    elif language != "ja":
        wordings += [_in_english(wording, prompt) for wording in (question, query)[: 2 - is_alone]]
    if not is_alone and language in _OF_DOCUMENTS:
        wordings.append(query)
    if subject_names := glossed(question):
        wordings.append(" ".join(subject_names))
    return next(
        (quotes for wording in wordings if (quotes := pick_quotes(wording, prompt.passages))),
        quotes_found,
    )


def _in_english(question: str, prompt: Prompt) -> str:
    """The question's words as English words of the passages, if they have such words."""
    known_words = _known_words(prompt)
    subject_names = glossed(question)
    english_words = [_word_in_english(word, known_words) for word in content_of(question)]
    if language_of(question) in _NOT_SPACED_OR_LATIN:
        english_words = [word for word in english_words if word.isascii()]
    return " ".join(dict.fromkeys([*subject_names, *english_words]))


def _known_words(prompt: Prompt) -> list[str]:
    return [
        word for passage in prompt.passages for word in words(f"{passage.section} {passage.text}")
    ]


def _word_in_english(word: str, known_words: Sequence[str]) -> str:
    return next(iter(in_english(word, known_words)), word)


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
