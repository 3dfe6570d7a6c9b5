"""Answers a chat from passages, else from pictures, memory and conversation."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from rich_agent_sandbox.model.answering import conversation as conversing
from rich_agent_sandbox.model.answering.checking import NO_PASSAGE, with_markers
from rich_agent_sandbox.model.answering.listing import CATALOGUE, from_catalogue
from rich_agent_sandbox.model.answering.preferences import is_brief, language_wanted
from rich_agent_sandbox.model.answering.prose import ADDRESS, last_heading
from rich_agent_sandbox.model.answering.quoting import Quote, pick_quotes, shares_most_terms
from rich_agent_sandbox.model.answering.rows import from_rows
from rich_agent_sandbox.model.answering.small_talk import chat, say, wordings
from rich_agent_sandbox.model.answering.summarising import (
    asks_for_summary,
    beginnings,
    notes_on,
    summarise,
)
from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import content_terms, words
from rich_agent_sandbox.model.language.tongues import language_of
from rich_agent_sandbox.model.planning.files_wanted import wants_all
from rich_agent_sandbox.model.planning.search_queries import searches
from rich_agent_sandbox.model.prompt import Act, Passage, Prompt
from rich_agent_sandbox.model.reminding import ASK_TOOL, REMIND_TOOL, promised
from rich_agent_sandbox.model.results import in_words, is_failure
from rich_agent_sandbox.model.turns import asks_for_action
from rich_agent_sandbox.model.vision.describing import describe_image
from rich_agent_sandbox.model.vision.image_questions import look

_MOST_OF_A_PART = 2
_MOST_GIVEN = 3
_FEWEST_TERMS = 2  # of a question that can be answered without its context
_FILE = "file"
_ONE_WORD = "Answer with one word."
_Source = Callable[[Prompt], str]


def answer(prompt: Prompt) -> str:
    """The answer to a prompt as Markdown, in the preferred language or that of the question.

    The first answer that quotes introduces the stand-in.

    Raises: ImageUnreadableError.
    """
    if _ONE_WORD in prompt.instructions:
        return words(prompt.question)[-1]  # as it is asked for: "Say ok."
    if prompt.draft:
        return with_markers(prompt.draft, prompt.citable)
    if prompt.file_text:
        return notes_on(prompt)
    if asks_for_summary(prompt):
        return summarise(prompt)
    language = language_wanted(prompt)
    answer_text = _body(prompt)
    is_quote = bool(prompt.passages) and say("fallback", language) not in answer_text
    is_complete = not is_quote or prompt.manner or _has_said_who_speaks(prompt)
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
    if prompt.manner == "stop":
        return say("agreement", language)
    if not prompt.acts and (small_talk := chat(prompt, language)):
        return small_talk
    return _first(_SOURCES, prompt) or _nothing_to_say(prompt, language)


def _nothing_to_say(prompt: Prompt, language: str) -> str:
    """The line that says what the stand-in is, and the passages that a model would be given."""
    excuse = say("fallback", language)
    is_question = phrases.asks(prompt.question) and not asks_for_action(prompt.question)
    passages = _given(prompt) if is_question else []
    if passages:
        markers = " ".join(f"[{passage.number}]" for passage in passages)
        return f"{excuse}\n\n{say('given', language)} {markers}"
    # It read only words, so it says this only if documents are named, and in their language.
    is_compared = {language_of(one.text) for one in prompt.passages} == {language}
    is_of_documents = is_question and phrases.about_documents(prompt.question)
    lacks_passage = is_of_documents and is_compared and NO_PASSAGE in prompt.instructions
    return f"{excuse} {NO_PASSAGE}" if lacks_passage else excuse


def _given(prompt: Prompt) -> list[Passage]:
    """The first passages of files, or that share most words with the question, not by chance."""
    return [
        passage
        for passage in prompt.passages
        if passage.kind == _FILE
        or (passage.kind != CATALOGUE and shares_most_terms(prompt.question, passage))
    ][:_MOST_GIVEN]


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
        return say("nothing_known", language)
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
            if (heading := set(content_terms(last_heading(passage.section))))
            and heading <= question_terms
        ]
    # An address is not a word of the question.
    question = ADDRESS.sub(" ", prompt.question).strip()
    prompt = replace(prompt, question=question, passages=tuple(passages))
    file_passages = [passage for passage in passages if passage.kind == _FILE]
    quotes = (wants_all(prompt) and beginnings(file_passages)) or _quotes(prompt)
    if not quotes and file_passages and "what" in words(question) and not content_terms(question):
        # Only function words: "What is this?" is asked of the file as a whole.
        quotes = beginnings(file_passages)[:_MOST_OF_A_PART]
    if prompt.manner == "more":
        quotes = _unsaid(quotes, prompt)
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
    query, parts = searches(prompt)
    picked_quotes = [pick_quotes(part, prompt.passages)[:_MOST_OF_A_PART] for part in parts]
    quotes_found = list(dict.fromkeys(quote for quotes in picked_quotes for quote in quotes))
    if quotes_found and all(picked_quotes):
        return quotes_found
    is_whole = len(set(content_terms(prompt.question))) >= _FEWEST_TERMS
    own_quotes = pick_quotes(prompt.question, prompt.passages) if is_whole else []
    # What leans on an earlier question asks for something of its own too: "is it safe?".
    is_on_turns = query != prompt.question and not (prompt.image_summaries or prompt.replied_to)
    needed = frozenset(content_terms(prompt.question)) if is_on_turns else frozenset()
    return own_quotes or pick_quotes(query, prompt.passages, needed) or quotes_found


def _from_images(prompt: Prompt) -> str:
    return "\n\n".join(
        f"{look(data, prompt.question)} {' '.join(describe_image(data).warnings)}"
        for data in prompt.images
    )


_SOURCES: tuple[_Source, ...] = (
    from_rows,
    _from_tools,
    _from_passages,
    _from_images,
    conversing.from_the_past,
    conversing.acknowledge,
    conversing.from_memory,
    conversing.from_image_summaries,
)
