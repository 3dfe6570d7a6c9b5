"""A process that was taken over, within the bounds of a reader or as a confined command.

`confined_trial.py reader|command` evaluates expressions, a JSON object of them on stdin, and prints
the names of those that the system lets pass.
"""

import json
import sys
from subprocess import SubprocessError

from rich_agent.runtime.confinement import confine, reader_bounds

if __name__ == "__main__":
    tries = json.load(sys.stdin)
    if sys.argv[1] == "reader":
        confine(reader_bounds())
    passed = []
    for name, code in tries.items():
        try:
            eval(code)  # noqa: S307 - the test's own words
            passed.append(name)
        except (OSError, ValueError, ArithmeticError, SubprocessError):
            pass
    sys.stdout.write(json.dumps(passed))
