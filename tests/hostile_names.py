"""Names, titles and cells that try to run, to hide or to move something where they are shown."""

from typing import Final

HOSTILE_NAMES: Final = (
    "</script><script>ran=1</script>",
    '"><img src=x onerror=ran=1>',
    "<svg/onload=ran=1>",
    "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "javascript:ran=1",
    "{{ 7*7 }}{% include 'x' %}",
    "${ran=1}`;ran=1;//",
    "';ran=1;'",
    '\\";ran=1;//',
    "\u2028ran=1//",
    "<!--<script>",
    "-->]]></style><style>*{display:none}</style>",
    "<base href=//a.example><form action=//a.example><button>ok</button>",
    "<meta http-equiv=refresh content=0;url=//a.example>",
    "</ul></main><h1>Approved</h1>",
    "&lt;script&gt;ran=1&lt;/script&gt;",
    "\x00\x1b[2J\x07name",
    "\u202egpj.exe",
    "\u2066\u2067name\u2069",
    "a\u200b\u200c\u200d\ufeffb",
    "\U000e0041\U000e0042name",
    "N\u0334a\u0335m\u0336e",
    "Z" + "\u0351\u0300\u035f" * 20,
    "\u3164",
    "   spaces" + " " * 200 + "end",
    "line\nline\r\nline\u0085line",
    "\ttab\x0b\x0c",
    "W" * 2_000,
    "<details open><summary>x</summary></details>",
    'x" style="position:fixed;inset:0" data-a="delete:1',
    "<button data-a='task-delete:1'>✓</button>",
    "🇦" * 80,
)
"""Written for this; each once as it is."""
