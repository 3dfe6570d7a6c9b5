"""The registry of sources for features: lists, changes, progress, rights and uploaded files."""

from typing import TYPE_CHECKING

from rich_agent.documents.connectors.connections import Connecting
from rich_agent.documents.connectors.connections import PostgresConnections as PostgresConnections
from rich_agent.documents.connectors.hooks import SourceHooks
from rich_agent.documents.connectors.kinds import ConnectorKind as ConnectorKind
from rich_agent.documents.connectors.kinds import find_kind as find_kind
from rich_agent.documents.connectors.kinds import installed_kinds as installed_kinds
from rich_agent.documents.fetch.fetching import FetchOptions as FetchOptions
from rich_agent.documents.registry.connecting import ConnectionRequest as ConnectionRequest
from rich_agent.documents.registry.connecting import KindOverview as KindOverview
from rich_agent.documents.registry.connecting import all_kinds as all_kinds
from rich_agent.documents.registry.connecting import connect as connect
from rich_agent.documents.registry.connecting import try_out as try_out
from rich_agent.documents.registry.document_rights import ExplainedDocument as ExplainedDocument
from rich_agent.documents.registry.document_rights import (
    PostgresDocumentRights as PostgresDocumentRights,
)
from rich_agent.documents.registry.listing import DOCUMENT_STATES as DOCUMENT_STATES
from rich_agent.documents.registry.listing import DocumentChoice as DocumentChoice
from rich_agent.documents.registry.listing import DocumentState as DocumentState
from rich_agent.documents.registry.listing import KnowledgeListing as KnowledgeListing
from rich_agent.documents.registry.listing import ListedDocument as ListedDocument
from rich_agent.documents.registry.listing import ListedSource as ListedSource
from rich_agent.documents.registry.listing import ReadingReason as ReadingReason
from rich_agent.documents.registry.outcomes import SourceOutcome as SourceOutcome
from rich_agent.documents.registry.previews import SourcePreview as SourcePreview
from rich_agent.documents.registry.previews import preview_source as preview_source
from rich_agent.documents.registry.progress import SourceReading as SourceReading
from rich_agent.documents.registry.progress import SyncProgressReader as SyncProgressReader
from rich_agent.documents.registry.registration import ScheduleChange as ScheduleChange
from rich_agent.documents.registry.registration import SourceRegistration as SourceRegistration
from rich_agent.documents.registry.source_clocks import Clock as Clock
from rich_agent.documents.registry.source_clocks import parse_every as parse_every
from rich_agent.documents.registry.spaces import PostgresSpaceRegistry as PostgresSpaceRegistry
from rich_agent.documents.registry.spaces import SpaceOverview as SpaceOverview
from rich_agent.documents.registry.uploads import NewFile as NewFile
from rich_agent.documents.registry.uploads import PostgresUploadedFiles as PostgresUploadedFiles
from rich_agent.documents.registry.uploads import check_files as check_files
from rich_agent.documents.source import Source as Source
from rich_agent.documents.source import SourceError as SourceError
from rich_agent.documents.source import SourceType as SourceType
from rich_agent.documents.source import make_source as make_source
from rich_agent.documents.source import uploaded_source as uploaded_source
from rich_agent.domain.intranet import Intranet as Intranet
from rich_agent.domain.rights import OPERATOR as OPERATOR
from rich_agent.domain.rights import PrincipalError as PrincipalError
from rich_agent.domain.rights import Reader as Reader
from rich_agent.ports.spaces import Spaces as Spaces
from rich_agent.upstreams.guarded_network import is_in_intranet as is_in_intranet

if TYPE_CHECKING:
    from rich_agent.feature.core import Core


def source_registration(core: "Core") -> SourceRegistration:
    """The registration of sources, with the key and the folder of the settings."""
    settings = core.settings
    connecting = Connecting(
        core.make_seal(), settings.storage.data_dir / "connected", settings.documents.intranet
    )
    hooks = SourceHooks(core.databases, core.make_seal)
    return SourceRegistration(core.databases, connecting, hooks, settings.web.public_address)
