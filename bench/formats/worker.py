"""Reads documents with one reader: JSON lines of files in, of texts and costs out.

`python -m bench.formats.worker NAME` runs in the environment of the peers, or of the project for
`ours`. Each reader is a function from a path to Markdown or plain text.
"""

import json
import logging
import sys
import time
import warnings
from pathlib import Path

from bench.formats.readers import READERS

_MB = 1024


def peak_mb() -> int:
    """The largest resident memory of this process since `forget_peak`."""
    status = Path("/proc/self/status").read_text("ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // _MB


def forget_peak() -> None:
    """Measure the peak of memory from here on."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")


def main() -> None:
    """Answer each line until the input ends."""
    logging.disable()
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout, sys.stderr  # libraries print, too
    read = READERS[sys.argv[1]].read
    for line in sys.stdin:
        forget_peak()
        began = time.perf_counter()
        try:
            answer = read(Path(json.loads(line)))
        except Exception as error:  # noqa: BLE001 - whatever it is, this reader failed
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        seconds = time.perf_counter() - began
        answers.write(json.dumps(answer | {"seconds": seconds, "memory_mb": peak_mb()}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
