"""A budget for each test: one second of processor time, of its own process and those below it.

Processor time tells of the test, the clock of the machine's load as well. What tests share, such as
a bot of a file, belongs to none of them: fixtures of a wider scope are left out.
"""

import os
import time
from collections.abc import Iterator

import pytest
from _pytest.runner import runtestprotocol

BUDGET_S = 1.0
"""For a test that is no soak test, needs no browser, and tells no reason with `costs`."""
_SPREAD = 2.0
"""The same test takes up to twice as long where caches of the processor are shared: no failure."""
_PACE_LOOPS = 1_000_000
_PACE_S = 0.011
"""For the loops of `_slowness`, on an idle core of the machine on which the budget was chosen."""
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_EXCEPTED = ("costs", "soak", "browser")
_DEAREST = 10
_PROPERTY = "processor_s"
_COST = pytest.StashKey[float]()


class ProcessTree:
    """This process and all below it, with the processor time that they have taken."""

    def __init__(self) -> None:
        self._others: set[str] = set()  # nothing comes below this process that was not begun there

    def processor_s(self) -> float:
        """Seconds, with those of processes that have ended.

        One that has ended counts through its parent, which has waited for it. What has no parent in
        the tree any more does not count, such as the database server.
        """
        if not _has_children():
            times = os.times()
            return times.user + times.system + times.children_user + times.children_system
        names = {name for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208 - quicker
        self._others &= names
        processes = {name: found for name in names - self._others if (found := _read(name))}
        below: dict[str, int] = {}
        parents = {str(os.getpid())}
        while parents:
            below |= {name: processes[name][1] for name in parents if name in processes}
            parents = {name for name, (parent, _) in processes.items() if parent in parents}
        self._others |= processes.keys() - below.keys()
        return sum(below.values()) / _TICKS_PER_S


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _read(name: str) -> tuple[str, int] | None:
    """The parent and the ticks of a process, from the fields 4 and 14 to 17 in `man 5 proc`."""
    try:
        with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - quicker
            fields = file.read().rpartition(b")")[2].split()
    except OSError:  # it has ended
        return None
    return fields[1].decode(), sum(map(int, fields[11:15]))


def _slowness() -> float:
    """Factor by which a piece of work takes longer here and now than on an idle core; 1 or more."""
    began = time.process_time()
    for _ in range(_PACE_LOOPS):
        pass
    return max(1.0, (time.process_time() - began) / _PACE_S)


class Budget:
    """A plugin of pytest; fails each test that passes, but costs more than its budget."""

    def __init__(self) -> None:
        self._tree = ProcessTree()
        self._costs: dict[str, float] = {}

    @pytest.fixture(autouse=True)
    def _cost_of_test(self, request: pytest.FixtureRequest) -> Iterator[None]:
        """Set up after what tests share, and first of what this test has to itself."""
        before = self._tree.processor_s()
        yield
        cost = self._tree.processor_s() - before
        request.node.stash[_COST] = cost
        request.node.user_properties.append((_PROPERTY, round(cost, 2)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run a test, and once more if it costs too much: the first use of a library is not its."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        if _excess(item, reports):
            again = runtestprotocol(item, log=False, nextitem=nextitem)
            failed = any(report.failed for report in again)
            if excess := (_excess(item, again) or (failed and "It does not pass twice.")):
                (call,) = (report for report in reports if report.when == "call")
                call.outcome, call.longrepr = "failed", excess
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the costs for the summary."""
        if report.when == "teardown":
            costs = [cost for name, cost in report.user_properties if name == _PROPERTY]
            self._costs[report.nodeid] = sum(cost for cost in costs if isinstance(cost, float))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print what the tests cost together, and the dearest of them."""
        if not self._costs:
            return
        total_s, count = sum(self._costs.values()), len(self._costs)
        terminalreporter.write_sep("-", "processor time")
        terminalreporter.write_line(f"{total_s:,.0f} s in {count:,} tests; the dearest:")
        dearest = sorted(self._costs, key=self._costs.__getitem__, reverse=True)[:_DEAREST]
        for test in dearest:
            terminalreporter.write_line(f"{self._costs[test]:8.2f} s {test}")


def _excess(item: pytest.Item, reports: list[pytest.TestReport]) -> str:
    """The reason why a test that has passed costs too much; empty if it does not."""
    excepted = any(item.get_closest_marker(name) for name in _EXCEPTED)
    if excepted or any(not report.passed for report in reports):
        return ""
    limit_s = BUDGET_S
    if (cost_s := item.stash[_COST]) > limit_s:
        limit_s *= _slowness()
    if cost_s <= limit_s * _SPREAD:
        return ""
    return (
        f"It takes {cost_s:.2f} s of the processor, {limit_s:.2f} s are its budget. Do less, share "
        'what is set up, or mark it: @pytest.mark.costs("why it needs more"), or soak.'
    )
