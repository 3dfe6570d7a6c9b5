"""Personas for features: what they are made of, and the languages of their first words."""

from rich_agent.domain.languages import LANGUAGES as LANGUAGES
from rich_agent.domain.persona import FirstWords as FirstWords
from rich_agent.domain.persona import Persona as Persona
from rich_agent.domain.persona import Personas as Personas
from rich_agent.domain.text import estimate_tokens as estimate_tokens
from rich_agent.domain.text import is_blank as is_blank
from rich_agent.domain.vision import image_type as image_type
from rich_agent.ports.personas import FindPersonas as FindPersonas
