"""Rehearsals: turns that run for no user, or run again. The module loads the graph."""

from rich_agent.turns.rehearsal import Rehearsal as Rehearsal
from rich_agent.turns.rehearsal import RehearsedTurn as RehearsedTurn
from rich_agent.turns.replay import LEFT_OUT as LEFT_OUT
from rich_agent.turns.replay import Replayed as Replayed
from rich_agent.turns.replay import TurnResult as TurnResult
from rich_agent.turns.replay import result_of as result_of
