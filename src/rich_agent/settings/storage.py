"""The settings of documents, databases, conversations and logs."""

from functools import cached_property
from pathlib import Path
from typing import Literal

import platformdirs

from rich_agent.domain.intranet import Intranet
from rich_agent.settings.dotenv import ENV_FILE
from rich_agent.settings.fields import Group, setting
from rich_agent.settings.types import Count, Hosts, Number, OptionalCount, Secret, Text


class DocumentSettings(Group):
    """Settings for reading documents, both the operator's and those that users send."""

    intranet_hosts: Hosts = setting(
        "Hosts on private networks that `ingest` may read, comma-separated: names, "
        "`*.corp.example`, addresses, networks such as 10.0.0.0/8.",
        (),
    )
    respect_robots: bool = setting(
        "Read only pages that the robots.txt of their host allows.", default=True
    )
    max_file_mb: int = setting("Largest local file that `ingest` reads, in MB.", 100, ge=1, le=2000)
    scanned_pages: Count = setting(
        "Most pages without text of a PDF that a user sends that are shown to the vision model.",
        20,
        name="FILE_SCANNED_PAGES",
        le=500,
        changes_at_run_time=True,
    )
    sync_scanned_pages: Count = setting(
        "Most pages without text of registered PDFs that `ingest sync` shows to the vision model, "
        "each page once; 0: none.",
        0,
        name="INGEST_SCANNED_PAGES",
        le=100_000,
    )
    ocr_languages: Text = setting(
        "Languages of the pages that `ingest sync` reads by OCR (extra `ocr`), as Tesseract "
        "names them, up to four: `eng+deu`; `none`: no OCR; unset: all whose data is "
        "installed."
    )

    @cached_property
    def intranet(self) -> Intranet:
        """The hosts on private networks that may be read."""
        return Intranet.parse(self.intranet_hosts)


def users_data_dir() -> Path:
    """This program's folder among the user's data. Source: XDG Base Directory and others."""
    return platformdirs.user_data_path("rich-agent", appauthor=False)


def default_data_dir(folder: Path) -> Path:
    """The data folder of a program that is started in `folder` without DATA_DIR."""
    marker_names = ("data", ENV_FILE, "src/rich_agent")
    has_marker = any((folder / name).exists() for name in marker_names)
    return Path("data") if has_marker else users_data_dir()


class StorageSettings(Group):
    """Settings for the databases, and for how long users' data is kept."""

    database_url: Text = setting("PostgreSQL with pgvector; unset: an embedded one under DATA_DIR.")
    rag_database_url: Text = setting("Database for documents and decisions; unset: DATABASE_URL.")
    database_direct_url: Text = setting(
        "PostgreSQL itself, where DATABASE_URL leads through a pooler in transaction mode."
    )
    rag_read_url: Text = setting(
        "Streaming replica of the documents' database, where they are searched; unset: nowhere."
    )
    rag_read_lag_s: float = setting(
        "Seconds that the replica may be behind; if it is more, documents are searched in "
        "RAG_DATABASE_URL.",
        5.0,
        ge=1,
        le=300,
    )
    data_dir: Path = setting(
        "Where the embedded PostgreSQL keeps its files. If it is unset, and the folder has neither "
        "`data` nor `.env` nor rich-agent's sources: the user's data folder, such as "
        "`~/.local/share/rich-agent`.",
        Path("data"),
    )
    database_pool_size: OptionalCount = setting(
        "Maximum connections of a process to each database; unset: one for every four users that "
        "it serves at once, at least 10.",
        ge=2,
    )
    retention_days: float = setting(
        "Days for which answered updates, sent messages, calls of tools, runs and images of other "
        "programs, and tasks and notes that users deleted are kept.",
        30.0,
        gt=0,
    )
    conversation_days: Number = setting(
        "Days for which conversations, their archive and the records of their answers are kept; "
        "unset: forever.",
        gt=0,
    )
    credentials_key: Secret = setting(
        "Key that encrypts what the bot is given for other services: passwords of `/connect`, "
        "secrets of `ingest connect` and of hooks; unset: it is given none. Several, "
        "comma-separated: the first encrypts, all decrypt."
    )

    @cached_property
    def credentials_keys(self) -> tuple[str, ...]:
        """The keys for stored credentials of other services; the first key encrypts."""
        text = self.credentials_key.get_secret_value() if self.credentials_key else ""
        return tuple(key.strip() for key in text.split(",") if key.strip())


class LogSettings(Group):
    """Settings for the log."""

    format: Literal["json", "console"] = setting("Format of the log.", "console", name="LOG_FORMAT")
    level: Literal["debug", "info", "warning", "error"] = setting(
        "Lowest level that is logged.", "info", name="LOG_LEVEL", changes_at_run_time=True
    )
