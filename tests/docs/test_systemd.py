"""The systemd units are sound, confined, and name settings that exist."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rich_agent.settings.settings import names_in_files

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy/systemd"
COMMON = (UNITS / "rich-agent-.service.d/common.conf").read_text("utf-8")
NAMES = ["rich-agent-run", "rich-agent-serve", "rich-agent-worker@1"]
MOST_EXPOSED = 20
"""Of 100 in systemd's own measure; a unit without any of these lines has 96."""

pytestmark = pytest.mark.skipif(
    not shutil.which("systemd-analyze") and not os.environ.get("RICH_AGENT_REQUIRE_SYSTEMD"),
    reason="needs systemd-analyze, of the Debian package systemd",
)


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """The root of a system where the units and the program are installed."""
    shutil.copytree(UNITS, tmp_path / "etc/systemd/system")
    program = tmp_path / "opt/rich-agent/bin/rich-agent"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    targets = tmp_path / "lib/systemd/system"
    targets.mkdir(parents=True)
    for name in ("basic", "shutdown", "sysinit", "network-online", "multi-user"):
        (targets / f"{name}.target").write_text("[Unit]\n", "utf-8")
    return tmp_path


def analyze(root: Path, *words: str) -> tuple[int, str]:
    """The exit code and the output of systemd-analyze about a unit of a system."""
    command = ["systemd-analyze", f"--root={root}", "--man=no", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_unit_is_sound_and_confined(system: Path, name: str) -> None:
    """Systemd knows every line, also those of the common file; its own measure is kept low."""
    assert analyze(system, "verify", f"{name}.service") == (0, "")
    offline = ("--offline=yes", f"--threshold={MOST_EXPOSED}", "--no-pager")
    code, told = analyze(system, "security", *offline, f"{name}.service")
    assert code == 0, told


def test_units_hand_over_secrets_as_credentials() -> None:
    """Each under the name of a setting, from a file of root to one of the service."""
    place = "/etc/rich-agent/secrets"
    loaded = re.findall(rf"^LoadCredential=(\w+):{place}/(\w+)$", COMMON, re.MULTILINE)
    named = re.findall(r"^Environment=(\w+)_FILE=%d/(\w+)$", COMMON, re.MULTILINE)
    assert loaded == named != []
    assert {name for pair in named for name in pair} <= names_in_files()


def test_units_are_explained() -> None:
    """The guide installs every unit, and gives a process as long to end as they do."""
    guide = (ROOT / "docs/how-to/run-on-a-server.md").read_text("utf-8")
    for file in UNITS.glob("*.service"):
        assert file.stem in guide
    assert "TimeoutStopSec=40" in COMMON
    operate = (ROOT / "docs/how-to/operate.md").read_text("utf-8")
    assert "40 seconds" in operate
