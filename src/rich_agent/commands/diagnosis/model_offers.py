"""The models that a server offers, asked for with the client that also asks these models."""

from dataclasses import replace

from rich_agent.composition.model_server import TIMEOUT_S, open_client
from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import UpstreamRefusedError
from rich_agent.upstreams.servers.offers import Offers, read_offer
from rich_agent.upstreams.servers.refusals import translate_openai_errors


def server_at(base_url: str, api_key: str) -> ModelRole:
    """A server of which only the address and the key are known."""
    return ModelRole("", base_url, api_key, timeout_s=TIMEOUT_S, url_setting="the address")


async def find_offers(server: ModelRole) -> Offers:
    """The models of a server, no matter whether its address was given with its /v1.

    Raises: UpstreamError.
    """
    try:
        return await _list(server)
    except UpstreamRefusedError:
        if server.base_url.endswith("/v1"):
            raise
        return await _list(replace(server, base_url=f"{server.base_url}/v1"))


async def vector_length(base_url: str, api_key: str, model: str) -> int:
    """The number of values in a vector of the model. Raises: UpstreamError."""
    role = ModelRole(model, base_url, api_key, timeout_s=TIMEOUT_S, model_setting="EMBEDDING_MODEL")
    with translate_openai_errors("embeddings", role):
        async with open_client(role.base_url, role.api_key) as client:
            answer = await client.embeddings.create(
                model=model, input=["hi"], encoding_format="float"
            )
        return len(answer.data[0].embedding)


async def _list(role: ModelRole) -> Offers:
    with translate_openai_errors("model server", role):
        async with open_client(role.base_url, role.api_key) as client:
            descriptions = [model.model_dump() async for model in client.models.list()]
    return Offers(role.base_url, tuple(map(read_offer, descriptions)))
