"""Service that starts, stops and finds runs, for all that speak HTTP, and their images."""

from dataclasses import dataclass

from rich_agent.domain.message import client_thread_of, update_of
from rich_agent.domain.runs import BusyPolicy, Run, RunAsked
from rich_agent.errors import ImageRefusedError
from rich_agent.ports.images import ImageFiles, Uploads
from rich_agent.ports.outbox import Stops
from rich_agent.ports.runs import Runs


@dataclass(frozen=True, slots=True)
class RunService:
    """Begins and stops the runs of users; a worker does them."""

    runs: Runs
    stops: Stops

    async def begin(
        self, user_id: int, run_id: str, thread: str, request: RunAsked, busy: BusyPolicy = "queue"
    ) -> Run:
        """The run; one that the user began under this id before, whatever is asked now.

        Raises: ThreadBusyError, TooManyRunsError, DatabaseUnavailableError.
        """
        if busy == "interrupt" and not await self.runs.find(user_id, run_id):
            await self.interrupt(user_id)
        run, _ = await self.runs.begin(
            user_id, run_id, thread, request, only_if_idle=busy == "refuse"
        )
        return run

    async def interrupt(self, user_id: int) -> None:
        """End the answer that the user is being given, on whatever surface, if there is one.

        Raises: DatabaseUnavailableError.
        """
        await self.stops.ask(user_id)

    async def stop(self, run: Run) -> bool:
        """End a run with what it has said so far; False if it is over already.

        Raises: DatabaseUnavailableError.
        """
        return await self.stops.ask(run.user_id, run.update_id) is not None

    async def stop_own(self, run: Run) -> None:
        """End a run that was asked for over HTTP: a turn of Telegram has another reader.

        Raises: DatabaseUnavailableError.
        """
        if not run.is_from_elsewhere:
            await self.stop(run)


async def newest_question(runs: Runs, user_id: int, thread: str, turn: str) -> str | None:
    """The words of the thread's newest question if it is this turn's, else None.

    May raise DatabaseUnavailableError.
    """
    number = update_of(turn)
    run = await runs.of_update(number) if number is not None else None
    if run is not None and run.state != "ended":
        is_here = run.user_id == user_id and run.conversation == client_thread_of(user_id, thread)
        return run.asked.text if is_here else None
    messages = await runs.messages(user_id, thread, 2, None)
    questions = (one for one in messages if one.role == "user" and one.request_id == turn)
    return next((one.content for one in questions), None)


_UPLOAD = "upload"


def file_id_of(user_id: int, upload_id: str) -> str:
    """Return the id of an upload in a turn; with its user, so that it names nobody else's."""
    return f"{_UPLOAD}:{user_id}:{upload_id}"


@dataclass(frozen=True, slots=True)
class UploadedFiles:
    """Implements `ImageFiles`: uploads, and the `others` by whatever else fetches files."""

    uploads: Uploads
    others: ImageFiles

    async def fetch(self, file_id: str) -> bytes:
        """See `ImageFiles.fetch`.

        Raises: ImageRefusedError("unreadable") if the upload is kept no more.
        """
        kind, _, place = file_id.partition(":")
        if kind != _UPLOAD:
            return await self.others.fetch(file_id)
        user_id, _, upload_id = place.partition(":")
        data = await self.uploads.find(int(user_id), upload_id)
        if data is None:
            raise ImageRefusedError("unreadable", "the upload is kept no more")
        return data
