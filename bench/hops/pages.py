"""Makes the collection of the questions: pages of documentation packages of Debian 12.

The packages are fetched by apt. Their texts stay in the folder that is made.
"""

import json
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

QUESTIONS = Path(__file__).with_name("questions.jsonl")
OTHERS = 200
"""Pages that no question is about, drawn with a fixed seed."""
_SEED = 7
_DOC = "usr/share/doc"
PACKAGES = {
    "git": ("git-doc", f"{_DOC}/git-doc"),
    "python": ("python3.11-doc", f"{_DOC}/python3.11/html/library"),
    "postgres": ("postgresql-doc-15", f"{_DOC}/postgresql-doc-15/html"),
    "sqlite": ("sqlite3-doc", f"{_DOC}/sqlite3"),
    "django": ("python-django-doc", f"{_DOC}/python-django-doc/html"),
}
"""Of each first folder of a page's name, the package and the folder in it."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A question, the page that names what it describes, and the page that answers it.

    `bridge` is that name, as the first page has it, and `answer` a string of the second page.
    `step1` and `step2` are what is searched for by somebody who takes one step after the other.
    """

    question: str
    first: str
    second: str
    bridge: str
    answer: str
    step1: str
    step2: str


def load() -> list[Hop]:
    """The questions in the order of the file."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [Hop(**json.loads(line)) for line in lines]


def build(folder: Path, hops: Sequence[Hop]) -> int:
    """Copy the pages of the questions and some others into a new folder; how many there are.

    Raises: subprocess.CalledProcessError without a package; FileNotFoundError without a page.
    """
    wanted = {page for hop in hops for page in (hop.first, hop.second)}
    with tempfile.TemporaryDirectory() as unpacked:
        held = dict(_held(Path(unpacked)))
        others = sorted(held.keys() - wanted)
        chosen = random.Random(_SEED).sample(others, OTHERS)  # noqa: S311 - a sample
        for page in sorted([*wanted, *chosen]):
            target = folder / page
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(held[page], target)
    return len(wanted) + OTHERS


def _held(unpacked: Path) -> Iterator[tuple[str, Path]]:
    """Fetch the packages and yield their pages by name."""
    for name, (package, inside) in PACKAGES.items():
        # apt has no rights in a private folder, and says so, but it goes on as who runs it.
        apt = ["apt-get", "-qq", "download", package]
        subprocess.run(apt, check=True, cwd=unpacked, capture_output=True)
        (archive,) = unpacked.glob(f"{package}_*.deb")
        subprocess.run(["dpkg-deb", "-x", str(archive), str(unpacked / name)], check=True)
        root = unpacked / name / inside
        for page in root.rglob("*.html"):
            yield f"{name}/{page.relative_to(root).as_posix()}", page
