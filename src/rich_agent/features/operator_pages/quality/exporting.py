"""Questions as a file of test questions, for `rich-agent eval answers`."""

import json
from collections.abc import Iterable

_HEAD = """\
# Write what a good answer states into `facts`, or refuse = true in their place if the documents
# are not to say it; docs/how-to/evaluate-answers.md has more.
"""


def as_test_questions(questions: Iterable[str]) -> str:
    """The questions in TOML, each once, without facts.

    A JSON string is a TOML string once DEL is escaped.
    """
    texts = (json.dumps(one, ensure_ascii=False) for one in dict.fromkeys(questions))
    tables = (
        "[[questions]]\nask = {}\nfacts = []\n".format(one.replace("\x7f", "\\u007f"))
        for one in texts
    )
    return "\n".join([_HEAD, *tables])
