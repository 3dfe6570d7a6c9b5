"""Answers a chat: quotes passages, or else says what pictures, memory and conversation hold."""

from collections.abc import Callable, Sequence
from itertools import groupby

from rich_agent_sandbox.model import conversing
from rich_agent_sandbox.model.checking import NO_PASSAGE, with_markers
from rich_agent_sandbox.model.looking import look
from rich_agent_sandbox.model.manner import in_japanese, is_brief
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.quoting import pick_quotes
from rich_agent_sandbox.model.summarising import asks_for_summary, summarise
from rich_agent_sandbox.model.vision import describe_image

_Source = Callable[[Prompt], str]

FIRST_NOTE = "_(Sandbox model: I quote what I was given; set OPENAI_API_KEY for a real one.)_"
FIRST_NOTE_JAPANESE = (
    "_(サンドボックスのモデルです。渡された文を引用するだけです。"
    "本物のモデルには OPENAI_API_KEY を設定してください。)_"
)
_NOTHING_FOUND = "The passages I was given hold nothing on that."
_NOTHING_FOUND_JAPANESE = "渡された資料には、それについての記述がありません。"
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
    return any(note in turn.text for turn in prompt.turns for note in notes)


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
    return otherwise or (_CANNOT_JAPANESE if japanese else _CANNOT)


def _first(sources: Sequence[_Source], prompt: Prompt) -> str:
    return next((text for source in sources if (text := source(prompt))), "")


def _from_tools(prompt: Prompt) -> str:
    return "\n\n".join(f"The tool answered: {result}" for result in prompt.tool_results)


def _from_passages(prompt: Prompt) -> str:
    """Quotes with their markers: a paragraph for each passage, list items and rows as a list."""
    quotes = pick_quotes(prompt.question, prompt.passages)
    quotes = quotes[:1] if is_brief(prompt) else quotes
    paragraphs = []
    for (_, listed), group in groupby(quotes, key=lambda quote: (quote.number, quote.listed)):
        marked = [f"{quote.text} [{quote.number}]" for quote in group]
        paragraphs.append("\n".join(f"- {text}" for text in marked) if listed else " ".join(marked))
    return "\n\n".join(paragraphs)


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
    conversing.from_memory,
    conversing.from_image_summaries,
    conversing.courtesy,
    conversing.acknowledge,
    conversing.haiku,
)
