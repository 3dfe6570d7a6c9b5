"""Prints the results of commands: tables for a person, plain lines for a program."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from typing import Any
from urllib.parse import unquote

from ingest.sync.report import Planned, SyncReport
from rich_agent.documents.registry.document_rights import ExplainedDocument, KnownReader
from rich_agent.documents.registry.sources import SourceOverview
from rich_agent.documents.registry.spaces import ExplainedRight, SpaceOverview
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import Passage, VectorProgress
from rich_agent.domain.text import counted, shorten
from rich_agent.terminal.console import err, out, show_facts, show_table

_CAUSES_SHOWN = 20
_ADDRESSES_SHOWN = 2
_DOCUMENTS_SHOWN = 20
_CONTENT_SHOWN = 300


def show_sources(overviews: Sequence[SourceOverview]) -> None:
    """Print one line for each source, or a hint if there are none."""
    if not overviews:
        out(NOTHING_REGISTERED)
        return
    rows = [
        [
            *(overview.source.id, overview.source.name, overview.source.type),
            _state(overview.source),
            *(str(overview.documents), str(overview.chunks), str(overview.incomplete)),
            *(_moment(overview.last_synced_at), _root(overview.source)),
        ]
        for overview in overviews
    ]
    counts = ("documents", "chunks", "incomplete")
    show_table(["id", "name", "type", "state", *counts, "synced", "root"], rows)


def show_spaces(spaces: Sequence[SpaceOverview]) -> None:
    """Print one line for each space, or a hint if there are none."""
    if not spaces:
        out("there are no spaces: everybody who may use the bot may read every source")
        return
    rows = [
        [space.name, ", ".join(space.readers) or "nobody", ", ".join(space.sources)]
        for space in spaces
    ]
    show_table(["space", "read by", "sources"], rows)


def show_rights(rights: Sequence[ExplainedRight]) -> None:
    """Print one line for each source: whether somebody may read the source, and why."""
    if not rights:
        out(NOTHING_REGISTERED)
        return
    show_table(["source", "may read", "why"], [[*_right(right)] for right in rights])


def _right(right: ExplainedRight) -> tuple[str, str, str]:
    status_note = "" if right.status == "active" else f" ({right.status})"
    if not right.is_current:
        reason = _NOT_CURRENT
    elif right.has_rights and (right.is_readable or not right.space or right.by):
        reason = f"{right.readable:,} of {right.documents:,} documents"
        reason += f", as {', '.join(right.through)}" if right.through else " are open to them"
    elif not right.space:
        reason = "it is in no space, so everybody may"
    elif right.is_readable:
        reason = f"the space {right.space} is open to {', '.join(right.by)}"
    else:
        reason = f"the space {right.space} is not open to them"
    return right.source, ("yes" if right.is_readable else "no") + status_note, reason


def show_document_rights(documents: Sequence[ExplainedDocument]) -> None:
    """Print who may read each document, and which users the bot knows among them."""
    for document in documents:
        facts = {"document": document.title, "address": document.url, "source": document.source}
        if document.status != "active":
            facts["source"] += f" ({document.status}: nobody reads it)"
        if document.space:
            readers = ", ".join(document.space_readers) or "nobody"
            facts["space"] = f"{document.space}, open to {readers}"
        if document.has_rights:
            facts["place"] = document.place or "none: nobody may read it"
            facts["open to"] = ", ".join(document.readers) or "nobody"
            if not document.is_current:
                facts["open to"] += f"; but {_NOT_CURRENT}"
            reader_labels = [_known_reader(reader) for reader in document.people]
            facts["users known as these"] = "; ".join(reader_labels) or "none"
        elif not document.space:
            facts["open to"] = "everybody who may use the bot"
        show_facts(facts.items())


def _known_reader(reader: KnownReader) -> str:
    as_member = "" if reader.is_known_as == reader.reader else f", in {reader.reader}"
    return f"{reader.user_id} ({reader.is_known_as}{as_member})"


def show_status(status: Mapping[str, Any]) -> None:
    """Print the counts, the latest syncs, syncs in progress, and failures."""
    show_facts(status_facts(status))


def show_passages(passages: Sequence[Passage]) -> None:
    """Print the passages with their places, best first."""
    if not passages:
        out("nothing found in the active sources")
    for rank, passage in enumerate(passages, start=1):
        out(f"{rank}. {passage.score:.3f}  {passage.section}  [{passage.id}]")
        out(f"   {passage.link}")
        out(f"   {shorten(passage.content, _CONTENT_SHOWN)}\n")


def passages_json(passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """The passages as `ingest search --json` prints them."""
    return [
        {
            "rank": rank,
            "score": round(passage.score, 4),
            "chunk_id": passage.id,
            "source_url": passage.source_url,
            "title": passage.title,
            "section": passage.section,
            "link": passage.link,
            "content": passage.content,
        }
        for rank, passage in enumerate(passages, start=1)
    ]


def show_report(report: SyncReport, *, dry_run: bool) -> None:
    """Print the changes of a sync, and its failures with their reasons."""
    documents, chunks = report.documents, report.chunks
    out(
        f"{'would be ' if dry_run else ''}"
        f"{documents.new} new, {documents.changed} changed, {documents.unchanged} unchanged, "
        f"{documents.removed} removed, {documents.failed} failed; "
        f"chunks: {chunks.embedded} embedded, {chunks.kept} kept, {chunks.removed} removed; "
        f"{'about ' if report.tokens.embedded else ''}{counted(report.tokens.embedded, 'token')}, "
        f"{counted(report.embedding_calls, 'embedding call')}, {report.seconds:.1f} s"
    )
    if report.vision_calls:
        out(
            f"{counted(report.pages.read, 'page')} without text read in "
            f"{counted(report.vision_calls, 'vision call')} "
            f"({counted(report.tokens.vision, 'token')})"
        )
    if report.planned:
        _show_plan(report.planned)
    for note in report.notes:
        err(f"note: {note}")
    for kind, unread in report.unread.items():
        parts, places = _parts(kind, unread.parts), counted(unread.documents, "document")
        line = f"not read: {parts}, in {places}"
        err(_with_addresses(line, unread.examples, unread.documents))
    for reason, urls in report.left_out.items():
        line = f"not stored: {counted(len(urls), 'page')}: {reason}"
        err(_with_addresses(line, urls, len(urls)))
    causes = report.causes()
    for reason, urls in islice(causes.items(), _CAUSES_SHOWN):
        err(_failure_line(reason, urls))
    if len(causes) > _CAUSES_SHOWN:
        err(f"and {len(causes) - _CAUSES_SHOWN} more reasons (--json names them all)")


def _failure_line(reason: str, urls: Sequence[str]) -> str:
    """A line for one cause and all documents that it affects."""
    if len(urls) == 1:
        return f"failed: {urls[0]}: {reason}"
    return _with_addresses(f"failed: {counted(len(urls), 'document')}: {reason}", urls, len(urls))


def _with_addresses(line: str, urls: Sequence[str], count: int) -> str:
    """The line, and below it the first of the `count` addresses."""
    remainder = f" and {count - _ADDRESSES_SHOWN} more" if count > _ADDRESSES_SHOWN else ""
    return f"{line}\n  {', '.join(urls[:_ADDRESSES_SHOWN])}{remainder}"


def _parts(kind: str, count: int) -> str:
    """Parts of a document in words, such as "3 charts"."""
    # The phrases take a while to load, and few commands need them.
    from rich_agent.phrases import say_parts  # noqa: PLC0415 - see above

    return say_parts("en", {kind: count})


def _show_plan(plan: Planned) -> None:
    for name, urls in asdict(plan).items():
        if urls:
            out(f"{name}:")
        for url in urls[:_DOCUMENTS_SHOWN]:
            out(f"  {unquote(url)}")
        if len(urls) > _DOCUMENTS_SHOWN:
            out(f"  and {len(urls) - _DOCUMENTS_SHOWN:,} more (--json names them all)")


_NOT_CURRENT = (
    "its service has not said for a day who may read it, so nobody may; see `ingest status`"
)
NOTHING_REGISTERED = (
    "no sources yet: register one with `ingest add-source TARGET`, then run `ingest sync`"
)


def _state(source: Source) -> str:
    marks = ["internal"] if source.internal else []
    marks += [f"space {source.space}"] if source.space else []
    return ", ".join([source.status, *marks])


def _root(source: Source) -> str:
    """The address with its include and exclude patterns."""
    patterns = [f"--include {pattern}" for pattern in source.include]
    patterns += [f"--exclude {pattern}" for pattern in source.exclude]
    return " ".join([source.root_url, *patterns])


def _moment(moment: datetime | None) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M") if moment else "never"


def status_facts(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The results of `status.status_now` as pairs of name and text."""
    sources = status["sources"]
    yield "sources", f"{sources['active']} active, {sources['inactive']} inactive"
    yield "documents", str(status["documents"])
    yield "chunks", str(status["chunks"])
    if domain := status["domain"]:
        yield "about", _domain(domain)
    yield from _vectors(status)
    for language in status["languages"]:
        yield "languages", LanguageTrust(**language).in_words()
    is_current = status["statistics_are_current"]
    yield "statistics", "current" if is_current else "stale; `ingest sync` renews them"
    for row in status["rounds"]:
        yield "running", _sync_round(row)
    for row in status["clocks"]:
        yield "clock", f"{row['source']}: {row['words']}"
    for run in status["runs"]:
        yield "sync", _sync_run(run)
    if not status["runs"]:
        yield "sync", "never"
    for row in status["unread"]:
        documents = counted(row["documents"], "document")
        parts = _parts(row["kind"], row["parts"])
        yield "not read", f"{parts}, in {documents}, such as {row['example']}"
    for row in status["failing"]:
        yield "failing", f"{row['url']}: {row['reason']}"


