import pytest

from rich_agent_sandbox.model.config import SandboxModelConfig


def test_config_reads_the_delay_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The delay of a stream can be set, and has a default."""
    monkeypatch.delenv("SANDBOX_STREAM_DELAY_S", raising=False)
    assert SandboxModelConfig.from_environment().stream_delay_s == 0.015
    monkeypatch.setenv("SANDBOX_STREAM_DELAY_S", "0")
    assert SandboxModelConfig.from_environment().stream_delay_s == 0
