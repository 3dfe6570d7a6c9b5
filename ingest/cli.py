"""The command line of ingestion: parses options, calls one function, and shows its result."""

import asyncio
import os
import sys
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, Annotated

import typer

from ingest import connect_cli, space_cli
from rich_agent.documents.source import SourceType
from rich_agent.domain.text import clean_text
from rich_agent.terminal.console import (
    JsonOption,
    VersionOption,
    err,
    out,
    out_json,
    run_program,
    show_result,
    show_results,
    with_plain_usage,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich_agent.documents.registry.source_change import SourceChange

_LOW_PRIORITY = 10
app = typer.Typer(
    name="ingest",
    help="Register the documents that the bot answers from, and keep them up to date.\n\n"
    'New here? `ingest add-source ./docs`, then `ingest sync`, then `ingest search "a question"`.',
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

SourceArgument = Annotated[
    str, typer.Argument(metavar="SOURCE", help="Id, name, address or path of a source.")
]

TargetsArgument = Annotated[
    list[str],
    typer.Argument(metavar="TARGET", help="Web addresses, or files, folders or URL lists."),
]
KindOption = Annotated[SourceType | None, typer.Option(help="What it is; detected if omitted.")]
NameOption = Annotated[str | None, typer.Option(help="What to call it in answers and lists.")]
InternalOption = Annotated[
    bool | None,
    typer.Option("--internal/--no-internal", help="Whether they are about this bot itself."),
]
BaseUrlOption = Annotated[
    str | None, typer.Option(help="Where the files of the folder are published, for citations.")
]
StripSuffixOption = Annotated[
    bool | None,
    typer.Option(
        "--strip-suffix/--no-strip-suffix",
        help="Leave .md and .html out of the published addresses.",
    ),
]
IncludeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="GLOB", help='Read only paths that match, such as "docs/**".'),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="GLOB", help='Skip paths that match, such as "*.draft.md".'),
]
DepthOption = Annotated[
    int | None, typer.Option(min=0, max=10, help="Maximum levels of nested sitemaps; 3 if omitted.")
]

SourcesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE", help="Ids, names, addresses or paths; all sources if omitted."
    ),
]
DryRunOption = Annotated[
    bool,
    typer.Option("--dry-run", help="Only show what would be done, and how many tokens it takes."),
]
RightsOption = Annotated[
    bool, typer.Option("--rights", help="Only ask services who may read the documents.")
]
ScheduledOption = Annotated[bool, typer.Option("--scheduled", hidden=True)]
WithSyncOption = Annotated[
    bool | None,
    typer.Option("--sync/--no-sync", help="Read them now, or later by `ingest sync`."),
]
SpaceOption = Annotated[
    str | None,
    typer.Option(metavar="SPACE", help='Only its readers may read it; "" means everybody.'),
]


@app.callback()
def common_options(version: VersionOption = False) -> None:
    """Options before the command; the help of the program is given above."""


@app.command("add-source")
def add_source(
    targets: TargetsArgument,
    *,
    kind: KindOption = None,
    name: NameOption = None,
    internal: InternalOption = None,
    base_url: BaseUrlOption = None,
    strip_suffix: StripSuffixOption = None,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    depth: DepthOption = None,
    space: SpaceOption = None,
    every: connect_cli.EveryOption = None,
    with_sync: WithSyncOption = None,
    as_json: JsonOption = False,
) -> None:
    """Register sources of documents.

    At a terminal, you are asked whether to read them now; else `ingest sync` does that. The options
    are for all that are given. The address of a page means that page alone; for a whole site, give
    --kind sitemap. To change the options of a source, register it again.

    Patterns are for folders (the path below the folder), URL lists and sitemaps (the path of the
    address): `*` stays within one part of a path, `**` crosses parts, and a pattern without a
    slash means the last part. Both options can be repeated; an empty pattern removes all patterns.
    """
    if name is not None and len(targets) > 1:
        raise typer.BadParameter("give a name to one source at a time", param_hint="--name")
    kinds = {target: kind or _advised_kind(target) for target in targets}
    options: dict[str, object] = {"name": name, "internal": internal, "base_url": base_url}
    options |= {"strip_suffix": strip_suffix, "depth": depth}
    options |= {"include": include or None, "exclude": exclude or None, "space": space}
    changes = {option: value for option, value in options.items() if value is not None}
    _add(kinds, changes, every, with_sync=with_sync, as_json=as_json)


def _add(
    kinds: "Mapping[str, SourceType | None]",
    options: "Mapping[str, object]",
    every: str | None,
    *,
    with_sync: bool | None,
    as_json: bool,
) -> None:
    from ingest import commands, display
    from ingest.sync_command import sync_sources
    from rich_agent.settings.settings import Settings

    settings = Settings.load()
    changes = asyncio.run(commands.add_sources(kinds, options, every, settings))
    if not as_json:
        show_results(changes, as_json=False)
        with_sync = _is_sync_wanted(changes) if with_sync is None else with_sync
    report = None
    if with_sync:
        ids = [change.source.id for change in changes]
        report = asyncio.run(sync_sources(ids, settings=settings))
    if as_json:
        synced = report and report.to_json()
        out_json({"sources": [change.to_json() for change in changes], "sync": synced})
    elif report:
        display.show_report(report, dry_run=False)
    if report and report.is_failure:
        raise typer.Exit(1)


def _is_sync_wanted(changes: "Sequence[SourceChange]") -> bool:
    """Whether a person at the terminal wants what is new to be read now.

    Who pasted several commands is not asked: the next of them would be taken for the answer.
    """
    if not any(change.outcome in {"added", "updated"} for change in changes):
        return False
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or select([sys.stdin], [], [], 0)[0]:
        return False
    return typer.confirm("Read it now?", default=True, err=True)


