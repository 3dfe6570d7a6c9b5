"""The `ingest` command over a folder, as a person would run it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.measured import Measured, run_measured

_INGEST = [sys.executable, "-m", "ingest.cli"]


@dataclass(frozen=True, slots=True)
class Sync:
    """One sync: the seconds that it tells itself, the chunks it embedded, and what was measured."""

    seconds: float
    embedded: int
    measured: Measured


def ingest_settings(
    database_url: str, openai_base_url: str, model: str, dimensions: int
) -> Mapping[str, str]:
    """The environment of the command."""
    return os.environ | {
        "OPENAI_API_KEY": "bench",
        "OPENAI_BASE_URL": openai_base_url,
        "EMBEDDING_MODEL": model,
        "EMBEDDING_DIMENSIONS": str(dimensions),
        "DATABASE_URL": database_url,
    }


def add_folder(folder: Path, settings: Mapping[str, str]) -> None:
    """Register the folder as a source."""
    command = [*_INGEST, "add-source", str(folder)]
    subprocess.run(command, env=settings, check=True, capture_output=True)


def sync_sources(settings: Mapping[str, str]) -> Sync:
    """Sync once; documents that cannot be read are no failure of the bench."""
    measured = run_measured([*_INGEST, "sync", "--json"], settings, allowed=(0, 1))
    report = json.loads(measured.output)
    return Sync(report["seconds"], report["chunks"]["embedded"], measured)
