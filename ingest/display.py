"""Prints the results of commands: tables for a person, plain lines for a program."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from typing import Any
from urllib.parse import unquote

from ingest.document_rights import ExplainedDocument, KnownReader
from ingest.registry import SourceOverview
from ingest.spaces import ExplainedRight, SpaceOverview
from ingest.sync.report import Planned, SyncReport
from rich_agent.documents.source import Source
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import Passage
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
            *(one.source.id, one.source.name, one.source.type, _state(one.source)),
            *(str(one.documents), str(one.chunks), _moment(one.last_synced_at)),
            _root(one.source),
        ]
        for one in overviews
    ]
    show_table(["id", "name", "type", "state", "documents", "chunks", "synced", "root"], rows)


def show_spaces(spaces: Sequence[SpaceOverview]) -> None:
    """Print one line for each space, or a hint if there are none."""
    if not spaces:
        out("there are no spaces: everybody who may use the bot may read every source")
        return
    rows = [
        [one.name, ", ".join(one.readers) or "nobody", ", ".join(one.sources)] for one in spaces
    ]
    show_table(["space", "read by", "sources"], rows)


def show_rights(rights: Sequence[ExplainedRight]) -> None:
    """Print one line for each source: whether it may be read, and why."""
    if not rights:
        out(NOTHING_REGISTERED)
        return
    show_table(["source", "may read", "why"], [[*_right(one)] for one in rights])


def _right(right: ExplainedRight) -> tuple[str, str, str]:
    inactive = "" if right.status == "active" else f" ({right.status})"
    if not right.is_current:
        why = _NOT_CURRENT
    elif right.has_rights and (right.is_readable or not right.space or right.by):
        why = f"{right.readable:,} of {right.documents:,} documents"
        why += f", as {', '.join(right.through)}" if right.through else " are open to them"
    elif not right.space:
        why = "it is in no space, so everybody may"
    elif right.is_readable:
        why = f"the space {right.space} is open to {', '.join(right.by)}"
    else:
        why = f"the space {right.space} is not open to them"
    return right.source, ("yes" if right.is_readable else "no") + inactive, why


def show_document_rights(documents: Sequence[ExplainedDocument]) -> None:
    """Print who may read each document, and whom of these the bot knows."""
    for one in documents:
        facts = {"document": one.title, "address": one.url, "source": one.source}
        if one.status != "active":
            facts["source"] += f" ({one.status}: nobody reads it)"
        if one.space:
            readers = ", ".join(one.space_readers) or "nobody"
            facts["space"] = f"{one.space}, open to {readers}"
        if one.has_rights:
            facts["place"] = one.place or "none: nobody may read it"
            facts["open to"] = ", ".join(one.readers) or "nobody"
            if not one.is_current:
                facts["open to"] += f"; but {_NOT_CURRENT}"
            users = [_known_reader(reader) for reader in one.people]
            facts["users known as these"] = "; ".join(users) or "none"
        elif not one.space:
            facts["open to"] = "everybody who may use the bot"
        show_facts(facts.items())


def _known_reader(one: KnownReader) -> str:
    as_member = "" if one.is_known_as == one.reader else f", in {one.reader}"
    return f"{one.user_id} ({one.is_known_as}{as_member})"


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
    """Print what a sync did, and the failures with their reasons."""
    documents, chunks = report.documents, report.chunks
    out(
        f"{'would be ' if dry_run else ''}"
        f"{documents.new} new, {documents.changed} changed, {documents.unchanged} unchanged, "
        f"{documents.removed} removed, {documents.failed} failed; "
        f"chunks: {chunks.embedded} embedded, {chunks.kept} kept, {chunks.removed} removed; "
        f"{'about ' if report.tokens.embedded else ''}{counted(report.tokens.embedded, 'token')}, "
        f"{counted(report.embedding_calls, 'embedding call')}, {report.seconds:.1f} s"
    )
    if report.planned:
        _show_plan(report.planned)
    for note in report.notes:
        err(f"note: {note}")
    causes = report.causes()
    for reason, urls in islice(causes.items(), _CAUSES_SHOWN):
        err(_failure_line(reason, urls))
    if len(causes) > _CAUSES_SHOWN:
        err(f"and {len(causes) - _CAUSES_SHOWN} more reasons (--json names them all)")


def _failure_line(reason: str, urls: Sequence[str]) -> str:
    """One line for a cause, however many documents it affects."""
    if len(urls) == 1:
        return f"failed: {urls[0]}: {reason}"
    others = f" and {len(urls) - _ADDRESSES_SHOWN} more" if len(urls) > _ADDRESSES_SHOWN else ""
    addresses = ", ".join(urls[:_ADDRESSES_SHOWN])
    return f"failed: {counted(len(urls), 'document')}: {reason}\n  {addresses}{others}"


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
    patterns = [f"--include {one}" for one in source.include]
    patterns += [f"--exclude {one}" for one in source.exclude]
    return " ".join([source.root_url, *patterns])


def _moment(at: datetime | None) -> str:
    return at.astimezone().strftime("%Y-%m-%d %H:%M") if at else "never"


def status_facts(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The results of `status.status_now` as (name, text)."""
    sources = status["sources"]
    yield "sources", f"{sources['active']} active, {sources['inactive']} inactive"
    yield "documents", str(status["documents"])
    yield "chunks", str(status["chunks"])
    for space in status["spaces"]:
        yield "vectors", _vector_space(space, status["chunks"])
    if not status["spaces"]:
        yield "vectors", "none"
    for language in status["languages"]:
        yield "languages", LanguageTrust(**language).in_words()
    is_current = status["statistics_are_current"]
    yield "statistics", "current" if is_current else "stale; `ingest sync` renews them"
    for one in status["rounds"]:
        yield "running", _sync_round(one)
    for one in status["clocks"]:
        yield "clock", f"{one['source']}: {one['words']}"
    for run in status["runs"]:
        yield "sync", _sync_run(run)
    if not status["runs"]:
        yield "sync", "never"
    for one in status["failing"]:
        yield "failing", f"{one['url']}: {one['reason']}"


def _vector_space(space: Mapping[str, Any], chunks: int) -> str:
    words = f"{space['vectors']} of {space['model']} ({space['dimensions']}), {space['status']}"
    if space["status"] != "building":
        return words
    return f"{words}, {100 * space['vectors'] // max(chunks, 1)} %"


def _sync_round(one: Mapping[str, Any]) -> str:
    if not one["is_running"]:
        return f"{one['source']}: ended by a crash; the next sync continues"
    return f"{one['source']}: {one['done']} of {counted(one['documents'], 'document')}"


def _sync_run(run: Mapping[str, Any]) -> str:
    start = datetime.fromisoformat(run["started_at"])
    summary = run["summary"] or {}
    # A run of an older version did not record its sources.
    of = [", ".join(summary["sources"])] if summary.get("sources") else []
    words = ", ".join([f"{start.astimezone():%Y-%m-%d %H:%M:%S}", *of, run["status"]])
    if run["error"]:
        words += f": {run['error']}"
    if not summary:
        return words
    documents = summary["documents"]
    counts = ", ".join(f"{number} {name}" for name, number in documents.items() if number)
    return f"{words}, {summary['seconds']:.1f} s: {counts or 'nothing'}"
