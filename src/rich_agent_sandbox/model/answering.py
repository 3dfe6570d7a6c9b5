"""Answers a chat: quotes passages, or else says what pictures, memory and conversation hold."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from rich_agent_sandbox.model import conversing
from rich_agent_sandbox.model.checking import NO_PASSAGE, with_markers
from rich_agent_sandbox.model.looking import look
from rich_agent_sandbox.model.manner import in_japanese, is_brief
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.quoting import Quote, pick_quotes
from rich_agent_sandbox.model.searching import searches
from rich_agent_sandbox.model.summarising import asks_for_summary, summarise
from rich_agent_sandbox.model.vision import describe_image

_MOST_OF_A_PART = 2
_Source = Callable[[Prompt], str]

FIRST_NOTE = "_(Sandbox model: I quote what I was given; set OPENAI_API_KEY for a real one.)_"
FIRST_NOTE_JAPANESE = (
    "_(サンドボックスのモデルです。渡された文を引用するだけです。"
    "本物のモデルには OPENAI_API_KEY を設定してください。)_"
)
_NOTHING_FOUND = "I was given no passage that I could quote on that."
_NOTHING_FOUND_JAPANESE = "それについて引用できる記述は渡されていません。"
_ONE_WORD = "One word is too little to look anything up. Ask a whole question: “What is {word}?”"
_ONE_WORD_JAPANESE = (
    "一語だけでは調べられません。「{word}とは何ですか？」のように質問してください。"
)
_ONLY_WORD = re.compile(r"[^\W\d_ぁ-ん]{1,20}")
_UNREAD = "I cannot see or hear what came with your message, so I cannot say anything on it."
_UNREAD_JAPANESE = (
    "メッセージに添えられたものは見ることも聞くこともできないため、お答えできません。"
)
_CANNOT = (
    "I am a stand-in for a language model: I can only answer from passages, pictures and "
    "what you told me, and I was given nothing on that."
)
_CANNOT_JAPANESE = (
    "私は言語モデルの代役です。渡された資料、画像、会話の内容からしか答えられず、"
    "それについては何も渡されていません。"
)


def answer(prompt: Prompt) -> str:
    """The text for a prompt, in the language preferred or asked in, as Markdown.

    Notices of the prompt are conveyed; the model's first answer says who speaks.
    Raises: ImageUnreadableError.
    """
    if prompt.draft:
        return with_markers(prompt.draft, prompt.citable)
    if asks_for_summary(prompt):
        return summarise(prompt)
    note = FIRST_NOTE_JAPANESE if in_japanese(prompt) else FIRST_NOTE
    parts = [_body(prompt), *prompt.notices]
    return "\n\n".join(parts if _has_said_who_speaks(prompt) else [*parts, note])


def _has_said_who_speaks(prompt: Prompt) -> bool:
    # Emphasis is left out: what comes back as an earlier message may have lost it.
    notes = FIRST_NOTE.strip("_"), FIRST_NOTE_JAPANESE.strip("_")
    said = any(note in turn.text for turn in prompt.turns for note in notes)
    # What is folded into a summary began with the first answer.
    return said or bool(prompt.conversation_summary)


def cited_beyond(prompt: Prompt) -> int:
    """A passage number that the prompt does not hold."""
    return max([98, *(passage.number for passage in prompt.passages)]) + 1


def _body(prompt: Prompt) -> str:
    japanese = in_japanese(prompt)
    if seen := conversing.from_image_answers(prompt):
        return f"{seen}\n\n{_from_passages(prompt)}".rstrip()
    if text := _first(_GROUNDS, prompt):
        return text
    otherwise = _first(_OTHERWISE, prompt)
    if prompt.passages:
        nothing = _NOTHING_FOUND_JAPANESE if japanese else _NOTHING_FOUND
        nothing += f" {NO_PASSAGE}" if NO_PASSAGE in prompt.instructions else ""
        return f"{nothing}\n\n{otherwise}".rstrip()
    return otherwise or _nothing_to_say(prompt, japanese=japanese)


def _nothing_to_say(prompt: Prompt, *, japanese: bool) -> str:
    if prompt.unread:
        return _UNREAD_JAPANESE if japanese else _UNREAD
    question = prompt.question.strip()
    if _ONLY_WORD.fullmatch(question):
        return (_ONE_WORD_JAPANESE if japanese else _ONE_WORD).format(word=question)
    return _CANNOT_JAPANESE if japanese else _CANNOT


def _first(sources: Sequence[_Source], prompt: Prompt) -> str:
    return next((text for source in sources if (text := source(prompt))), "")


def _from_tools(prompt: Prompt) -> str:
    return "\n\n".join(f"The tool answered: {result}" for result in prompt.tool_results)


def _from_passages(prompt: Prompt) -> str:
    """Quotes with their markers: a paragraph for each passage, list items and rows as a list."""
    quotes = _quotes(prompt)
    quotes = quotes[:1] if is_brief(prompt) else quotes
    paragraphs = []
    for (_, listed), group in groupby(quotes, key=lambda quote: (quote.number, quote.listed)):
        marked = [f"{quote.text} [{quote.number}]" for quote in group]
        paragraphs.append("\n".join(f"- {text}" for text in marked) if listed else " ".join(marked))
    return "\n\n".join(paragraphs)


def _quotes(prompt: Prompt) -> list[Quote]:
    """For the question, else for its parts, else with the words of what it leans on."""
    if quotes := pick_quotes(prompt.question, prompt.passages):
        return quotes
    query, parts = searches(prompt)
    picked = [pick_quotes(part, prompt.passages)[:_MOST_OF_A_PART] for part in parts]
    found = dict.fromkeys(quote for quotes in picked for quote in quotes)
    if found or query == prompt.question.strip():
        return list(found)
    return pick_quotes(query, prompt.passages)


def _from_images(prompt: Prompt) -> str:
    return "\n\n".join(
        f"{look(data, prompt.question)} {' '.join(describe_image(data).warnings)}"
        for data in prompt.images
    )


_GROUNDS: tuple[_Source, ...] = (
    _from_tools,
    conversing.from_first_messages,
    _from_passages,
)
_OTHERWISE: tuple[_Source, ...] = (
    _from_images,
    conversing.from_the_past,
    conversing.acknowledge,
    conversing.from_memory,
    conversing.from_image_summaries,
    conversing.courtesy,
    conversing.haiku,
)
