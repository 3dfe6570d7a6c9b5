"""The files of a release, and the workflows that publish them and try the newest dependencies."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github/workflows"
TEXTS = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.yml")}
WORKFLOWS: dict[str, dict[Any, Any]] = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
RELEASE = WORKFLOWS["release.yml"]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SCRIPT = ROOT / "deploy/release"


def runs(job: dict[str, Any]) -> str:
    """The commands of a job."""
    return "\n".join(step["run"] for step in job["steps"] if "run" in step)


@pytest.mark.parametrize("name", TEXTS)
def test_workflow_names_the_programs_of_others_by_their_commits(name: str) -> None:
    """A tag can be moved to other code."""
    used = re.findall(r"uses: (.+)", TEXTS[name])
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in used)
    assert "secrets." not in TEXTS[name]


def test_only_what_publishes_may_write() -> None:
    """The job that builds runs code of all packages; no job that writes does."""
    assert RELEASE["permissions"] == {"contents": "read"}
    jobs = RELEASE["jobs"]
    assert "permissions" not in jobs["build"]
    assert "make reproducible" in runs(jobs["build"])
    assert ".ci/run" in runs(jobs["build"])
    for name in ("publish", "index"):
        assert "make" not in runs(jobs[name])
        assert "sha256sum --check SHA256SUMS" in runs(jobs[name])
    assert jobs["index"]["permissions"] == {"id-token": "write"}
    assert "vars.PUBLISH_TO_INDEX" in jobs["index"]["if"]


def test_version_is_published_for_its_own_tag_only() -> None:
    """Both packages have one version, which is that of the tag."""
    (other,) = (ROOT / "packages").glob("*/pyproject.toml")
    version = PROJECT["project"]["version"]
    assert tomllib.loads(other.read_text("utf-8"))["project"]["version"] == version
    (check,) = [
        step["run"] for step in RELEASE["jobs"]["build"]["steps"] if "tag" in step.get("name", "")
    ]
    for tag, code in ((f"v{version}", 0), ("v9.9.9", 1)):
        env = {"GITHUB_REF_NAME": tag, "PATH": "/usr/bin:/bin"}
        done = subprocess.run(["bash", "-c", check], cwd=ROOT, env=env, check=False)
        assert done.returncode == code


def test_guide_names_the_files_that_a_release_has() -> None:
    """The table of `install.md`, and what the script writes."""
    guide = (ROOT / "docs/how-to/install.md").read_text("utf-8")
    table = guide.partition("## From a release")[2]
    files = set(re.findall(r"^\| `([\w.-]+)` \|", table, re.MULTILINE))
    version = PROJECT["project"]["version"]
    wheels = {f"{name}-{version}-py3-none-any.whl" for name in ("rich_agent", "rich_agent_sandbox")}
    script = SCRIPT.read_text("utf-8")
    written = set(re.findall(r"work/out/([\w.-]+)\"", script)) | {"SHA256SUMS"}
    assert "$name-source.tar.gz" in script
    assert files == wheels | written | {f"rich-agent-{version}-source.tar.gz"}


def test_release_is_built_from_a_commit_only(tmp_path: Path) -> None:
    """Files that are not committed would stand in no history."""
    for command in (["init", "-q"], ["add", "-A"]):
        (tmp_path / "deploy").mkdir(exist_ok=True)
        (tmp_path / "deploy/release").write_bytes(SCRIPT.read_bytes())
        subprocess.run(["git", "-C", tmp_path, *command], check=True)
    done = subprocess.run(
        ["bash", tmp_path / "deploy/release"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Commit them first" in done.stderr


def test_release_deletes_no_files_of_others(tmp_path: Path) -> None:
    """A folder with files that no release has put there is refused."""
    own = tmp_path / "thesis.txt"
    own.write_text("the only copy")
    done = subprocess.run(["bash", SCRIPT, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no release has put there" in done.stderr
    assert own.exists()


def test_newest_dependencies_are_tried_each_week() -> None:
    """By the command that a developer has, too."""
    workflow = WORKFLOWS["newest.yml"]
    assert runs(workflow["jobs"]["newest"]) == "make newest"
    assert re.fullmatch(r"\d+ \d+ \* \* \d", workflow[True]["schedule"][0]["cron"])
