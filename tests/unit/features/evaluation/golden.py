"""The prompt by which answers are marked, as a model receives it."""

from collections.abc import Mapping

from rich_agent.features.evaluation.evaluator import AnswerOpinion
from rich_agent.prompts import render_prompt
from rich_agent.upstreams.models.forms import OpenAIFormModel
from tests.golden_prompts.model_server import RecordingServer
from tests.golden_prompts.singles import Single

BEGINNINGS = {"judge_answer": "You mark an answer"}


async def _judge(server: RecordingServer) -> None:
    prompt = render_prompt(
        "judge_answer",
        facts=["opens at noon"],
        question="When does the library open?",
        answer="At twelve o'clock.",
    )
    await OpenAIFormModel(server.access()).fill(prompt, AnswerOpinion)


SINGLES: Mapping[str, Single] = {"judge_answer": _judge}
