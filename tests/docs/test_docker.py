"""Docker compose starts what the documentation says, and confined."""

import http.server
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rich_agent.settings.checks import likely_in_environment, likely_in_file
from rich_agent.settings.settings import all_settings, secret_names

ROOT = Path(__file__).parents[2]
COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text("utf-8")
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE_TEXT)["services"]
PASSWORDS = {"POSTGRES_PASSWORD", "POSTGRES_OWNER_PASSWORD", "POSTGRES_BOT_PASSWORD"}
_INIT = """
import subprocess, sys
child = subprocess.Popen(["sleep", "60"])
print("started", flush=True)
child.wait()
"""


def test_compose_demands_nothing_that_the_example_does_not_have() -> None:
    """Each variable stands in `.env.example`; the guide makes those that are demanded."""
    example = (ROOT / ".env.example").read_text("utf-8")
    used = set(re.findall(r"\$\{(\w+)", COMPOSE_TEXT))
    assert used <= set(re.findall(r"^#?(\w+)=", example, re.MULTILINE))
    assert set(re.findall(r"\$\{(\w+):\?", COMPOSE_TEXT)) == PASSWORDS
    guide = (ROOT / "docs/how-to/run-on-a-server.md").read_text("utf-8")
    roles = re.search(r"for role in ([A-Z_ ]+); do", guide)
    assert roles
    assert {f"{role}_PASSWORD" for role in roles[1].split()} == PASSWORDS


def test_compose_passwords_are_not_taken_for_misspelt_settings() -> None:
    """They stand in the same file as the settings."""
    for name in PASSWORDS:
        assert likely_in_file(name, all_settings()) == ()
        assert likely_in_environment(name, all_settings(), (), secret_names()) == ()


def test_containers_reach_a_model_server_on_the_machine() -> None:
    """By the name that the guide tells; the database has no use for it."""
    named = "host.docker.internal"
    reached = {
        name
        for name, one in SERVICES.items()
        if any(named in h for h in one.get("extra_hosts", ()))
    }
    assert reached == {"bot", "worker"}
    guide = (ROOT / "docs/how-to/run-on-a-server.md").read_text("utf-8")
    assert f"OPENAI_BASE_URL=http://{named}:" in guide


@pytest.mark.parametrize("name", SERVICES)
def test_compose_service_is_confined(name: str) -> None:
    """It can write to nothing but its volumes, gain no rights, and take no more than its share."""
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert service["tmpfs"]
    assert service["pids_limit"]
    assert service["mem_limit"]
    assert "cap_add" not in service or name == "postgres"
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


def test_compose_gives_each_service_only_its_own_password() -> None:
    """Nobody who serves is a superuser, or may change a table."""
    for name, service in SERVICES.items():
        given = {
            word
            for key, value in service["environment"].items()
            for word in PASSWORDS & {key, *re.findall(r"\w+", str(value))}
            if value
        }
        expected = {"migrate": {"POSTGRES_OWNER_PASSWORD"}, "postgres": PASSWORDS}
        assert given == expected.get(name, {"POSTGRES_BOT_PASSWORD"}), name
        if "env_file" in service:
            assert {key for key in PASSWORDS if service["environment"].get(key) == ""} == PASSWORDS
    assert "env_file" not in SERVICES["migrate"]


def test_images_are_named_by_exact_versions() -> None:
    """An image or a tool that changes under its name would be another one than was tried."""
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    images = re.findall(r"^ARG BASE=(\S+)", dockerfile, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)) == {"${BASE}"}
    images += [service["image"] for service in SERVICES.values() if "build" not in service]
    assert len(images) == 2
    assert all(re.search(r":\d+\.\d+\.\d+", image) for image in images)
    assert re.search(r"pip install .*\buv==\d+\.\d+\.\d+", dockerfile)
    guide = (ROOT / "docs/how-to/run-on-a-server.md").read_text("utf-8")
    (reason,) = re.findall(r"no digests: .*", guide)
    assert all(f"`{image}`" in reason for image in images)


def test_roles_are_made_as_the_guide_says() -> None:
    """`tests/integration/test_serving_role.py` serves with the roles of the guide."""

    def statements(text: str) -> list[str]:
        begin, end = text.index("CREATE ROLE"), text.rindex("TO rich_agent_app;")
        lines = text[begin : end + len("TO rich_agent_app;")].splitlines()
        kept = [one for one in lines if not one.startswith(("CREATE DATABASE", "\\connect"))]
        return [re.sub(r"PASSWORD .*;", "PASSWORD;", one) for one in kept]

    script = (ROOT / "docker/postgres-roles.sh").read_text("utf-8")
    guide = (ROOT / "docs/how-to/run-on-a-server.md").read_text("utf-8")
    assert statements(script) == statements(guide)


def test_image_has_what_the_guides_register() -> None:
    """Folders of the documentation's commands are in the image, and the stand-ins are not."""
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    assert {"COPY docs /app/docs", "COPY sample /app/sample"} <= set(dockerfile.splitlines())
    assert "--extra demo" not in dockerfile
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for source in re.findall(r"^COPY (?!--)(.+) \S+$", dockerfile, re.MULTILINE):
        assert {f"!{part}" for part in source.split()} <= set(ignored), source


@pytest.fixture
def init() -> Iterator[subprocess.Popen[str]]:
    """A process with a child, as the container's first process has the bot."""
    with subprocess.Popen(
        [sys.executable, "-c", _INIT], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        process.stdout.readline()
        yield process
        process.kill()


def check_health(url: str, directory: Path, init_pid: int) -> int:
    """One run of the container's health check."""
    call = "import json, sys, health, pathlib; a = json.loads(sys.argv[1]);"
    call += "sys.exit(health.check(a[0], pathlib.Path(a[1]), a[2]))"
    arguments = json.dumps([url, str(directory / "failures"), init_pid])
    done = subprocess.run([sys.executable, "-c", call, arguments], cwd=ROOT / "docker", check=False)
    return done.returncode


def test_health_check_ends_a_bot_that_is_silent(
    tmp_path: Path, init: subprocess.Popen[str]
) -> None:
    """After twelve failures in a row, so that it is started again; one success forgives."""
    (tmp_path / "failures").write_text("10")
    silent = "http://127.0.0.1:9/healthz"
    assert check_health(silent, tmp_path, init.pid) == 1
    assert init.poll() is None
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert check_health(f"http://127.0.0.1:{server.server_port}/", tmp_path, init.pid) == 0
    assert not (tmp_path / "failures").exists()
    (tmp_path / "failures").write_text("11")
    assert check_health(silent, tmp_path, init.pid) == 1
    init.wait(timeout=10)
