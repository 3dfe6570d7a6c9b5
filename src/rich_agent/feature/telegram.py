"""Telegram for features: messages to send, their recipients, and Markdown as Telegram shows it."""

from rich_agent.domain.answer.citation import Answer as Answer
from rich_agent.domain.answer.links import find_links as find_links
from rich_agent.domain.text import utf16_length as utf16_length
from rich_agent.ports.bot_api import Keyboard as Keyboard
from rich_agent.ports.bot_api import RenderedMessage as RenderedMessage
from rich_agent.ports.bot_api import TelegramApi as TelegramApi
from rich_agent.ports.bot_api import TextEntity as TextEntity
from rich_agent.ports.outbox import DirectMessages as DirectMessages
from rich_agent.ports.outbox import SendResult as SendResult
from rich_agent.rendering.markdown import convert as convert
from rich_agent.rendering.notices import pages as pages
from rich_agent.rendering.notices import say_at as say_at
from rich_agent.rendering.notices import section as section
from rich_agent.rendering.notices import together as together
from rich_agent.rendering.notices import unlinked as unlinked
from rich_agent.rendering.spans import join as join
from rich_agent.rendering.spans import utf16_offsets as utf16_offsets
from rich_agent.rendering.splitting import split_message as split_message
from rich_agent.telegram.deliver.messenger import Recipe as Recipe
from rich_agent.telegram.deliver.messenger import ReplyTarget as ReplyTarget
