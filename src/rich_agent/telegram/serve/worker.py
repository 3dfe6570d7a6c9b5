"""Serves many lanes at once; the updates of a lane are handled in order.

A failed update, an unavailable upstream or a lost database does not end the worker.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

import structlog

from rich_agent.errors import (
    AttemptsSpentError,
    DatabaseUnavailableError,
    DeliveryPostponedError,
    LaneLostError,
    RichAgentError,
    TurnDrainedError,
    TurnHeldError,
)
from rich_agent.ports.inbox import Inbox, Lane
from rich_agent.ports.models import ModelBusyError
from rich_agent.runtime.concurrency import (
    alongside,
    happens_within,
    never,
    survived,
    task_group,
    unless,
)
from rich_agent.runtime.fencing import confirm_lease_with, judge_quiet_with, work_under
from rich_agent.runtime.reach import Level, log_failure
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.envelope import continues, kind_of
from rich_agent.telegram.serve.admission import TurnAdmission
from rich_agent.telegram.serve.alarm import ignore_failure
from rich_agent.telegram.serve.claiming import Claiming, ClaimTimings
from rich_agent.telegram.serve.crowds import CrowdNotices, CrowdTimings
from rich_agent.telegram.serve.failing import announce_waiting, apologize, promise
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.telegram.serve.retry_waits import hold_or_give_up, retry_pause_s
from rich_agent.turns.apologies import is_the_users_to_hint, passes_by_itself


@dataclass(frozen=True, slots=True)
class LaneTimings:
    """The timings of a lane, in seconds.

    - `heartbeat_s`: between two renewals of the lease; well below the lease of the inbox.
    - `join_s`: from the arrival of a message until it is announced as waiting. Within this time it
      may turn out to belong to the question that is being answered.
    - `notice_s`: until an announcement that failed is tried again.
    - `look_s`: between two looks for waiting messages while no news arrives; `deaf_look_s` while
      none can arrive, because the inbox is deaf.
    - `longest_s`: the longest time for which a lane is kept. Every step of a turn has a deadline,
      so after that time something hangs, and the update is tried again.
    """

    heartbeat_s: float = 3.0
    notice_s: float = 1.0
    join_s: float = 0.4
    longest_s: float = 900.0
    look_s: float = 15.0
    deaf_look_s: float = 5.0


@dataclass(frozen=True, slots=True)
class LaneKeeper:
    """Renews the lease of a lane while it is served, and announces messages that wait in it."""

    inbox: Inbox
    handler: UpdateHandler
    timings: LaneTimings

    @asynccontextmanager
    async def keep(self, lane: Lane) -> AsyncIterator[Hold]:
        """Keep the lane during the block; yield a function that confirms this worker's hold.

        Raises: LaneLostError, or TimeoutError after the longest time; both cancel the block.
        """

        async def hold() -> None:
            await self.inbox.extend(lane)

        end = asyncio.Event()
        async with asyncio.timeout(self.timings.longest_s), task_group() as group:
            heartbeat_task = group.create_task(self._beat(hold))
            notice_task = group.create_task(self._tell_waiting(lane, hold, end))
            yield hold
            # Never interrupt the sending of a notice: it becomes the answer of the next turn.
            end.set()
            await notice_task
            heartbeat_task.cancel()

    async def _beat(self, hold: Hold) -> None:
        while True:
            await asyncio.sleep(self.timings.heartbeat_s)
            with survived("telegram.heartbeat_failed", DatabaseUnavailableError, level="warning"):
                await hold()

    async def _tell_waiting(self, lane: Lane, hold: Hold, end: asyncio.Event) -> None:
        notified_ids: set[int] = set()
        timings = self.timings
        async with self.inbox.hearing_from(lane.user_id) as news_event:
            pause_s = timings.join_s
            if self.inbox.is_quiet(lane):
                await unless(end, happens_within(news_event, timings.look_s))
            while not await happens_within(end, pause_s):
                news_event.clear()
                is_done = await self._tell_new(lane, hold, notified_ids)
                pause_s = timings.join_s if is_done else timings.notice_s
                if is_done:
                    look_s = timings.deaf_look_s if self.inbox.is_deaf else timings.look_s
                    await unless(end, happens_within(news_event, look_s))

    async def _tell_new(self, lane: Lane, hold: Hold, notified_ids: set[int]) -> bool:
        """Announce messages that wait; return whether all of them are announced."""
        raws: list[bytes] = []
        try:
            for update in await self.inbox.waiting_updates(lane):
                if raws and continues(raws, update.raw):
                    raws.append(update.raw)  # a part of the previous waiting message
                    continue
                raws = [update.raw]
                if update.update_id in notified_ids:
                    continue
                if not await announce_waiting(self.handler, update, lane.updates[0], hold):
                    return False  # later messages wait, or their answers would precede this answer
                notified_ids.add(update.update_id)
        except LaneLostError:
            raise
        except RichAgentError as error:
            _log.info("telegram.notice_failed", error=str(error))
            return False
        return True


_log = structlog.get_logger()
_GIVE_BACK_S = 2.0


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """The options of a worker; times in seconds.

    - `concurrency`: the number of lanes that are served at once.
    - `urgent_concurrency`: the number of further lanes for commands and presses, so that these get
      through while turns occupy all other lanes.
    - `poll_s`: between two claims while no news arrives.
    - `turn_attempts`: attempts of a failing turn, after which the user is told.
    - `retry_s`, `longest_retry_s`: the first and the longest pause between these attempts.
    - `outage_s`: between attempts while the database is away or read-only; these do not count.
    - `grace_s`: for which running turns may finish their current node at shutdown.
    - `pause_s`: after a failure of the inbox.
    - `is_strained`: while it returns True, or the event loop lags, no turn is begun.
    """

    concurrency: int = 16
    urgent_concurrency: int = 8
    timings: LaneTimings = field(default_factory=LaneTimings)
    crowd: CrowdTimings = field(default_factory=CrowdTimings)
    poll_s: float = 5.0
    turn_attempts: int = 3
    retry_s: float = 2.0
    longest_retry_s: float = 300.0
    outage_s: float = 10.0
    grace_s: float = 20.0
    pause_s: float = 1.0
    is_strained: Callable[[], bool] = never


class Worker:
    """Claims lanes from the inbox, and lets `handler` answer their updates."""

    def __init__(
        self,
        inbox: Inbox,
        handler: UpdateHandler,
        metrics: Metrics,
        options: WorkerOptions | None = None,
        alarm: Callable[[Exception | None], Awaitable[object]] = ignore_failure,
    ) -> None:
        self._alarm = alarm
        self._inbox = inbox
        self._handler = handler
        self._metrics = metrics
        self._options = options or WorkerOptions()
        self._keeper = LaneKeeper(inbox, handler, self._options.timings)
        self._serving: set[asyncio.Task[None]] = set()

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop` is set, then hand over running turns at their next checkpoint.

        A turn that does not reach a checkpoint within the grace period is cancelled, and its lane
        is given back.
        """
        options, admission = self._options, TurnAdmission(self._options.is_strained)
        async with alongside(admission.measure()), asyncio.TaskGroup() as group:
            turn_claims = self._claiming(group, options.concurrency, admission)
            urgent_claims = self._claiming(group, options.urgent_concurrency)
            crowd_notices = CrowdNotices(
                self._inbox, self._handler, lambda: turn_claims.is_full, self._options.crowd
            )
            services = (turn_claims.run(stop), urgent_claims.run(stop), crowd_notices.run(stop))
            service_tasks = [group.create_task(service) for service in services]
            await stop.wait()
            self._handler.turns.drain()
            with suppress(TimeoutError):
                async with asyncio.timeout(options.grace_s):
                    await asyncio.wait(service_tasks)
                    while self._serving:
                        await asyncio.wait(self._serving)
            for task in tuple(self._serving):
                task.cancel()

    def _claiming(
        self, group: asyncio.TaskGroup, slots: int, admission: TurnAdmission | None = None
    ) -> Claiming:
        def begin(lane: Lane) -> asyncio.Task[None]:
            self._metrics.count(lane)
            serve_task = group.create_task(self._serve(lane))
            self._serving.add(serve_task)
            serve_task.add_done_callback(self._serving.discard)
            return serve_task

        options = self._options
        timings = ClaimTimings(options.poll_s, options.pause_s, options.timings.heartbeat_s)
        return Claiming(self._inbox, begin, slots, timings, admission)

    async def _serve(self, lane: Lane) -> None:
        """Handle all of a lane's updates. No error in here ends the worker."""
        first_update = lane.updates[0]
        work_under(lane.fence, first_update.update_id, is_first=first_update.is_new)
        confirm_lease_with(partial(self._inbox.is_leased, lane))
        judge_quiet_with(partial(self._inbox.is_quiet, lane))
        with structlog.contextvars.bound_contextvars(
            update_id=first_update.update_id,
            user=self._handler.tags.of(lane.user_id),
            attempt=first_update.attempt,
            fence=lane.fence,
        ):
            try:
                async with self._inbox.count_attempt(lane):
                    await self._handle_and_settle(lane)
            except LaneLostError:
                self._metrics.lanes_lost.inc()
                _log.warning("telegram.lane_lost")
            except asyncio.CancelledError:
                await self._give_back(lane)
                raise
            except Exception:  # noqa: BLE001 - a poison update must not end the worker
                _log.exception("telegram.serving_failed")

    async def _handle_and_settle(self, lane: Lane) -> None:
        start = time.monotonic()
        is_told = False
        async with self._keeper.keep(lane) as hold:
            failure = await self._handle(lane, hold)
            if isinstance(failure, TurnHeldError):
                await self._promise(lane, failure, hold)
            elif failure and self._is_final(lane, failure):
                try:
                    is_told = await self._apologize(lane, failure, hold)
                except (DeliveryPostponedError, DatabaseUnavailableError) as delay:
                    failure = delay
        await self._settle_patiently(lane, failure, is_told=is_told)
        await self._alarm(failure)
        duration_s = time.monotonic() - start
        self._metrics.count_turn(failure, duration_s)
        _log.info(
            "telegram.turn",
            update_id=lane.updates[0].update_id,
            duration_ms=round(duration_s * 1000),
            failure=type(failure).__name__ if failure else None,
        )

    async def _handle(self, lane: Lane, hold: Hold) -> Exception | None:
        """Handle a lane's updates; return the error, None on success. Raises: LaneLostError."""
        if lane.is_spent:
            return AttemptsSpentError(kind_of(lane.updates[0].raw))
        try:
            await self._handler.handle(lane.updates, hold)
        except LaneLostError:
            raise
        except TurnDrainedError as error:
            _log.info("telegram.turn_drained")
            return error
        except ModelBusyError as error:
            _log.info("telegram.model_busy", error=str(error))
            return hold_or_give_up(error, lane.updates[0])
        except RichAgentError as error:
            # The user is told about a damaged photo; the operator has nothing to do.
            level: Level = "debug" if is_the_users_to_hint(error) else "warning"
            log_failure("telegram.turn_failed", error, level, kind=type(error).__name__)
            return error
        except Exception as error:  # noqa: BLE001 - tried again, then apologized for
            _log.exception("telegram.turn_broke")
            return error
        return None

    def _is_final(self, lane: Lane, failure: Exception) -> bool:
        """Whether the update should not be tried again."""
        if isinstance(failure, TurnDrainedError | DeliveryPostponedError) or _is_outage(failure):
            return False
        is_known = isinstance(failure, RichAgentError)
        if is_known and not passes_by_itself(failure):
            return True
        return lane.updates[0].attempt >= self._options.turn_attempts

    async def _apologize(self, lane: Lane, failure: Exception, hold: Hold) -> bool:
        """Tell the user about the failure; return False if that failed and must be repeated.

        Raises: LaneLostError, DeliveryPostponedError; DatabaseUnavailableError in an outage.
        """
        try:
            await apologize(self._handler, lane, failure, hold)
        except (LaneLostError, DeliveryPostponedError):
            raise
        except RichAgentError as error:
            if _is_outage(error):
                raise
            log_failure("telegram.apology_failed", error)
            return False
        return True

    async def _promise(self, lane: Lane, delay: TurnHeldError, hold: Hold) -> None:
        """Tell the user when to expect the answer, if the database can be reached.

        Raises: LaneLostError.
        """
        with suppress(DatabaseUnavailableError):
            await promise(self._handler, lane, delay, hold)

    async def _settle_patiently(
        self, lane: Lane, failure: Exception | None, *, is_told: bool
    ) -> None:
        """Record how the lane ended, so that it does not run again; wait for a lost database.

        Raises: LaneLostError if another worker took the lane before.
        """
        while True:
            try:
                return await self._settle(lane, failure, is_told=is_told)
            except DatabaseUnavailableError as error:
                log_failure("telegram.settling_failed", error)
            await asyncio.sleep(self._options.pause_s)

    async def _settle(self, lane: Lane, failure: Exception | None, *, is_told: bool) -> None:
        if failure is None or (is_told and is_the_users_to_hint(failure)):
            await self._inbox.finish(lane)
            return
        if isinstance(failure, TurnDrainedError):
            await self._inbox.release(lane, counted=False)
            return
        if isinstance(failure, TurnHeldError):
            await self._inbox.hold(lane, str(failure), failure.wait_s)
            return
        if isinstance(failure, DeliveryPostponedError) or _is_outage(failure):
            if await self._inbox.postpone(lane, _describe(failure), self._postponed_s(failure)):
                return
        elif is_told:
            await self._inbox.bury(lane, _describe(failure))
        elif await self._inbox.retry(lane, _describe(failure), self._pause_after(lane, failure)):
            return
        self._metrics.dead_letters.inc()
        _log.error("telegram.dead_letter", error=str(failure))

    def _pause_after(self, lane: Lane, failure: Exception) -> float:
        options = self._options
        attempt = lane.updates[0].attempt
        return retry_pause_s(failure, attempt, options.retry_s, options.longest_retry_s)

    def _postponed_s(self, failure: Exception) -> float:
        if isinstance(failure, DeliveryPostponedError):
            return failure.retry_after_s
        return self._options.outage_s

    async def _give_back(self, lane: Lane) -> None:
        # If this fails, the lease just ends later by itself.
        with survived("telegram.release_failed", RichAgentError, TimeoutError, level="warning"):
            async with asyncio.timeout(_GIVE_BACK_S):
                await self._inbox.release(lane, counted=True)


def _is_outage(failure: Exception) -> bool:
    return isinstance(failure, DatabaseUnavailableError) and failure.is_outage


def _describe(failure: Exception) -> str:
    return f"{type(failure).__name__}: {failure}"
