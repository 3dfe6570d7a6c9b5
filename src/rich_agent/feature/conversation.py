"""Commands and buttons in a conversation, and the messages that begin a turn."""

from rich_agent.chat_commands.replies import CommandAnswer as CommandAnswer
from rich_agent.chat_commands.replies import PressAnswer as PressAnswer
from rich_agent.chat_commands.suggestions import button_message as button_message
from rich_agent.chat_commands.suggestions import command_buttons as command_buttons
from rich_agent.domain.answer.citation import CommandOffer as CommandOffer
from rich_agent.domain.message import AskedBefore as AskedBefore
from rich_agent.domain.message import IncomingMessage as IncomingMessage