def vector_progress(progress: VectorProgress) -> dict[str, int]:
    """The output of `ingest embed --json`."""
    return asdict(progress)


def show_vector_progress(progress: VectorProgress) -> None:
    """Print how many chunks have a vector, and how many can have none."""
    refused = f"; the model refused {progress.refused:,}" if progress.refused else ""
    out(f"{progress.embedded:,} of {counted(progress.chunks, 'chunk')} have vectors{refused}")


def _domain(domain: Mapping[str, Any]) -> str:
    """The subject of the documents, and how old its description is."""
    if domain["described_at"] is None:
        return f"{domain['description']} (DOMAIN_DESCRIPTION)"
    age = f"written {domain['described_at'][:10]}; {counted(domain['changed'], 'document')} changed"
    return f"{domain['description']} ({age} since)"


def _vectors(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for space in status["spaces"]:
        yield "vectors", _vector_space(space, status["chunks"])
    if not status["spaces"]:
        yield "vectors", "none"


def _vector_space(space: Mapping[str, Any], chunk_count: int) -> str:
    description = (
        f"{space['vectors']} of {space['model']} ({space['dimensions']}), {space['status']}"
    )
    if space["vectors"] >= chunk_count and space["status"] != "building":
        return description
    return f"{description}, {100 * space['vectors'] // max(chunk_count, 1)} %"


def _sync_round(sync_round: Mapping[str, Any]) -> str:
    if not sync_round["is_running"]:
        return f"{sync_round['source']}: ended by a crash; the next sync continues"
    if sync_round["documents"] is None:
        return f"{sync_round['source']}: its documents are being listed"
    total = counted(sync_round["documents"], "document")
    return f"{sync_round['source']}: {sync_round['done']} of {total}"


def _sync_run(run: Mapping[str, Any]) -> str:
    start = datetime.fromisoformat(run["started_at"])
    summary = run["summary"] or {}
    # A run of an older version did not record its sources.
    source_names = [", ".join(summary["sources"])] if summary.get("sources") else []
    description = ", ".join(
        [f"{start.astimezone():%Y-%m-%d %H:%M:%S}", *source_names, run["status"]]
    )
    if run["error"]:
        description += f": {run['error']}"
    if not summary:
        return description
    documents = summary["documents"]
    counts_text = ", ".join(
        f"{document_count} {outcome_name}"
        for outcome_name, document_count in documents.items()
        if document_count
    )
    return f"{description}, {summary['seconds']:.1f} s: {counts_text or 'nothing'}"
