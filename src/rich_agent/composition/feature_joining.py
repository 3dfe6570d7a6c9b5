"""Joins the parts of features, so that one that breaks or is late ends nothing of the others."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import structlog

from rich_agent.chat_commands.preferences import ZoneMove
from rich_agent.domain.dated_entry import DatedEntries, DatedEntry
from rich_agent.domain.persona import Personas
from rich_agent.domain.words import Words
from rich_agent.errors import DatabaseUnavailableError, LaneLostError
from rich_agent.feature.parts import Loop, Parts
from rich_agent.installed import installed_features
from rich_agent.notices import (
    MakeContent,
    NoteDelivery,
    NoticeContent,
    NoticeRequest,
    UserNotice,
    WordNotice,
)
from rich_agent.ports.accounts import AnswerRating, NoteRating, TakeStartCode
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.personas import FindPersonas
from rich_agent.ports.search_engines import SearchEngine
from rich_agent.runtime.concurrency import unless
from rich_agent.runtime.memberships import Prepare

_LONGEST_LISTING_S = 3.0
_LONGEST_WORDING_S = 10.0
"""Longest for a notice: it is worded in the lane of its user, whose messages wait meanwhile."""
_LONGEST_NOTE_S = 5.0
_LONGEST_RATING_S = 1.0
_PAUSE_S = 5.0
_log = structlog.get_logger()


def join_parts(parts_by_name: Mapping[str, Parts]) -> Parts:
    """The parts of all features as one, in the features' order, without their checks."""
    parts = parts_by_name.values()
    return Parts(
        tools=[tool for part in parts for tool in part.tools],
        tool_sources=[source for part in parts for source in part.tool_sources],
        commands={name: answer for part in parts for name, answer in part.commands.items()},
        start_codes=[_unless_broken(take) for part in parts for take in part.start_codes],
        presses={verb: answer for part in parts for verb, answer in part.presses.items()},
        work={kind: work for part in parts for kind, work in part.work.items()},
        notices=_notices(parts_by_name),
        search=_engines(parts_by_name),
        loops=[_survivable(loop) for part in parts for loop in part.loops],
        dated_entries=[_complete(give) for part in parts for give in part.dated_entries],
        zone_moves=[_harmless(move) for part in parts for move in part.zone_moves],
        session_leads=[lead for part in parts for lead in part.session_leads],
        passages=[seek for part in parts for seek in part.passages],
        below_answer=[line for part in parts for line in part.below_answer],
        recorded_turns=[note for part in parts for note in part.recorded_turns],
        ratings=[_survivable_note(note) for part in parts for note in part.ratings],
        memberships=[_patient(find) for part in parts for find in part.memberships],
        sign_ins=[sign_in for part in parts for sign_in in part.sign_ins],
        page_links=[link for part in parts for link in part.page_links],
        sign_in_links=[link for part in parts for link in part.sign_in_links],
        sign_in_phrases=[one for part in parts for one in part.sign_in_phrases],
        privacy_phrases=[key for part in parts for key in part.privacy_phrases],
        routes=[route for part in parts for route in part.routes],
        open_routes=[route for part in parts for route in part.open_routes],
        personas=[_steady(find) for part in parts for find in part.personas],
        open_pages=[pages for part in parts for pages in part.open_pages],
        panels=[panel for part in parts for panel in part.panels],
        follow_ups=[message for part in parts for message in part.follow_ups],
        media={kind: reader for part in parts for kind, reader in part.media.items()},
    )


def _engines(parts_by_name: Mapping[str, Parts]) -> Sequence[SearchEngine]:
    """The search engines; those of other packages come first, because the operator chose them."""
    own = installed_features().own
    names = sorted(parts_by_name, key=lambda name: name in own)
    return [engine for name in names for engine in parts_by_name[name].search]


