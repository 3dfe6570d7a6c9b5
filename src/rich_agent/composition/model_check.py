"""Checks before the first message that the model server is there and has the configured models."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import openai

from rich_agent.composition.model_server import TIMEOUT_S, open_client
from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import (
    BrokenAnswerError,
    InvalidSettingsError,
    SettingsError,
    UpstreamRefusedError,
)
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.servers.refusals import translate_openai_errors

_ENDPOINT = "/chat/completions"
_UNLISTED = "the server does not list its models"


@dataclass(frozen=True, slots=True)
class LookUp:
    """The findings about the configured models; `unknown` has an error for each unknown one."""

    detail: str
    unknown: tuple[SettingsError, ...] = ()


async def check_models(settings: Settings) -> None:
    """See `look_up_models`.

    Raises: InvalidSettingsError naming the settings of all unknown models, UpstreamError.
    """
    if unknown := (await look_up_models(settings)).unknown:
        raise InvalidSettingsError(unknown)


async def look_up_models(settings: Settings) -> LookUp:
    """Compare the configured models with those that their servers list.

    A model that is not listed is asked for one word: a deployment, or a name that a proxy routes,
    is in no list. A server that does not list its models (404, 405), or not for this key (403), is
    believed.
    Raises: SettingsError if an address lacks its /v1 or has too much, UpstreamError.
    """
    servers: dict[tuple[str, str], dict[str, ModelRole]] = {}
    for role in settings.models.roles:
        server = servers.setdefault((role.base_url, role.api_key), {})
        server.setdefault(role.model_setting, role)
    reports = [await _look_up(tuple(roles.values())) for roles in servers.values()]
    return LookUp(
        "; ".join(dict.fromkeys(one.detail for one in reports)),
        tuple(problem for one in reports for problem in one.unknown),
    )


async def _look_up(roles: Sequence[ModelRole]) -> LookUp:
    """Ask the one server of these roles about their models."""
    server = replace(roles[0], timeout_s=TIMEOUT_S)
    try:
        async with open_client(server.base_url, server.api_key) as client:
            with translate_openai_errors("model server", server):
                return await _compare(client, roles)
    except (UpstreamRefusedError, BrokenAnswerError) as error:
        cause = error.__cause__
        status = cause.status_code if isinstance(cause, openai.APIStatusError) else None
        if status == 403:
            return LookUp(_UNLISTED)
        if status in {404, 405} or isinstance(error, BrokenAnswerError):
            await _refuse_other_address(server)
        if status in {404, 405}:
            return LookUp(_UNLISTED)
        raise


async def _compare(client: openai.AsyncOpenAI, roles: Sequence[ModelRole]) -> LookUp:
    server_models = {model.id async for model in client.models.list()}
    others = [
        one
        for one in roles
        if server_models and not server_models & {one.model, f"{one.model}:latest"}
    ]
    unknown = [role for role in others if not await _answers(client, role)]
    return LookUp(
        ", ".join(sorted({role.model for role in roles})),
        tuple(
            SettingsError(
                role.model_setting,
                f"the server at {role.url_setting} has no model {role.model!r}",
                hint=f"Set {role.model_setting} to one that it has: "
                f"{', '.join(sorted(server_models)[:8])}.",
            )
            for role in unknown
        ),
    )


async def _refuse_other_address(role: ModelRole) -> None:
    """Raises: SettingsError if models are listed at an address that is likely to be meant."""
    base_url = role.base_url
    likely_url = (
        base_url.removesuffix(_ENDPOINT) if base_url.endswith(_ENDPOINT) else f"{base_url}/v1"
    )
    async with open_client(likely_url, role.api_key) as client:
        try:
            is_there = bool([model.id async for model in client.models.list()])
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            is_there = True
        except (openai.APIError, AttributeError, KeyError, TypeError, ValueError):
            is_there = False
    if is_there:
        raise SettingsError(
            role.url_setting,
            f"there is no OpenAI-compatible API at {base_url}, but there is one at {likely_url}",
            hint=f"Write {role.url_setting}={likely_url}.",
        )


async def _answers(client: openai.AsyncOpenAI, role: ModelRole) -> bool:
    try:
        if role.model_setting == "EMBEDDING_MODEL":
            await client.embeddings.create(model=role.model, input=["hi"])
        else:
            await client.chat.completions.create(
                model=role.model, messages=[{"role": "user", "content": "hi"}], max_tokens=1
            )
    except openai.NotFoundError:
        return False
    except (openai.BadRequestError, openai.UnprocessableEntityError):
        pass  # it knows the model, and takes one word in another form
    return True
