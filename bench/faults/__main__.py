"""Show faults, one after the other: `python -m bench.faults --list`, `… kills --count 20`, `… all`.

Runs real processes against its own PostgreSQL and the sandbox. Exits with 1 if a promise is broken
or a goal is missed.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import typer

from bench.faults.finding import Fault, Finding, promised
from bench.faults.ground import Ground, open_ground
from bench.faults.table import FAULTS, SMALL_DISK_MB


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Faults, or `all`.")] = None,
    *,
    listed: Annotated[bool, typer.Option("--list", help="Say which there are.")] = False,
    count: Annotated[int | None, typer.Option(help="How often, instead of the usual.")] = None,
    short: Annotated[bool, typer.Option("--short", help="As the tests do.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """Show faults and print what came of each."""
    if listed or not names:
        typer.echo("\n".join(f"{fault.name:16}{fault.what}" for fault in FAULTS))
        return
    chosen = [_sized(fault, short=short, count=count) for fault in _chosen(names)]
    found = [pair for disk_mb in (None, SMALL_DISK_MB) for pair in _show_all(chosen, disk_mb)]
    if markdown:
        typer.echo("| Fault | Expected | Measured | Verdict |\n|---|---|---|---|")
        for fault, finding in found:
            cells = (fault.what, fault.expected, "; ".join(finding.measured), finding.verdict)
            typer.echo(f"| {' | '.join(cells)} |")
    sys.exit(any(finding.broken or finding.missed for _, finding in found))


def _chosen(names: list[str]) -> list[Fault]:
    known = {fault.name: fault for fault in FAULTS}
    if names == ["all"]:
        return list(FAULTS)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise typer.BadParameter(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}, all")
    return [known[name] for name in names]


def _sized(fault: Fault, *, short: bool, count: int | None) -> Fault:
    size = fault.short if short else fault.full
    return replace(fault, full=replace(size, count=count or size.count))


def _show_all(faults: Sequence[Fault], disk_mb: int | None) -> Iterator[tuple[Fault, Finding]]:
    """Show the faults that need the same disk, sharing their PostgreSQL and their sandbox."""
    alike = [fault for fault in faults if fault.disk_mb == disk_mb]
    if alike:
        with open_ground(disk_mb) as ground:
            for fault in alike:
                ground.forget()
                yield fault, _show(ground, fault)


def _show(ground: Ground, fault: Fault) -> Finding:
    began = time.monotonic()
    finding = Finding()
    with promised(finding):
        finding = fault.show(ground, fault.full)
    typer.echo(f"{fault.name} ({time.monotonic() - began:.0f} s): {fault.what}")
    typer.echo(f"  expected  {fault.expected}")
    typer.echo(f"  measured  {'; '.join(finding.measured)}")
    typer.echo(f"  verdict   {finding.verdict}")
    return finding


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()