def _survivable(loop: Loop) -> Loop:
    """The loop; if it breaks, it is begun again after a pause, and ends nothing else."""

    async def run(stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await loop(stop)
            except Exception:  # noqa: BLE001 - a feature's loop ends none of the core's
                _log.exception("feature.loop_broke")
                await unless(stop, asyncio.sleep(_PAUSE_S))
            else:
                return

    return run


def _steady(find: FindPersonas) -> FindPersonas:
    """The personas of a feature; none if it breaks or is late, so that turns go on."""

    async def personas() -> Personas:
        try:
            async with asyncio.timeout(_LONGEST_LISTING_S):
                return await find()
        except DatabaseUnavailableError:
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.personas_broke")
            return Personas()

    return personas


def _complete(give: DatedEntries) -> DatedEntries:
    """The entries of a feature; none if it breaks or is late, so that others' are shown."""

    async def entries(user_id: int, since: date, until: date) -> Sequence[DatedEntry]:
        try:
            async with asyncio.timeout(_LONGEST_LISTING_S):
                return await give(user_id, since, until)
        except DatabaseUnavailableError:
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.dated_entries_broke")
            return ()

    return entries


def _unless_broken(take: TakeStartCode) -> TakeStartCode:
    """The taker of a feature, which takes nothing if it breaks."""

    async def run(user_id: int, code: str) -> bool:
        try:
            return await take(user_id, code)
        except (DatabaseUnavailableError, LaneLostError):
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.start_code_broke")
            return False

    return run


@dataclass(frozen=True, slots=True)
class _Limits:
    """The longest times for a wording, or the content of a notice, and for a note; in seconds."""

    wording_s: float | None = None
    note_s: float | None = None


def _notices(parts_by_name: Mapping[str, Parts]) -> Mapping[str, WordNotice]:
    """The wordings of notices; those of other packages have a limited time.

    The project's own wait for the database as long as the core does, so that an outage is known as
    one, and costs no attempt.
    """
    own = installed_features().own
    limits = _Limits(_LONGEST_WORDING_S, _LONGEST_NOTE_S)
    return {
        kind: _bounded(word, _Limits() if name in own else limits)
        for name, parts in parts_by_name.items()
        for kind, word in parts.notices.items()
    }


def _bounded(word: WordNotice, limits: _Limits) -> WordNotice:
    """The wording of a feature, within its limits. One that fails is tried again a few times.

    Raises: TimeoutError if it is late; any error of the wording.
    """

    async def run(request: NoticeRequest) -> RenderedMessage | UserNotice | None:
        async with asyncio.timeout(limits.wording_s):
            notice = await word(request)
        return _bounded_notice(notice, limits) if isinstance(notice, UserNotice) else notice

    return run


def _bounded_notice(notice: UserNotice, limits: _Limits) -> UserNotice:
    """The notice of a feature, with its functions within their limits."""
    note = _bounded_note(notice.note, limits) if notice.note else None
    if isinstance(notice.content, RenderedMessage | Words):
        return replace(notice, note=note)
    return replace(notice, content=_bounded_content(notice.content, limits), note=note)


def _bounded_content(make_content: MakeContent, limits: _Limits) -> MakeContent:
    async def run() -> NoticeContent:
        async with asyncio.timeout(limits.wording_s):
            return await make_content()

    return run


def _bounded_note(note: NoteDelivery, limits: _Limits) -> NoteDelivery:
    """The note of a feature; its errors concern no notice that has come, and are logged.

    One that is late is called again with the next attempt, which sends no second message.

    Raises: DatabaseUnavailableError, LaneLostError; TimeoutError if it is late.
    """

    async def run(message_id: int | None) -> None:
        try:
            async with asyncio.timeout(limits.note_s):
                await note(message_id)
        except (DatabaseUnavailableError, LaneLostError, TimeoutError):
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("notice.not_noted", note=getattr(note, "__qualname__", ""))

    return run


def _survivable_note(note: NoteRating) -> NoteRating:
    """The note of a feature; if it breaks or is late, the rating is stored all the same."""

    async def run(rating: AnswerRating) -> None:
        try:
            async with asyncio.timeout(_LONGEST_RATING_S):
                await note(rating)
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.rating_not_noted")

    return run


def _patient(find: Prepare) -> Prepare:
    """The search for groups; one that breaks or is late leaves what is known."""

    async def run(user_id: int) -> None:
        try:
            async with asyncio.timeout(_LONGEST_LISTING_S):
                await find(user_id)
        except DatabaseUnavailableError:
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.memberships_unknown")

    return run


def _harmless(move: ZoneMove) -> ZoneMove:
    """The move of a feature; if it breaks, the user's zone is changed all the same."""

    async def run(user_id: int, zone: str) -> None:
        try:
            await move(user_id, zone)
        except DatabaseUnavailableError:
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("feature.zone_not_changed")

    return run
