"""Has a model mark answers for `rich-agent eval answers`."""

from pydantic import Field

from rich_agent.ports.models import AnswerOpinion, Prompt
from rich_agent.upstreams.models.chat import to_messages
from rich_agent.upstreams.servers.reasoning import ModelOutput
from rich_agent.upstreams.servers.structured import StructuredModel


class MarkedAnswer(ModelOutput):
    """The marks of an answer."""

    stated: list[int] = Field(
        default_factory=list, description="The numbers of the facts that the answer states."
    )
    refuses: bool = Field(
        default=False, description="Whether it only says that there is no answer."
    )


class OpenAIAnswerJudge(StructuredModel):
    """Implements `AnswerJudge`."""

    async def judge(self, prompt: Prompt) -> AnswerOpinion:
        """See `AnswerJudge.judge`."""
        marked = await self.ask(to_messages(prompt), MarkedAnswer)
        return AnswerOpinion(frozenset(marked.stated), marked.refuses)
