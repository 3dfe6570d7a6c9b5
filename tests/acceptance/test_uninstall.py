"""`rich-agent uninstall`: what it names is removed, what is not its own stays."""

import psycopg
import pytest

from rich_agent.repositories.database.embedded import EmbeddedPostgres
from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.world import ROOT, environment
from tests.database import await_unused, fast_storage, temporary_data_dir
from tests.forking import Ended, run_to_end

UNIT = "[Service]\nWorkingDirectory={}\n"


@pytest.mark.costs("it starts commands, and servers of PostgreSQL")
def test_uninstall_removes_what_it_names() -> None:
    """It asks once, backs up first if told to, and refuses while the data are in use."""
    with temporary_data_dir(parent=fast_storage()) as bot:
        data_dir, env_file, unit = bot / "data", bot / ".env", bot / "config/systemd/user"
        variables = environment("http://127.0.0.1:9", "", DATA_DIR=str(data_dir))
        variables |= {"XDG_CONFIG_HOME": str(bot / "config"), "XDG_DATA_HOME": str(bot / "share")}

        def run(*words: str, expect: int = 0) -> Ended:
            done = run_to_end(list(words), variables, bot, deadline_s=90)
            assert done.returncode == expect, done.stdout + done.stderr
            return done

        run("ingest.cli", "add-source", str(ROOT / "sample"))
        env_file.write_text("LOG_LEVEL=info\n")
        unit.mkdir(parents=True)
        (unit / "rich-agent.service").write_text(UNIT.format(bot))
        demo = bot / "share/rich-agent/demo"
        demo.mkdir(parents=True)
        with EmbeddedPostgres(demo):
            (demo / "running").write_text("http://127.0.0.1:8000")
        own = [data_dir / "letter.txt", data_dir / "postgres.dump", demo / "sandbox.txt"]
        own += [data_dir / "demo/film.txt", data_dir / "connected/wires.txt"]
        for file in own:
            file.parent.mkdir(exist_ok=True)
            file.write_text("not the bot's")
        (data_dir / "connected/src_0123456789ab").mkdir()

        trial = run("rich_agent.cli", "uninstall", "--dry-run").stdout
        removed, _, stays = trial.partition("This stays:")
        assert all(f"\n    {name}\n" in removed for name in ("postgres", "postgres.log"))
        assert f"the data in {demo}," in removed
        assert not any(file.name in removed for file in own)
        assert str(unit) in removed
        assert str(env_file) in stays
        assert str(ROOT) in stays
        assert "nobody can be asked" in run("rich_agent.cli", "uninstall", expect=1).stderr
        with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url()):
            words = run("rich_agent.cli", "uninstall", "--yes", expect=1).stderr
            assert "are in use" in words
        assert EmbeddedPostgres.is_in(data_dir)
        assert (unit / "rich-agent.service").exists()

        with at_terminal(["rich_agent.cli", "uninstall"], variables, bot) as terminal:
            terminal.until("Enter: no")
            terminal.type("b\n")
            terminal.until("removed\r\n")
            assert terminal.end() == 0
        left = [path for path in (*data_dir.rglob("*"), *demo.rglob("*")) if path.is_file()]
        assert set(left) == set(own)
        assert not (unit / "rich-agent.service").exists()
        assert env_file.exists()
        backups = list(bot.glob("rich-agent-*.backup"))
        assert len(backups) == 2
        for backup in backups:
            run("rich_agent.cli", "restore", "--dry-run", str(backup))
        assert "nothing to remove" in run("rich_agent.cli", "uninstall").stdout
        await_unused(bot)
