"""Which of the user's files a message is about, and whether all of them is wanted."""

import re

from rich_agent_sandbox.model.language.meaning import means, subject_named
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
    """The numbers of those that came, else of one that is named, else of the newest if meant.

    Pages that are linked to are wanted with any words but those of noting an address down.
    """
    if prompt.files_came:
        return list(range(1, prompt.files_came + 1))
    asked = f"{prompt.question} {prompt.answer_to_it}"
    if prompt.links:
        for link in prompt.links:
            asked = asked.replace(link, " ")
        after = len(prompt.files) + 1
        is_read = bool(words(asked)) and not _NOTED.search(normalise(asked))
        return list(range(after, after + len(prompt.links))) if is_read else []
    told = set(words(asked))
    named = [
        number
        for number, name in enumerate(prompt.files, start=1)
        if set(content_words(name.rpartition(".")[0])) & told
    ]
    has_own_subject = subject_named(prompt.question) or means("about_user", prompt.question)
    leans_on_it = (leans(prompt.question) or prompt.last_came == "file") and not has_own_subject
    is_meant = _OF_A_FILE.search(normalise(asked)) or leans_on_it
    if prompt.image_summaries or prompt.last_came == "photo" or prompt.is_forwarded:
        return named
    return named or ([1] if prompt.files and is_meant else [])


def wants_all(prompt: Prompt) -> bool:
    """Whether every part counts, as for a summary."""
    return bool(_OF_ALL.search(normalise(f"{prompt.question} {prompt.answer_to_it}")))
