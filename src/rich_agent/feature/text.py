"""Text for features: words and their authors, lengths, counts, dates, footnotes."""

from rich_agent.domain.answer.citation import strip_markers as strip_markers
from rich_agent.domain.answer.links import is_web as is_web
from rich_agent.domain.answer.markdown import plain_markdown as plain_markdown
from rich_agent.domain.approving.written_out import escape_invisible as escape_invisible
from rich_agent.domain.languages import ENGLISH as ENGLISH
from rich_agent.domain.languages import LANGUAGES as LANGUAGES
from rich_agent.domain.text import HANGUL as HANGUL
from rich_agent.domain.text import UNSPACED as UNSPACED
from rich_agent.domain.text import bare_words as bare_words
from rich_agent.domain.text import clean_text as clean_text
from rich_agent.domain.text import counted as counted
from rich_agent.domain.text import printable as printable
from rich_agent.domain.text import shorten as shorten
from rich_agent.domain.text import whole_number as whole_number
from rich_agent.domain.words import Origin as Origin
from rich_agent.domain.words import Words as Words
from rich_agent.phrases import say_parts as say_parts
from rich_agent.times import say_full_date as say_full_date
