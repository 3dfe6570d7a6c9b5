"""Answers a question about an image from its pixels."""

from rich_agent_sandbox.model.turns import understand
from rich_agent_sandbox.model.vision.describing import describe_image, measure_image
from rich_agent_sandbox.model.vision.image_summary import Table


def look(data: bytes, question: str) -> str:
    """The listed answer, else the requested cell, else the description and all of the text.

    Raises: ImageUnreadableError.
    """
    if listed_answer := understand(question).told.get("look"):
        return str(listed_answer)
    report = describe_image(data)
    if cell := next(
        filter(None, (Table.read(table).answer(question) for table in report.tables)), ""
    ):
        return cell
    lines = "" if report.tables else " / ".join(measure_image(data).text.lines)
    image_text = lines if lines not in report.summary else ""
    return f"{report.summary} {image_text}".rstrip()
