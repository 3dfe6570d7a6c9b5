"""Secrets of other services, encrypted with CREDENTIALS_KEY. Needs the library `cryptography`."""

from rich_agent.runtime.seals import Seal as Seal
from rich_agent.runtime.seals import SealError as SealError
