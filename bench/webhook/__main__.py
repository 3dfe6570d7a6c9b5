"""The webhook and its inbox under load: `python -m bench.webhook [NAME…]`, e.g. `rich-agent`.

Everything on this machine: the load (a process of its own), the contender and, where it has one,
its PostgreSQL. Peers are installed by `python -m bench.peers webhook`.
"""

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from bench.webhook.contenders import CONTENDERS, Contender, running
from bench.webhook.trials import TRIALS, Figures, Scale

_ROWS = (
    ("acknowledged/s, 40 connections", "acknowledged_per_s", ".0f"),
    ("p50 ms of an acknowledgement at 200/s", "p50_ms", ".1f"),
    ("p99 ms of an acknowledgement at 200/s", "p99_ms", ".1f"),
    ("posts not answered 200", "refused", "d"),
    ("of {thrice} updates posted 3 times: handled twice", "handled_twice", "d"),
    ("of {chatting} users' 5 messages: out of order", "out_of_order", "d"),
    ("others' longest wait in a flood of {flood}, s", "others_longest_s", ".2f"),
    ("{crowd} users x 3: handled/s", "crowd_per_s", ".0f"),
    ("{crowd} users x 3: users overtaken", "crowd_overtaken", "d"),
    ("kill -9 in a burst of {killed}: acknowledged and lost", "lost_by_kill", "d"),
)


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Who; all by default.")] = None,
    *,
    scale: Annotated[float, typer.Option(help="A part of the usual load.")] = 1.0,
) -> None:
    """Print a column for each contender."""
    chosen = [one for one in CONTENDERS if not names or one.name.split(" ")[0] in names]
    usual = Scale()
    load = Scale(**{name: max(1, int(getattr(usual, name) * scale)) for name in Scale.__slots__})
    columns = {one.name: _measure(one, load) for one in chosen}
    print(f"{'':50}" + "".join(f"{name:>22}" for name in columns))
    for title, name, form in _ROWS:
        cells = (format(getattr(figures, name), form) for figures in columns.values())
        print(f"{title.format(**asdict(load)):50}" + "".join(f"{cell:>22}" for cell in cells))


def _measure(contender: Contender, scale: Scale) -> Figures:
    figures = Figures()
    with running(contender) as run:
        for trial in TRIALS:
            print(f"{contender.name}: {trial.__name__}", file=sys.stderr)
            trial(run, scale, figures)
    return figures


if __name__ == "__main__":
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(main)
    app()
