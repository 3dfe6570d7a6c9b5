"""The embedding model of the settings, and that of documents that had another one before."""

from httpx2 import AsyncClient
from pydantic import SecretStr

from rich_agent.composition.model_server import make_embedding_model
from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from rich_agent.settings.models import ChatSettings, EmbeddingSettings, ModelSettings
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.servers.capabilities import ModelAccess
from tests import make


async def test_each_question_uses_the_same_processes_of_the_earlier_local_model() -> None:
    """After a change to a server's model, none starts processes or loads the model anew."""
    settings = Settings(
        models=ModelSettings(
            chat=ChatSettings(api_key=SecretStr("any")),
            embedding=EmbeddingSettings(model="of-a-server", dimensions=8),
        )
    )
    async with AsyncClient() as http:

        def access(role: ModelRole) -> ModelAccess:
            return make.access(role.base_url or "", http, role.model)

        model = make_embedding_model(settings, access)
        assert model is not None
        earlier = model.in_space(MODELS[LOCAL].space)
        assert earlier.name == MODELS[LOCAL].space.model
        assert model.in_space(MODELS[LOCAL].space) is earlier
