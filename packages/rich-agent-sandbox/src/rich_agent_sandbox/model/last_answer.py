"""Messages that are about the last answer: which question they come back to, and how."""

from dataclasses import replace

from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.small_talk import kind_of
from rich_agent_sandbox.model.planning.search_queries import standalone_query
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.turns import understand


def resolved(prompt: Prompt) -> Prompt:
    """The prompt with the question that its message comes back to, and in which manner.

    A question of the demo's page in another language becomes that of the sample documents.
    """
    told = understand(prompt.question).told
    if question := told.get("asks"):
        return replace(prompt, question=question, language=language_wanted(prompt))
    manner = told.get("about_last", "")
    if not manner or not prompt.turns or prompt.asked_back:
        return prompt
    question = told.get("subject") or _question_before(prompt)
    language = told.get("language") or language_wanted(prompt)
    wanted = replace(prompt, manner=manner, language=language)
    return replace(wanted, question=question) if question and manner != "stop" else wanted


def _question_before(prompt: Prompt) -> str:
    """The newest question of the conversation that has a subject, with that subject; "" if none."""
    for place in range(len(prompt.turns) - 1, -1, -1):
        turn = prompt.turns[place]
        if turn.role != "user" or kind_of(turn.text) or not turn.text.strip():
            continue
        told = understand(turn.text).told
        if subject := told.get("subject"):
            return str(subject)
        if "about_last" not in told:
            earlier = replace(prompt, question=turn.text, turns=prompt.turns[:place])
            return standalone_query(earlier)
    return ""
