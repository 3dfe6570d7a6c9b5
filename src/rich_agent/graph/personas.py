"""The persona of an answer to a question that names one space as the place to look in."""

from collections.abc import Sequence
from typing import cast

from rich_agent.graph.services import Services
from rich_agent.graph.state import PersonaState, TurnState, TurnUpdate
from rich_agent.graph.views import persona_of, reader_of


async def answer_persona_update(
    spaces: Sequence[int], state: TurnState, services: Services
) -> TurnUpdate:
    """The turn's persona with another one for the answer; {} if the turn's own holds.

    `spaces` are the ids of the spaces that the question names. The persona of the turn stays where
    it is in the prompts, because servers reuse their beginning.
    """
    personas = await services.find_personas() if len(spaces) == 1 else None
    if personas is None or not personas.by_space:
        return {}
    name_by_id = dict((await services.passages.names(reader_of(state))).spaces)
    name = name_by_id.get(spaces[0])
    persona = personas.where_read([name]) if name else None
    if persona is None or persona.without_opening() == persona_of(state):
        return {}
    updated_state = {**(state.get("persona") or {}), "of_answer": persona.to_state()}
    return {"persona": cast("PersonaState", updated_state)}
