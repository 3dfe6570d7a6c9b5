"""The audit: features record who changed what in the bot."""

from rich_agent.ports.audit import Audit as Audit
from rich_agent.ports.audit import AuditedChange as AuditedChange
from rich_agent.ports.audit import AuditRecord as AuditRecord
from rich_agent.ports.audit import AuditSubject as AuditSubject
