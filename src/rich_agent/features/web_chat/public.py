"""The browser sessions of the web chat, for features that begin and end them or show them."""

from rich_agent.features.web_chat.page_files import PAGE_PATH as PAGE_PATH
from rich_agent.features.web_chat.repository import BrowserSessions as BrowserSessions
from rich_agent.features.web_chat.sessions import BrowserSession as BrowserSession
from rich_agent.features.web_chat.sessions import SessionOrigin as SessionOrigin
from rich_agent.features.web_chat.sign_in import PageCookies as PageCookies
