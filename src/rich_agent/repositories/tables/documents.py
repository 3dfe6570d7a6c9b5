"""Documents: spaces, sources and their places, texts in chunks, and what finds these."""

from pgvector.sqlalchemy import HALFVEC, SPARSEVEC
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, REAL

from rich_agent.ports.user_data import UserData
from rich_agent.repositories.tables.moments import MOMENT, NOW
from rich_agent.repositories.tables.user_files import user_files

metadata = MetaData()

rag_spaces = Table(
    "rag_spaces",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("name", Text, nullable=False),
    Column(
        "readers",
        ARRAY(Text),
        nullable=False,
        server_default="{}",
        comment="Principals: everybody, user:7, list:legal, …",
    ),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    Index("rag_spaces_name_key", text("lower(name)"), unique=True),
    comment="Collections of sources, and who may read each of them",
)
rag_audiences = Table(
    "rag_audiences",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column(
        "digest",
        Text,
        nullable=False,
        unique=True,
        comment="What the set is found by: it may be a long one",
    ),
    Column("principals", ARRAY(Integer), nullable=False),
    Index("rag_audiences_principals", "principals", postgresql_using="gin"),
    comment="Sets of principals, each stored once",
)
rag_sources = Table(
    "rag_sources",
    metadata,
    Column("id", Text, primary_key=True),
    Column("type", Text, nullable=False),
    Column("root_url", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False, server_default="active"),
    Column("internal", Boolean, nullable=False, server_default=text("false")),
    Column("config", JSONB, nullable=False, server_default="{}"),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    Column("updated_at", MOMENT, nullable=False, server_default=NOW),
    Column("last_synced_at", MOMENT),
    Column(
        "owner_user_id",
        BigInteger,
        comment="Whose private source it is: only that user's questions are answered from it",
    ),
    Column(
        "user_file_id", BigInteger, ForeignKey(user_files.c.id, ondelete="CASCADE"), unique=True
    ),
    Column(
        "chunks",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="The number of its chunks, as last measured",
    ),
    Column(
        "space_id",
        Integer,
        ForeignKey("rag_spaces.id", ondelete="RESTRICT"),
        comment="The space whose readers may read it; NULL: everybody who may use the bot",
    ),
    Column(
        "has_rights",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="Whether each of its documents is open only to the audience of its place",
    ),
    Column(
        "rights_read_at",
        MOMENT,
        comment="When the service last told who may read what, which holds for a day",
    ),
    Column(
        "last_sync",
        JSONB,
        nullable=False,
        server_default="{}",
        comment="What its last sync changed, and what failed or was not read",
    ),
    UniqueConstraint("type", "root_url"),
    CheckConstraint(
        "(status = 'private') = (owner_user_id IS NOT NULL) AND (status = "
        "'private') = (user_file_id IS NOT NULL)",
        name="rag_sources_private_check",
    ),
    CheckConstraint("status IN ('active', 'inactive', 'private')", name="rag_sources_status_check"),
    CheckConstraint(
        "type IN ('page', 'url-list', 'sitemap', 'file', 'folder', 'user-file', 'connected', "
        "'upload')",
        name="rag_sources_type_check",
    ),
    Index("rag_sources_owner", "owner_user_id", postgresql_where=text("status = 'private'")),
    Index("rag_sources_space_id_idx", "space_id"),
    Index(
        "rag_sources_named",
        text("lower(name)"),
        "id",
        postgresql_where=text("status <> 'private'"),
    ),
    info=UserData(parent="user_files").info,
)
rag_places = Table(
    "rag_places",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("source_id", Text, ForeignKey("rag_sources.id", ondelete="CASCADE"), nullable=False),
    Column("key", Text, nullable=False),
    Column(
        "audience_id",
        Integer,
        ForeignKey("rag_audiences.id", ondelete="SET NULL"),
        comment="Who may read its documents; NULL: nobody",
    ),
    UniqueConstraint("source_id", "key"),
    Index("rag_places_audience", "audience_id"),
    comment="What has rights of its own in a source, such as a folder",
)
rag_documents = Table(
    "rag_documents",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("source_id", Text, ForeignKey("rag_sources.id", ondelete="CASCADE"), nullable=False),
    Column("url", Text, nullable=False),
    Column(
        "identity",
        Text,
        nullable=False,
        unique=True,
        comment="What chunk ids are derived from: the url, with the source when another "
        "held it first",
    ),
    Column("title", Text, nullable=False),
    Column("fetched_at", MOMENT, nullable=False),
    Column("fetched_at_bucket", MOMENT, nullable=False),
    Column("raw_hash", Text, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("raw_text", Text, nullable=False),
    Column("pipeline_version", Integer, nullable=False),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("last_error", Text),
    Column("canonical_url", Text),
    Column("chunk_count", Integer, nullable=False, server_default=text("0")),
    Column(
        "space_id",
        Integer,
        comment="The vector space that all chunks of the document were last given vectors in",
    ),
    Column(
        "place_id",
        Integer,
        ForeignKey("rag_places.id", ondelete="SET NULL"),
        comment="The place whose audience may read it; NULL: nobody, if the source has rights",
    ),
    Column(
        "inventory",
        JSONB,
        nullable=False,
        server_default="{}",
        comment="What it holds besides its text, by kind: how many parts, and how many were read",
    ),
    UniqueConstraint("source_id", "url"),
    Index(
        "rag_documents_place",
        "place_id",
        postgresql_where=text("place_id IS NOT NULL"),
        postgresql_include=["id", "chunk_count"],
    ),
    Index("rag_documents_url", "url"),
    Index(
        "rag_documents_failed",
        "source_id",
        "url",
        postgresql_where=text("last_error IS NOT NULL"),
    ),
    Index("rag_documents_empty", "source_id", "url", postgresql_where=text("chunk_count = 0")),
    Index(
        "rag_documents_unread",
        "source_id",
        "url",
        postgresql_where=text(
            "jsonb_path_exists(inventory, '$.keyvalue() "
            '?(!(@."key" starts with "hidden_") && @."value"[0] > @."value"[1])\')'
        ),
    ),
)
rag_chunks = Table(
    "rag_chunks",
    metadata,
    Column("id", Text, primary_key=True),
    Column(
        "document_id",
        BigInteger,
        ForeignKey("rag_documents.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("section", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    Column("link", Text, nullable=False),
    Column("chunk_index", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("token_count", Integer, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("source_id", Text, nullable=False),
    Column(
        "analysis",
        SmallInteger,
        nullable=False,
        server_default=text("0"),
        comment="The version of the rules that made length, terms and impacts; 0: not made yet",
    ),
    Column("length", Integer, nullable=False, server_default=text("0")),
    Column("terms", ARRAY(Integer), nullable=False, server_default="{}"),
    Column(
        "impacts",
        SPARSEVEC(1_000_000_000),
        nullable=False,
        server_default="{}/1000000000",
        comment="The BM25 weight of each term without its inverse document frequency",
    ),
    Index("rag_chunks_analysis", "analysis"),
    Index("rag_chunks_content_hash", "content_hash"),
    Index("rag_chunks_document", "document_id", "chunk_index"),
    Index("rag_chunks_source", "source_id"),
    Index("rag_chunks_terms", "terms", postgresql_using="gin"),
)
rag_embeddings = Table(
    "rag_embeddings",
    metadata,
    Column("chunk_id", Text, ForeignKey("rag_chunks.id", ondelete="CASCADE"), primary_key=True),
    Column("model", Text, primary_key=True),
    Column("content_hash", Text, nullable=False),
    Column("embedding", HALFVEC, nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    Column("source_id", Text, nullable=False),
    Column("dimensions", Integer, primary_key=True),
    Column(
        "document_id",
        BigInteger,
        comment="The document of the chunk; NULL in older rows of sources without rights",
    ),
    Index("rag_embeddings_content_hash", "content_hash", "model", "dimensions"),
    Index(
        "rag_embeddings_document", "document_id", postgresql_where=text("document_id IS NOT NULL")
    ),
    Index("rag_embeddings_source", "source_id"),
)
rag_scanned_pages = Table(
    "rag_scanned_pages",
    metadata,
    Column("source_id", Text, ForeignKey("rag_sources.id", ondelete="CASCADE"), primary_key=True),
    Column("url", Text, primary_key=True),
    Column("page", Integer, primary_key=True, autoincrement=False),
    Column("file_hash", Text, nullable=False, comment="SHA-256 of the bytes of the file"),
    Column(
        "reader",
        Text,
        nullable=False,
        server_default="",
        comment="vision:MODEL or ocr:LANGUAGES, which read the page; empty: nothing has yet",
    ),
    Column("content", Text, nullable=False, server_default=""),
    Column("noted_at", MOMENT, nullable=False, server_default=NOW),
    Index("rag_scanned_pages_file", "file_hash", "page"),
    comment="Pages without text of documents, and what was read on them",
)
rag_domain = Table(
    "rag_domain",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False, server_default=text("1")),
    Column("description", Text, nullable=False),
    Column("examples", ARRAY(Text), nullable=False, server_default="{}"),
    Column("documents", Integer, nullable=False, comment="How many documents there were then"),
    Column("described_at", MOMENT, nullable=False, server_default=NOW),
    Column(
        "sources",
        ARRAY(Text),
        nullable=False,
        server_default="{}",
        comment="The sources that it was written from; who may not read one does not get it",
    ),
    Column(
        "sample",
        ARRAY(BigInteger),
        nullable=False,
        server_default="{}",
        comment="The documents that it was written from; who may not read one does not get it",
    ),
    Column("tried_at", MOMENT, comment="When a model was last asked for it; NULL: never"),
    Column(
        "tries",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="How often a model was asked since the last success; each one waits longer",
    ),
    CheckConstraint("id = 1", name="rag_domain_id_check"),
    comment="What the documents are about, in one row that a model wrote",
)
rag_vector_spaces = Table(
    "rag_vector_spaces",
    metadata,
    Column("id", Integer, Identity(always=True), nullable=False, unique=True),
    Column("model", Text, primary_key=True),
    Column("dimensions", Integer, primary_key=True),
    Column("status", Text, nullable=False, server_default="building"),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    Column("switched_at", MOMENT),
    Column(
        "ef_search",
        Integer,
        comment="How many vectors a search of its HNSW index keeps in view; NULL: there is "
        "no index",
    ),
    Column(
        "measured_vectors",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="About how many vectors the space had when ef_search was measured; 0: it was not",
    ),
    Column(
        "trust",
        JSONB,
        comment="How well the model knows each language of the documents; NULL: not measured yet",
    ),
    Column("trusted_at", MOMENT),
    Column("filler", Text, comment="The process that makes missing vectors in the background"),
    Column(
        "filled_until",
        MOMENT,
        comment="When another process may take this over unless it is renewed",
    ),
    CheckConstraint(
        "status IN ('building', 'active', 'retired')", name="rag_vector_spaces_status_check"
    ),
    Index(
        "rag_vector_spaces_active",
        "status",
        unique=True,
        postgresql_where=text("status = 'active'"),
    ),
)
rag_terms = Table(
    "rag_terms",
    metadata,
    Column("term", Integer, primary_key=True, autoincrement=False),
    Column("chunks", Integer, nullable=False),
    comment="In how many chunks a term stands, as last measured",
)
rag_corpus = Table(
    "rag_corpus",
    metadata,
    Column("only_row", Boolean, primary_key=True, server_default=text("true")),
    Column("chunks", Integer, nullable=False, server_default=text("0")),
    Column(
        "average_length",
        REAL,
        nullable=False,
        server_default=text("0"),
        comment="What the impacts of all chunks are made with; 0: nothing was stored yet",
    ),
    Column(
        "changes",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="Chunks written or removed since it was measured",
    ),
    Column("measured_at", MOMENT),
    Column(
        "weighed_to",
        Text,
        comment="While impacts are made again for another average length: the last chunk "
        "that has its own",
    ),
    Column(
        "languages",
        ARRAY(Text),
        nullable=False,
        server_default="{}",
        comment="Languages of the chunks' words, but for those taken for granted in their script",
    ),
    Column(
        "language_chunks",
        JSONB,
        nullable=False,
        server_default="{}",
        comment="About how many chunks are in each language; chunks that are removed count "
        "until the next measurement",
    ),
    CheckConstraint("only_row", name="rag_corpus_only_row_check"),
)
rag_embedded_texts = Table(
    "rag_embedded_texts",
    metadata,
    Column("model", Text, primary_key=True),
    Column("dimensions", Integer, primary_key=True),
    Column("content_hash", Text, primary_key=True),
    Column("embedding", HALFVEC),
    Column("created_at", MOMENT, nullable=False, server_default=NOW),
    comment="Texts being embedded (no vector yet), and vectors whose document is not stored yet",
)
rag_refused_chunks = Table(
    "rag_refused_chunks",
    metadata,
    Column("chunk_id", Text, ForeignKey("rag_chunks.id", ondelete="CASCADE"), primary_key=True),
    Column("model", Text, primary_key=True),
    Column("dimensions", Integer, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("refused_at", MOMENT, nullable=False, server_default=NOW),
    comment="Chunks that a model cannot embed, so that words find them",
)
rag_sync_runs = Table(
    "rag_sync_runs",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("started_at", MOMENT, nullable=False, server_default=NOW),
    Column("finished_at", MOMENT),
    Column("status", Text, nullable=False, server_default="running"),
    Column("summary", JSONB),
    Column("error", Text),
    Column("source", Text, comment="The name of the source that is being read now"),
    Column("source_started_at", MOMENT),
    Column("documents", Integer),
    Column("done", Integer),
    Column("source_id", Text, comment="The source that is being read now"),
    Column(
        "runner",
        Text,
        nullable=False,
        server_default="",
        comment="The machine and the process that sync",
    ),
    Column(
        "failed",
        Integer,
        nullable=False,
        server_default=text("0"),
        comment="How many documents of the source have failed so far",
    ),
    Column(
        "last_failure",
        Text,
        nullable=False,
        server_default="",
        comment="The address and the reason of the latest failure",
    ),
    CheckConstraint("status IN ('running', 'done', 'failed')", name="rag_sync_runs_status_check"),
    Index("rag_sync_runs_started", text("started_at DESC")),
)
rag_uploads = Table(
    "rag_uploads",
    metadata,
    Column("source_id", Text, ForeignKey("rag_sources.id", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("size_bytes", Integer, nullable=False),
    Column("sha256", Text, nullable=False, comment="SHA-256 of the bytes, in hexadecimal digits"),
    Column("uploaded_at", MOMENT, nullable=False, server_default=NOW),
    comment="Files that operators uploaded, which sources of the type upload have",
)
