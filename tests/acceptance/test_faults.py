"""Faults as `python -m bench.faults` shows them, each a few times: what is promised must hold.

Aims that depend on the machine's speed are the bench's alone.
"""

from collections.abc import Iterator

import pytest

from bench.chaos import QUICK, trial
from bench.faults.finding import Fault
from bench.faults.ground import Ground, open_ground
from bench.faults.table import FAULTS

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    """A sandbox and a PostgreSQL that may be killed, for all faults of this module."""
    with open_ground() as opened:
        yield opened


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.disk_mb is None], ids=lambda f: f.name)
@pytest.mark.req("DUR-1", "DUR-2", "IDEMP-1", "REL-1")
def test_fault_loses_nothing_doubles_nothing_and_keeps_the_order(
    ground: Ground, fault: Fault
) -> None:
    """Every promise of the row holds."""
    ground.forget()
    finding = fault.show(ground, fault.short)
    assert not finding.broken, finding.measured


@pytest.mark.req("DUR-1", "DUR-2", "IDEMP-1", "REL-1")
def test_all_faults_at_once_lose_nothing(ground: Ground) -> None:
    """Processes, database, model and Telegram fail while users, reminders and programs go on."""
    finding = trial(ground, seed=1, scale=QUICK)
    assert not finding.broken, finding.measured


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.disk_mb], ids=lambda f: f.name)
@pytest.mark.req("REL-1")
def test_full_disk_is_refused_and_outlived(fault: Fault) -> None:
    """A fault that needs a file system of its own, which only root can mount."""
    try:
        with open_ground(fault.disk_mb) as ground:
            finding = fault.show(ground, fault.short)
    except OSError as error:
        pytest.skip(str(error))
    assert not finding.broken, finding.measured
