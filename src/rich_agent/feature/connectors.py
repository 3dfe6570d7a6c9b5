"""Names for connectors: their interface, options and cursors, and the documents that they read.

A declaration needs only `ConnectorKind`, from `rich_agent.feature`.
"""

from rich_agent.documents.clocks import SOURCE_WORK as SOURCE_WORK
from rich_agent.documents.clocks import reconcile_work as reconcile_work
from rich_agent.documents.connectors.configuration import OptionalAddress as OptionalAddress
from rich_agent.documents.connectors.configuration import ServiceConfig as ServiceConfig
from rich_agent.documents.connectors.configuration import WebAddress as WebAddress
from rich_agent.documents.connectors.cursors import pack_state as pack_state
from rich_agent.documents.connectors.cursors import state_in as state_in
from rich_agent.documents.connectors.cursors import unpack_state as unpack_state
from rich_agent.documents.connectors.hooks import HOOK_PATH as HOOK_PATH
from rich_agent.documents.connectors.hooks import SourceHooks as SourceHooks
from rich_agent.documents.connectors.kinds import Opening as Opening
from rich_agent.documents.connectors.kinds import Service as Service
from rich_agent.documents.connectors.port import Changes as Changes
from rich_agent.documents.connectors.port import Connector as Connector
from rich_agent.documents.connectors.port import ConnectorError as ConnectorError
from rich_agent.documents.connectors.port import CursorExpiredError as CursorExpiredError
from rich_agent.documents.connectors.port import Entry as Entry
from rich_agent.documents.connectors.port import PlaceReaders as PlaceReaders
from rich_agent.documents.connectors.port import ServiceGroup as ServiceGroup
from rich_agent.documents.connectors.selecting import too_large as too_large
from rich_agent.documents.connectors.selecting import why_not as why_not
from rich_agent.documents.extract.mail_headers import header_text as header_text
from rich_agent.documents.fetch.bodies import gunzip as gunzip
from rich_agent.documents.fetch.errors import FetchError as FetchError
from rich_agent.documents.fetch.outcomes import Outcome as Outcome
from rich_agent.documents.fetch.outcomes import RawDocument as RawDocument
from rich_agent.documents.fetch.outcomes import Skipped as Skipped
from rich_agent.documents.fetch.outcomes import Unreadable as Unreadable
from rich_agent.documents.media import MediaType as MediaType
from rich_agent.documents.media import media_type_of as media_type_of
from rich_agent.documents.media import media_type_of_path as media_type_of_path
from rich_agent.documents.source import LEFT_OUT as LEFT_OUT
from rich_agent.documents.source import Selection as Selection
from rich_agent.documents.source import SourceJob as SourceJob
from rich_agent.domain.intranet import Intranet as Intranet
from rich_agent.domain.intranet import stays_at as stays_at
from rich_agent.repositories.due_work import prompt_due as prompt_due
from rich_agent.upstreams.servers.retry_after import wait_from as wait_from