def _advised_kind(target: str) -> SourceType | None:
    if "://" not in target:
        return None
    from ingest.site_advice import advise_kind

    return advise_kind(target)


@app.command("list")
def list_sources(as_json: JsonOption = False) -> None:
    """Show the registered sources."""
    from ingest import commands, display

    sources = asyncio.run(commands.list_sources())
    if as_json:
        out_json([overview.to_json() for overview in sources])
    else:
        display.show_sources(sources)


@app.command()
def sync(
    sources: SourcesArgument = None,
    *,
    dry_run: DryRunOption = False,
    force: Annotated[
        bool, typer.Option("--force", help="Remove documents that are gone, however many they are.")
    ] = False,
    rights: RightsOption = False,
    by_schedule: ScheduledOption = False,
    as_json: JsonOption = False,
) -> None:
    """Read what is new or changed, remove what is gone.

    Only new text is embedded. You can interrupt it and run it again: finished work is kept.
    Several machines can run it at once: a source is read by one of them at a time. If more than
    a quarter of a source's documents are gone, none of them are removed without --force.

    Failures are listed and do not stop the rest. The exit code is 1 only if nothing succeeded,
    or if there was something to embed and none of it could be embedded.
    """
    from ingest import display
    from ingest.sync_command import SyncOptions, sync_sources
    from rich_agent.runtime.confinement import keep_memory_private

    if by_schedule:
        keep_memory_private()  # settings are in the environment
        os.nice(_LOW_PRIORITY)
    options = SyncOptions(force=force, rights=rights, scheduled=by_schedule)
    report = asyncio.run(sync_sources(sources or [], options, dry_run=dry_run))
    if as_json:
        out_json(report.to_json())
    else:
        display.show_report(report, dry_run=dry_run)
    # Failures are noted for the worker, which has to know only whether the process ended by itself.
    if report.is_failure and not by_schedule:
        raise typer.Exit(1)


@app.command("remove-source")
def remove_source(source: SourceArgument, as_json: JsonOption = False) -> None:
    """Remove a source and everything that was read from it."""
    from ingest import commands

    show_result(asyncio.run(commands.remove_source(source)), as_json=as_json)


@app.command()
def activate(source: SourceArgument, as_json: JsonOption = False) -> None:
    """Use a source again in sync and answers."""
    from ingest import commands

    show_result(asyncio.run(commands.set_status(source, "active")), as_json=as_json)


@app.command()
def deactivate(source: SourceArgument, as_json: JsonOption = False) -> None:
    """Leave a source out of sync and answers."""
    from ingest import commands

    show_result(asyncio.run(commands.set_status(source, "inactive")), as_json=as_json)


@app.command()
def status(as_json: JsonOption = False) -> None:
    """Show what is stored, the last sync, and what failed."""
    from ingest import display
    from ingest.status import status_now

    state = asyncio.run(status_now())
    if as_json:
        out_json(state)
    else:
        display.show_status(state)


@app.command()
def embed(as_json: JsonOption = False) -> None:
    """Make missing vectors now.

    Otherwise the running bot makes them. This concerns EMBEDDING_MODEL=local only: with a server, a
    sync makes the vectors.
    """
    from ingest import display
    from ingest.embedding import embed_now

    os.nice(_LOW_PRIORITY)
    progress = asyncio.run(embed_now())
    if as_json:
        out_json(display.vector_progress(progress))
    else:
        display.show_vector_progress(progress)


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or a few words.")],
    limit: Annotated[int, typer.Option("-k", help="Maximum passages to show.", min=1, max=100)] = 6,
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--source", metavar="SOURCE", help="Search only this source; can be repeated."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the passages for a question, best first."""
    from ingest import display
    from ingest.searching import search_documents

    words = clean_text(query).strip()
    if not words:
        raise typer.BadParameter("is empty", param_hint="QUERY")
    passages = asyncio.run(search_documents(words, limit, sources or []))
    if as_json:
        out_json(display.passages_json(passages))
    else:
        display.show_passages(passages)


@app.command("eval")
def evaluate(
    directory: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A folder with corpus.jsonl, queries.jsonl and qrels.tsv."
        ),
    ],
    keep: Annotated[
        bool,
        typer.Option("--keep/--drop", help="Keep its database, so that the next run is quick."),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Measure retrieval on a test collection.

    The collection is stored in a database of its own, so it does not mix with your documents. If
    that is kept, the next run embeds only what is new.
    """
    from ingest.evaluate import evaluation

    result = asyncio.run(evaluation.evaluate(directory, keep=keep))
    if as_json:
        out_json(result.to_json())
    else:
        evaluation.show_evaluation(result)


@app.command()
def calibrate(
    write: Annotated[
        bool, typer.Option("--write", help="Write the value to .env in this folder.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Fit RETRIEVAL_MIN_SCORE to your documents.

    It searches for headings and first sentences, once in all documents and once in all but their
    own. It needs the embedding model, but no chat model.
    """
    from ingest.evaluate import calibration

    result = asyncio.run(calibration.calibrate())
    if as_json:
        out_json(result.to_json())
    else:
        out("\n".join(result.lines()))
    if write:
        result.write(Path(".env"))
        err("written to .env")


app.command()(connect_cli.connect)
app.command()(connect_cli.schedule)
app.add_typer(space_cli.app, name="space")
app.command()(space_cli.accounts)
app.command()(space_cli.rights)
with_plain_usage(app)


def main() -> None:
    """Run the command line: exit 0 done, 1 failed, 2 wrong usage."""
    run_program(app)


if __name__ == "__main__":
    main()
