"""Writes the files of all golden prompts: `python -m tests.golden_prompts`."""

import asyncio
import sys
from pathlib import Path

from tests.golden_prompts.files import FEATURES, FOLDER, as_files
from tests.golden_prompts.of_features import prompts_of_features
from tests.golden_prompts.singles import SINGLES, requests_of
from tests.golden_prompts.talks import TALKS


async def _every_file() -> dict[Path, str]:
    files: dict[Path, str] = {}
    for talk in TALKS:
        files |= as_files(talk.name, await talk.requests())
    for name in SINGLES:
        files |= as_files("alone", await requests_of(name))
    for feature in prompts_of_features():
        files |= await feature.files()
    return files


def main() -> None:
    """Write what is new, and delete what no situation leads to any more."""
    files = asyncio.run(_every_file())
    for path in {*FOLDER.glob("*/*.txt"), *FEATURES.glob("*/golden/*/*.txt")} - files.keys():
        path.unlink()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    sys.stdout.write(f"{len(files)} files in {FOLDER}\n")


if __name__ == "__main__":
    main()
