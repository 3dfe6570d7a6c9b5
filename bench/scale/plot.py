"""Draws how long searches take at each number of chunks, as an SVG file that browsers show."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from bench.scale.searching import Speed

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 150, 20, 50
_AT_ONCE = (1, 8)
_COLOURS = {1: "#1f6feb", 8: "#c2410c"}
_STEPS = (1, 2, 5)
_HEAD = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" \
font-family="sans-serif" font-size="12" fill="#57606a">
<title>Time of a search by number of chunks</title>
<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>"""


def draw(speeds: Mapping[int, Mapping[int, Speed]]) -> str:
    """The drawing; `speeds` by number of chunks, then by how many searches at once.

    Both axes are logarithmic. p50 is a line, p95 a dashed one.
    """
    return "\n".join([_HEAD, *_Chart(speeds).lines(), "</svg>", ""])


class _Chart:
    def __init__(self, speeds: Mapping[int, Mapping[int, Speed]]) -> None:
        self._speeds = speeds
        times = [
            time
            for speed in speeds.values()
            for at_once in _AT_ONCE
            for time in (speed[at_once].p50_ms, speed[at_once].p95_ms)
        ]
        self._least, self._most = _nice(min(times), math.floor), _nice(max(times), math.ceil)

    def lines(self) -> Iterator[str]:
        yield from self._axes()
        for at_once in _AT_ONCE:
            for name in ("p50", "p95"):
                yield from self._series(at_once, name)

    def _axes(self) -> Iterator[str]:
        for chunks in self._speeds:
            x = self._x(chunks)
            yield _text(x, _HEIGHT - _BOTTOM + 18, f"{chunks:,}", "middle")
        yield _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 10, "chunks", "middle")
        for time in _ticks(self._least, self._most):
            y = self._y(time)
            yield (
                f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                'stroke="#d0d7de"/>'
            )
            yield _text(_LEFT - 8, y + 4, f"{time:g} ms", "end")

    def _series(self, at_once: int, name: str) -> Iterator[str]:
        colour = _COLOURS[at_once]
        points = [
            (self._x(chunks), self._y(getattr(speed[at_once], f"{name}_ms")))
            for chunks, speed in self._speeds.items()
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="6 4"' if name == "p95" else ""
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
        for x, y in points:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
        x, y = points[-1]
        yield _text(x + 10, y + 4, f"{name}, {at_once} at once", "start", colour)

    def _x(self, chunks: int) -> float:
        ends = (min(self._speeds), max(self._speeds))
        return _between(chunks, ends, (_LEFT + 30, _WIDTH - _RIGHT - 10))

    def _y(self, time: float) -> float:
        return _between(time, (self._least, self._most), (_HEIGHT - _BOTTOM, _TOP))


def _between(value: float, ends: tuple[float, float], places: tuple[float, float]) -> float:
    """The place of a value on a logarithmic axis; the middle if it has no length."""
    length = math.log(ends[1] / ends[0])
    share = math.log(value / ends[0]) / length if length else 0.5
    return places[0] + share * (places[1] - places[0])


def _nice(value: float, rounded: Callable[[float], int]) -> float:
    """A power of ten below or above."""
    return 10.0 ** rounded(math.log10(value))


def _ticks(least: float, most: float) -> Sequence[float]:
    powers = range(round(math.log10(least)), round(math.log10(most)) + 1)
    ticks = [step * 10.0**power for power in powers for step in _STEPS]
    return [tick for tick in ticks if least <= tick <= most]


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#57606a") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{text}</text>'
