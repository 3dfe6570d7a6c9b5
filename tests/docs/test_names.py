"""Names in the documentation that are written as code are in the code."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL
from rich_agent.feature import loaded_features
from rich_agent.settings.settings import all_settings

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", ".env.example")),
        *ROOT.glob("docs/**/*.md"),
    ]
)
# Without the migrations: a table that was dropped is still in these.
CODE = (
    *("src", "packages", "ingest", "bench", "docker", "tests", "vendor", ".ci", "deploy"),
    *("pyproject.toml", "Makefile", "Dockerfile", "docker-compose.yml", "alembic.ini"),
)
# Names of other programs, and of examples.
NOT_OURS = {"ENABLE_DIRECT_CONNECTIONS", "TimeoutStopSec", "user_provided"}
NOT_OURS |= {"domain_company_handbook", "standup.toml", "data/", "/newbot", "/root"}
NOT_OURS |= {"/home", "/opt/rich-agent", "/srv/documents", "BUILDAH_FORMAT"}
NOT_OURS |= {"COMPOSE_FILE", "pg_verifybackup", "pg_rewind"}
NOT_OURS |= {"pg_last_xact_replay_timestamp"}
NOT_OURS |= {"OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"}
NOT_OURS |= {"OPENAI_API_BASE_URL", "ENABLE_FORWARD_USER_INFO_HEADERS", "TASK_MODEL_EXTERNAL"}
# A column that only a migration names.
NOT_OURS |= {"only_row"}
OF_FEATURES = frozenset(entry.name for one in loaded_features() for entry in one.menu)
_SPAN = re.compile(r"`([^`\n]+)`")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}")
_PATH = re.compile(r"[a-z_.]+(?:/[a-z_.\-]+)*(?:/|\.(?:py|ftl|toml|ini))")
_SET = re.compile(r"^#?\s*+(?:export )?([A-Z]+(?:_[A-Z]+)+)=", re.MULTILINE)
_COMMAND = re.compile(r"/([a-z]+)(?:[ /].*)?")
_PHRASE = re.compile(r"[a-z]+(?:-[a-z]+)+")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@cache
def tracked() -> list[str]:
    """The files of the repository."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


@cache
def words_of_the_code() -> frozenset[str]:
    """Every word of it, and the settings, whose names are put together there."""
    words = set(all_settings())
    for name in tracked():
        file = ROOT / name
        if name.startswith(CODE) and name != "tests/docs/test_names.py" and file.is_file():
            text = file.read_text("utf-8", errors="ignore")
            words.update(_WORD.findall(text))
            # Codes of refusals are phrases.
            words.update(one.replace("-", "_") for one in _PHRASE.findall(text))
    return frozenset(words | {word.upper() for word in words if word.islower()})


@cache
def places() -> frozenset[str]:
    """Every file and folder, under each end of its path: `src/a/b.py`, `a/b.py`, `b.py`."""
    found = set[str]()
    for name in tracked():
        parts = Path(name).parts
        for end in range(1, len(parts) + 1):
            tail = "/" if end < len(parts) else ""
            found.update("/".join(parts[begin:end]) + tail for begin in range(end))
    return frozenset(found)


def is_in_code(name: str) -> bool:
    """Whether it is a word there; the client of Prometheus adds `_total` to a counter."""
    return bool({name, name.removesuffix("_total")} & words_of_the_code())


@cache
def addresses() -> str:
    """The code that says where it is reached over HTTP, and at the terminal."""
    folders = (ROOT / "src", ROOT / "packages")
    return "".join(path.read_text("utf-8") for one in folders for path in one.rglob("*.py"))


def is_reached(name: str) -> bool:
    """Whether it is a command of the bot or of the feature in the docs, or begins an address."""
    return (
        name in {*FOR_ALL, *FOR_ADMINS, *OF_FEATURES, "bookmarks"}
        or re.search(rf'"/{name}["/ ]', addresses()) is not None
    )


def unknown(text: str) -> list[str]:
    """The names in a page that nothing in the repository has."""
    blocks = "\n".join(_FENCE.findall(text))
    lost = [name for name in _SET.findall(blocks) if name not in NOT_OURS and not is_in_code(name)]
    for span in _SPAN.findall(_FENCE.sub("", text)):
        name = span.partition("=")[0].rstrip("()")
        if name in NOT_OURS:
            continue
        if (_IDENTIFIER.fullmatch(name) and not is_in_code(name)) or (
            _PATH.fullmatch(span) and span not in places()
        ):
            lost.append(span)
        command = _COMMAND.fullmatch(span)
        if command and not is_reached(command[1]):
            lost.append(span)
    return lost


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_names_of_a_page_are_in_the_code(page: Path) -> None:
    """Settings, tables, metrics, classes, modules and folders."""
    assert unknown(page.read_text("utf-8")) == []


def test_name_that_is_gone_is_found() -> None:
    """Of each kind; what is not ours to name is left alone."""
    gone = "`SHARE_OF_RATE=1`, `sending_shares`, `ShareKeeper`, `telegram/shares.py`, `shares/`"
    assert unknown(gone) == [name.strip("`") for name in gone.split(", ")]
    assert unknown("`/shares` `/shares all`") == ["/shares", "/shares all"]
    assert unknown("```sh\nexport SHARE_OF_RATE=1\n```") == ["SHARE_OF_RATE"]
    assert (
        unknown(
            "`ALLOWED_USERS=*` `access_list` `domain/access.py` `telegram/` `/forget tea` `/mcp`"
        )
        == []
    )


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_map_of_folders_lacks_no_room(page: str) -> None:
    """Each folder of the product is on it."""
    told = (ROOT / page).read_text("utf-8")
    folders = (
        path for path in (ROOT / "src/rich_agent").iterdir() if (path / "__init__.py").exists()
    )
    rooms = sorted(path.name for path in folders)
    assert [room for room in rooms if not re.search(rf"\b{room}/", told)] == []


def test_map_of_folders_has_nothing_that_is_gone() -> None:
    """Each line of CONTRIBUTING's map begins with folders or files that exist."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (drawn,) = re.findall(r"```text\n(src/.*?)```", page, re.DOTALL)
    heads = [re.split(r"   +", line.strip())[0] for line in drawn.splitlines()]
    named = [word for head in heads for word in head.split() if word.endswith(("/", ".py"))]
    assert len(named) > 20
    assert [word for word in named if word not in places()] == []
