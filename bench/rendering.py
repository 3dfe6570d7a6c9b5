"""Cost of showing an answer: `python -m bench.rendering [ROUNDS]`.

Milliseconds per 4,000 characters of an answer with every construct: whole, growing, and by
telegramify-markdown's own conversion, which neither splits nor guards links.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

from telegramify_markdown import convert

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.rendering.answers import GrowingMessage, render

_BLOCK = """## How it works

To **stake**, you lock tokens with a *validator* [1]. See `docs` and https://docs.example/a [2].

- One: a list item of some length, with a word in **bold**
  - and one in it [1]

| Step | Days |
|:--|--:|
| Lock | 1 |

> A quote of a line.

The yield is $r = \\frac{s}{n}$.

```python
def reward(stake: float, rate: float) -> float:
    return stake * rate
```

"""
_UNIT = 4000
LENGTHS = (4_000, 12_000, 48_000)


def answer_of(length: int) -> str:
    """An answer of about this many characters."""
    return (_BLOCK * (length // len(_BLOCK) + 1))[:length]


def median_ms(work: Callable[[], object], rounds: int) -> float:
    """The median of its processor time in ms."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - start))
    return statistics.median(taken)


def growing_message(text: str) -> object:
    """A text as it is shown while it grows."""
    return GrowingMessage().show(text)


def main() -> None:
    """Print a line for each length."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    link = "https://docs.example/a"
    citations = tuple(
        Citation(n, f"c{n}", "document", link, link, "Guide", "Start") for n in (1, 2)
    )
    print(f"ms of processor time per {_UNIT:,} characters, median of {rounds}")
    print(f"{'characters':>10}  {'render':>8}  {'growing':>8}  {'telegramify':>11}")
    for length in LENGTHS:
        text = answer_of(length)
        answer = Answer(text, citations)
        works: tuple[Callable[[], object], ...] = (
            partial(render, answer, locale="en"),
            partial(growing_message, text),
            partial(convert, text),
        )
        whole, growing, other = (median_ms(work, rounds) * _UNIT / length for work in works)
        print(f"{length:>10,}  {whole:>8.2f}  {growing:>8.2f}  {other:>11.2f}")


if __name__ == "__main__":
    main()
