"""Beginnings that consecutive prompts share: `python -m bench.prompts [--estimate] [--save FILE]`.

A conversation of ten messages goes through the whole bot; its prompts are those that the sandbox
receives over HTTP. A server that keeps the prompt of its last request reads only what follows the
beginning that both share. `--estimate` counts tokens by the product's estimate also if
`python -m bench.peers tokens` has installed a tokenizer. `--save` writes the prompts into a file.
"""

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from bench.prompts.conversation import CONVERSATION, hold_conversation
from bench.prompts.requests import pages
from bench.prompts.sharing import FIRST_LASTING_TURN, Sharing, sharing_of, summaries
from bench.tokens.counting import Estimate, TokenCounter, token_counter


def main() -> None:
    """Hold the conversation and print its prompts."""
    parser = argparse.ArgumentParser(prog="python -m bench.prompts")
    parser.add_argument("--estimate", action="store_true", help="count by the estimate")
    parser.add_argument("--save", type=Path, help="a file for the prompts")
    options = parser.parse_args()
    requests = hold_conversation()
    if options.save:
        options.save.write_text(pages(requests), "utf-8")
    counter: TokenCounter
    with nullcontext(Estimate()) if options.estimate else token_counter() as counter:
        rows = sharing_of(requests, counter)
    print(f"{counter.name}; shares of the later prompt")
    _print_requests(rows)
    _print_kinds(rows)
    _print_turns(rows)


def _print_requests(rows: Sequence[Sharing]) -> None:
    print(f"\n{'turn':>4}  {'call':24}{'prompt':>8}{'form':>7}{'same kind':>11}{'last call':>11}")
    for row in rows:
        of_kind = "" if row.share is None else f"{row.share:.2f}"
        in_slot = f"{row.in_slot / row.tokens:.2f}"
        print(
            f"{row.request.turn:4}  {row.request.kind:24}{row.tokens:8}{row.form:7}"
            f"{of_kind:>11}{in_slot:>11}"
        )


def _print_kinds(rows: Sequence[Sharing]) -> None:
    print(f"\nshared with the same kind, from turn {FIRST_LASTING_TURN} on")
    print(f"{'':24}{'calls':>6}{'longest + form':>16}{'least':>7}{'median':>8}  conversation")
    for one in summaries(rows):
        shares = [
            "" if share is None else f"{share:.2f}" for share in (one.least_share, one.median_share)
        ]
        length = f"{one.tokens} + {one.form}"
        kept = "kept" if one.keeps_conversation else "lost"
        print(f"{one.kind:24}{one.requests:6}{length:>16}{shares[0]:>7}{shares[1]:>8}  {kept}")


def _print_turns(rows: Sequence[Sharing]) -> None:
    print("\nturns on a server with one slot")
    print(f"{'calls':>6}{'tokens':>8}{'uncached':>10}  message")
    for turn, message in enumerate(CONVERSATION, start=1):
        own = [row for row in rows if row.request.turn == turn]
        tokens, uncached = sum(row.tokens for row in own), sum(row.uncached for row in own)
        print(f"{len(own):6}{tokens:8}{uncached:10}  {message.text}")


if __name__ == "__main__":
    main()
