"""Stored turns: their questions and answers, and the reports of the nodes."""

from rich_agent.domain.answer.trace import NodeReport as NodeReport
from rich_agent.domain.answer.trace import Size as Size
from rich_agent.domain.answer.trace import TurnCalls as TurnCalls
from rich_agent.domain.answer.trace import calls_in as calls_in
from rich_agent.domain.answer.trace import models_in as models_in
from rich_agent.domain.answer.trace import node_position as node_position
from rich_agent.domain.answer.trace import turn_calls as turn_calls
from rich_agent.domain.message import thread_of as thread_of
from rich_agent.ports.asked_questions import AskedQuestion as AskedQuestion
from rich_agent.ports.asked_questions import KeepQuestion as KeepQuestion
from rich_agent.ports.turns import StoredTurn as StoredTurn
from rich_agent.ports.turns import TurnMessages as TurnMessages
