"""The user's files that a message is about, and whether all of their content is needed."""

import re

from rich_agent_sandbox.model.language import phrases
from rich_agent_sandbox.model.language.text import content_words, normalise, words
from rich_agent_sandbox.model.planning.search_queries import leans
from rich_agent_sandbox.model.prompt import Prompt

_OF_A_FILE = re.compile(
    r"\b(?:files?|documents?|reports?|pages?|pdfs?|sheets?|slides?|tables?|attachments?|minutes"
    r"|summari[sz]e|summary|key points?)\b|ファイル|資料|書類|(?<![ァ-ヶー])ページ|要約|要点"
)
_OF_ALL = re.compile(
    r"\b(?:summari[sz]e|summary|sum up|key points?|main points?|overview|translate|review|whole)\b"
    r"|要約|要点|まとめ|全体|翻訳"
)


_NOTED = re.compile(r"\b(?:note|save|bookmark|write down|task)\b|メモ")


def files_wanted(prompt: Prompt) -> list[int]:
    """The numbers of the files sent with the message, else of named files, else of the newest.

    The newest is only meant if the message refers to it. Linked pages are meant unless the message
    is only the address, or asks to note it down.
    """
    if prompt.files_came:
        return list(range(1, prompt.files_came + 1))
    message_text = f"{prompt.question} {prompt.answer_to_it}"
    if prompt.links:
        for link in prompt.links:
            message_text = message_text.replace(link, " ")
        first_link = len(prompt.files) + 1
        is_read = bool(words(message_text)) and not _NOTED.search(normalise(message_text))
        return list(range(first_link, first_link + len(prompt.links))) if is_read else []
    message_words = set(words(message_text))
    named_files = [
        number
        for number, name in enumerate(prompt.files, start=1)
        if set(content_words(name.rpartition(".")[0])) & message_words
    ]
    leans_on_it = leans(prompt.question) or prompt.last_came == "file"
    leans_on_it = leans_on_it and not phrases.about_user(prompt.question)
    is_meant = _OF_A_FILE.search(normalise(message_text)) or leans_on_it
    if prompt.image_summaries or prompt.last_came == "photo" or prompt.is_forwarded:
        return named_files
    return named_files or ([1] if prompt.files and is_meant else [])


def wants_all(prompt: Prompt) -> bool:
    """Whether all of the content is needed, as for a summary."""
    return bool(_OF_ALL.search(normalise(f"{prompt.question} {prompt.answer_to_it}")))
