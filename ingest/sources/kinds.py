"""The kinds of sources; a separate module, so that `ingest --help` loads no HTTP client."""

from typing import Literal

SourceType = Literal["page", "url-list", "sitemap", "file", "folder"]
