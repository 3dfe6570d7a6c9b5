"""Looks at images: prepares the bytes of an image for a model, and asks about its content."""

import hashlib

from langgraph.runtime import Runtime

from rich_agent.domain.message import Photo
from rich_agent.domain.usage_limits import Call
from rich_agent.domain.vision import Image, ImageQuestion
from rich_agent.errors import DailyLimitError, ImageRefusedError, UpstreamError
from rich_agent.graph.services import NodeContext, with_retries
from rich_agent.graph.state import ImageAnswerState, TurnState, VisionState, request_of
from rich_agent.graph.views import clocks_of, earlier_images_of, images_of
from rich_agent.ports.images import AskedImage
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import run_all
from rich_agent.runtime.imaging import prepare_in_process
from rich_agent.runtime.metering import charge
from rich_agent.times import say_limit


async def open_image(photo: Photo, thread_id: str, context: NodeContext) -> Image:
    """The image as a model gets it: checked, scaled, without metadata.

    The image is charged before it is decoded: decoding takes seconds even if it fails.

    Raises: ImageRefusedError, also if the file changed since its hash was taken;
    DailyLimitError, UpstreamError.
    """
    services = context.services
    call = Call("vision", services.vision.name, images=1)
    async with charge(call, is_made=False) as receipt, context.turn.reading:
        receipt.refuse()  # until it is decoded; then the model's own call counts it
        image_bytes = await services.files.fetch(photo.file_id)
        if hashlib.sha256(image_bytes).hexdigest() != photo.sha256:
            raise ImageRefusedError("unreadable", "the file has changed since it was sent")
        try:
            return await prepare_in_process(image_bytes, services.limits.images, thread_id)
        except ImageRefusedError:
            receipt.count_images()
            raise


async def look_closer(
    state: TurnState, question: ImageQuestion, runtime: Runtime[NodeContext]
) -> VisionState:
    """The answers to a question about the turn's images, else about the user's last images.

    A question about an image is answered once and stored. The model gets the image and the
    question, nothing else. If a look fails, `look_error` says why.
    """
    images = images_of(state) or earlier_images_of(state)
    image_numbers = question.among(len(images))
    thread_id = request_of(state).thread_id
    try:
        answers = await run_all(
            _ask(images[number - 1], question, thread_id, runtime) for number in image_numbers
        )
    except DailyLimitError as error:
        if error.resource != "images":
            raise
        clocks = clocks_of(state, runtime.context.services.now())
        return {**state["vision"], "limit": say_limit(error, clocks)}
    except (UpstreamError, ImageRefusedError) as error:
        runtime.context.run.notes.survive("further_look_failed", error)
        return {**state["vision"], "look_error": str(error)}
    answer_states: list[ImageAnswerState] = [
        {"image": number, "question": question.text, "answer": answer, "cached": from_cache}
        for number, (answer, from_cache) in zip(image_numbers, answers, strict=True)
    ]
    return {
        **state["vision"],
        "image_id": images[image_numbers[0] - 1].sha256,
        "answers": answer_states,
    }


async def _ask(
    photo: Photo, question: ImageQuestion, thread_id: str, runtime: Runtime[NodeContext]
) -> tuple[str, bool]:
    """A model's answer to a question about an image, and whether it was stored before."""
    context, services = runtime.context, runtime.context.services
    key = AskedImage(thread_id, photo.sha256, services.vision.name, question.key)
    if stored_answer := await services.image_answers.find(key):
        return stored_answer, True
    runtime.stream_writer({"stage": "looking"})
    image = await open_image(photo, thread_id, context)
    prompt = render_prompt("N4_look_closer", question=question.text)
    answer = await with_retries(lambda: services.vision.look(image, prompt), context)
    await services.image_answers.store(key, answer)
    return answer, False
