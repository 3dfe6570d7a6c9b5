"""Service that starts and stops runs for all HTTP surfaces, and fetches their images."""

from dataclasses import dataclass

from rich_agent.domain.message import client_thread_of, update_of
from rich_agent.domain.runs import BusyPolicy, Run, RunAsked
from rich_agent.errors import ImageRefusedError
from rich_agent.ports.images import ImageFiles, Uploads
from rich_agent.ports.outbox import Stops
from rich_agent.ports.runs import Runs


@dataclass(frozen=True, slots=True)
class RunService:
    """Begins and stops runs of users, which a worker then performs."""

    runs: Runs
    stops: Stops

    async def begin(
        self, user_id: int, run_id: str, thread: str, request: RunAsked, busy: BusyPolicy = "queue"
    ) -> Run:
        """Begin a run and return it; if the user has already begun one under this id, return that.

        Raises: ThreadBusyError, TooManyRunsError, DatabaseUnavailableError.
        """
        if busy == "interrupt" and not await self.runs.find(user_id, run_id):
            await self.interrupt(user_id)
        run, _ = await self.runs.begin(
            user_id, run_id, thread, request, only_if_idle=busy == "refuse"
        )
        return run

    async def interrupt(self, user_id: int) -> None:
        """Stop the answer that is being written for the user, on any surface.

        Raises: DatabaseUnavailableError.
        """
        await self.stops.ask(user_id)

    async def stop(self, run: Run) -> bool:
        """Stop a run, whose answer is the text so far; return False if it is over already.

        Raises: DatabaseUnavailableError.
        """
        return await self.stops.ask(run.user_id, run.update_id) is not None

    async def stop_own(self, run: Run) -> None:
        """Stop a run if it was requested over HTTP; a turn of Telegram has another reader.

        Raises: DatabaseUnavailableError.
        """
        if not run.is_from_elsewhere:
            await self.stop(run)


async def newest_question(runs: Runs, user_id: int, thread: str, turn: str) -> str | None:
    """The text of the thread's newest question if it belongs to the turn `turn`, else None.

    May raise DatabaseUnavailableError.
    """
    update_id = update_of(turn)
    run = await runs.of_update(update_id) if update_id is not None else None
    if run is not None and run.state != "ended":
        is_here = run.user_id == user_id and run.conversation == client_thread_of(user_id, thread)
        return run.asked.text if is_here else None
    messages = await runs.messages(user_id, thread, 2, None)
    questions = (
        message for message in messages if message.role == "user" and message.request_id == turn
    )
    return next((message.content for message in questions), None)


_UPLOAD = "upload"


def file_id_of(user_id: int, upload_id: str) -> str:
    """The file id of an upload in a turn, which includes the user: nobody can name another's."""
    return f"{_UPLOAD}:{user_id}:{upload_id}"


@dataclass(frozen=True, slots=True)
class UploadedFiles:
    """Implements `ImageFiles`: fetches uploads, and leaves all other files to `others`."""

    uploads: Uploads
    others: ImageFiles

    async def fetch(self, file_id: str) -> bytes:
        """See `ImageFiles.fetch`.

        Raises: ImageRefusedError("unreadable") if the upload is kept no more.
        """
        kind, _, user_and_upload = file_id.partition(":")
        if kind != _UPLOAD:
            return await self.others.fetch(file_id)
        user_id, _, upload_id = user_and_upload.partition(":")
        data = await self.uploads.find(int(user_id), upload_id)
        if data is None:
            raise ImageRefusedError("unreadable", "the upload is kept no more")
        return data
