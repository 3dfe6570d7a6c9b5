"""The workflow of the hosting platform does what `.ci/run` does, and nothing more."""

import os
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
# YAML 1.1 reads `on` as true.
WORKFLOW: dict[Any, Any] = yaml.safe_load(TEXT)
(JOB,) = WORKFLOW["jobs"].values()


def test_workflow_runs_the_one_script() -> None:
    """A check that only one of the two made would be found out late."""
    commands = [step["run"] for step in JOB["steps"] if "run" in step]
    assert commands == [".ci/run"]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    *_, test, _, _, soak = (ROOT / ".ci/run").read_text("utf-8").splitlines()
    assert test == "make test"
    assert soak.endswith('elif [ -n "${SINCE:-}" ]; then make soak-changed; fi')


def test_workflow_runs_on_the_oldest_python_and_a_node_that_is_new_enough() -> None:
    """As `pyproject.toml` and `.ci/run` say."""
    oldest = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert oldest
    assert JOB["container"]["image"].startswith(f"python:{oldest[1]}.")
    (node,) = re.findall(r'node-version: "(\d+)"', TEXT)
    assert int(node) >= 20


def test_workflow_of_strangers_changes_may_only_read() -> None:
    """A proposed change runs code of its author: it gets no secret, and no right to write."""
    assert set(WORKFLOW[True]) == {"push", "pull_request"}
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert "permissions" not in JOB
    assert "secrets." not in TEXT


def test_workflow_keeps_what_is_locked() -> None:
    """The caches are those of uv and npm, under the hashes of the lock files."""
    used = {
        step["uses"].split("@")[0]: step.get("with", {}) for step in JOB["steps"] if "uses" in step
    }
    assert JOB["env"]["UV_CACHE_DIR"] == used["actions/cache"]["path"]
    locks = [used["actions/setup-node"]["cache-dependency-path"]]
    locks += re.findall(r"hashFiles\('(.+?)'\)", used["actions/cache"]["key"])
    assert len(locks) == 2
    assert all((ROOT / lock).is_file() for lock in locks)


def test_workflow_names_the_programs_of_others_by_their_commits() -> None:
    """A tag can be moved to other code; the version stands behind for readers."""
    used = re.findall(r"uses: (.+)", TEXT)
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in used)
