"""N3: describes the turn's images; equal content is described only once."""

from langgraph.runtime import Runtime

from rich_agent.domain.message import Photo
from rich_agent.domain.vision import ImageSummary, merge_summaries
from rich_agent.errors import DailyLimitError
from rich_agent.graph.looking import open_image
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState, TurnUpdate, VisionState, request_of
from rich_agent.graph.views import clocks_of, images_of
from rich_agent.ports.images import SeenImage
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import run_all
from rich_agent.times import say_limit


async def vision_summarize(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """Summarize every image of the message and of the one it replies to.

    The prompt holds the image only, no word of the user, so that all users can share the cache.
    Images beyond the user's daily limit are left out, and the answer says so.

    Raises: ImageRefusedError, MalformedOutputError, UpstreamError.
    """
    images = images_of(state)
    thread_id = request_of(state).thread_id
    summaries_or_errors = await run_all(_look(image, thread_id, runtime) for image in images)
    summaries = [
        summary_or_error
        for summary_or_error in summaries_or_errors
        if not isinstance(summary_or_error, DailyLimitError)
    ]
    runtime.context.run.notes.count("cache_hits", sum(from_cache for _, from_cache in summaries))
    vision: VisionState = {"image_id": images[0].sha256}
    if summaries:
        vision["summary"] = merge_summaries([summary for summary, _ in summaries]).to_json()
        vision["cached"] = all(from_cache for _, from_cache in summaries)
    clocks = clocks_of(state, runtime.context.services.now())
    for summary_or_error in summaries_or_errors:
        if isinstance(summary_or_error, DailyLimitError):
            vision["limit"] = say_limit(summary_or_error, clocks)
    return {"vision": vision}


async def _look(
    photo: Photo, thread_id: str, runtime: Runtime[NodeContext]
) -> tuple[ImageSummary, bool] | DailyLimitError:
    """The summary and whether it was cached, or the error that today's limit is reached."""
    try:
        return await _summarize(photo, thread_id, runtime)
    except DailyLimitError as error:
        if error.resource != "images":
            raise
        return error


async def _summarize(
    photo: Photo, thread_id: str, runtime: Runtime[NodeContext]
) -> tuple[ImageSummary, bool]:
    """The summary of an image, and whether it was cached.

    Equal images are summarized one after the other, so that one call serves all.
    """
    services = runtime.context.services
    await services.summaries.note_sender(photo.sha256, thread_id)
    if stored_summary := await services.summaries.find(photo.sha256, services.vision.name):
        return stored_summary, True
    async with services.summaries.exclusive(photo.sha256):
        if stored_summary := await services.summaries.find(photo.sha256, services.vision.name):
            return stored_summary, True
        runtime.stream_writer({"stage": "looking"})
        image = await open_image(photo, thread_id, runtime.context)
        summary = await services.vision.summarize(image, render_prompt("N3_vision_summarize"))
        image_record = SeenImage(photo.file_id, photo.sha256, image.mime, photo.size_bytes or 0)
        await services.summaries.store(image_record, services.vision.name, summary)
        return summary, False
