"""The options and arguments of `rich-agent`; loads nothing but typer."""

from pathlib import Path
from typing import Annotated

import typer

TERMINAL_USER = 1
"""Who speaks at the terminal unless another user is named."""
UserOption = Annotated[int, typer.Option("--user", help="Telegram user id to speak as.")]
AskedQuestion = Annotated[str | None, typer.Argument(metavar="QUESTION", help="What to ask.")]
ImageOption = Annotated[
    Path | None,
    typer.Option(help="An image to ask about.", exists=True, dir_okay=False, readable=True),
]
FileOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--file",
        help="A file to ask about, or a recording; may be repeated.",
        dir_okay=False,
        exists=True,
    ),
]
ApproveOption = Annotated[
    str | None, typer.Option(metavar="FINGERPRINT", help="Approve what waits under it.")
]
CancelOption = Annotated[
    str | None, typer.Option(metavar="FINGERPRINT", help="Cancel what waits under it.")
]
AlwaysOption = Annotated[
    str | None, typer.Option(metavar="FINGERPRINT", help="Approve what waits under it for good.")
]
UpdateIds = Annotated[
    list[int] | None, typer.Argument(metavar="UPDATE_ID", help="Ids from the list.")
]
AcceptOption = Annotated[
    str | None,
    typer.Option(
        metavar="SERVER[:TOOL]", help="Accept what a server changed of its tools, or of one."
    ),
]
WhyOption = Annotated[
    str | None,
    typer.Option(
        metavar="CALL",
        help="Tell whether a call would run or ask, and why: tool, arguments, said, read as JSON.",
    ),
]
ConcurrencyOption = Annotated[
    int | None, typer.Option(help="Users served at once (WORKER_CONCURRENCY).", min=1)
]
HealthPortOption = Annotated[
    int | None, typer.Option(help="Serve health and metrics on this port.", min=1, max=65_535)
]
TakeOverOption = Annotated[
    bool,
    typer.Option(
        "--take-over", help="Remove this bot's webhook, even if another program receives by it."
    ),
]
AllOption = Annotated[bool, typer.Option("--all", help="All dead letters.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Say yes to what is asked.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")]
BackupFirstOption = Annotated[
    Path | None,
    typer.Option("--backup", metavar="FILE", help="Write a backup first, into a file or folder."),
]
HERE = Path()
"""The folder in which a command is started."""
BackupTarget = Annotated[
    Path, typer.Argument(metavar="FILE", help="A new file, or a folder.", show_default=False)
]
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of a backup.")]

TokenOption = Annotated[str | None, typer.Option(help="Token of the bot (or TELEGRAM_BOT_TOKEN).")]
ServerOption = Annotated[
    str | None,
    typer.Option(help="Model server: openai, ollama, groq, … or an address with its /v1."),
]
ApiKeyOption = Annotated[
    str | None, typer.Option(help="Key of the model server (or OPENAI_API_KEY).")
]
ChatModelOption = Annotated[str | None, typer.Option(help="Model that writes the answers.")]
PlannerModelOption = Annotated[str | None, typer.Option(help="Model that plans and learns.")]
VisionModelOption = Annotated[str | None, typer.Option(help="Model that describes photos.")]
EmbeddingModelOption = Annotated[
    str | None, typer.Option(help="Model that makes vectors, or none.")
]
AboutOption = Annotated[
    str | None, typer.Option(help="What the documents are about, in a sentence.")
]
DocumentsOption = Annotated[
    list[str] | None,
    typer.Option(help="A folder, file or web address of documents; can be repeated."),
]
UsersOption = Annotated[
    str | None, typer.Option(help="Telegram ids of those who may use it, or * for everybody.")
]
QuestionOption = Annotated[str | None, typer.Option(help="A first question.")]
