"""The preview of a draft: questions that the bot answers with the draft, and as it is now."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from rich_agent.feature import DueRow, DueWork, NextRun, Rehearsal, RichAgentError, say
from rich_agent.feature.personas import Persona, Personas
from rich_agent.feature.text import whole_number
from rich_agent.features.persona.in_effect import PersonasInEffect
from rich_agent.features.persona.repository import PersonaVersions
from rich_agent.features.persona.versions import PREVIEWED, PersonaVersion, PreviewedAnswer

OpenRehearsal = Callable[[], AbstractAsyncContextManager[Rehearsal]]
_OWN_QUESTIONS = ("persona-ask-who", "persona-ask-help", "persona-ask-unknown")


def questions_for(persona: Persona, own_questions: Sequence[str], locale: str) -> Sequence[str]:
    """Three questions: the operator's own, then the first of the persona, then the product's."""
    starters = persona.opening_in(locale).starters
    product_questions = [say(locale, key) for key in _OWN_QUESTIONS]
    questions = filter(None, (*map(str.strip, own_questions), *starters, *product_questions))
    return list(dict.fromkeys(questions))[:PREVIEWED]


async def preview(
    version: PersonaVersion, question: str, rehearsal: Rehearsal, personas: Personas
) -> PreviewedAnswer:
    """The answers to a question with the draft, and with the `personas` in effect."""
    present = personas.where_read([version.space] if version.space else [])
    draft = version.persona.over(personas.of_bot if version.space else None)
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_ask(question, rehearsal.speaking_as(one)))
            for one in (draft, present)
        ]
    draft_text, present_text = (task.result() for task in tasks)
    failure = next((str(one) for one in (draft_text, present_text) if not isinstance(one, str)), "")
    if failure:
        return PreviewedAnswer(question, failure=failure)
    return PreviewedAnswer(question, str(draft_text), str(present_text))


async def _ask(question: str, rehearsal: Rehearsal) -> str | RichAgentError:
    """The answer to a question, or the error of its turn."""
    try:
        return (await rehearsal.ask(question)).text
    except RichAgentError as error:
        return error


@dataclass(frozen=True, slots=True)
class Previewer:
    """Answers the questions of previews, one draft at a time."""

    versions: PersonaVersions
    in_effect: PersonasInEffect
    open_rehearsal: OpenRehearsal

    @property
    def kind(self) -> DueWork:
        """The kind of due work. A question that fails says so, and is not asked again."""
        return DueWork(self.answer, most_tries=3)

    async def answer(self, row: DueRow) -> NextRun | None:
        """Answer the questions of a draft; each answer is shown as soon as it is there."""
        version = await self.versions.find(whole_number(row.key) or 0)
        if version is None or not version.is_being_previewed:
            return None
        answers = [*version.preview]
        async with self.open_rehearsal() as rehearsal:
            for question in version.questions[len(answers) :]:
                personas = await self.in_effect.find()
                answers.append(await preview(version, question, rehearsal, personas))
                await self.versions.note_preview(version.id, version.questions, answers)
        return None
