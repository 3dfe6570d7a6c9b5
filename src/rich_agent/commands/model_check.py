"""Whether the model server is there and knows the configured models, before the first message."""

from dataclasses import dataclass

import openai

from rich_agent.errors import (
    BrokenAnswerError,
    InvalidSettingsError,
    SettingsError,
    UpstreamRefusedError,
)
from rich_agent.settings import Settings
from rich_agent.upstreams.openai_errors import translate_openai_errors

CHECK_TIMEOUT_S = 15.0
_ENDPOINT = "/chat/completions"
_UNLISTED = "the server does not list its models"


@dataclass(frozen=True, slots=True)
class LookUp:
    """What was found of the configured models; `unknown` has an error for each unknown one."""

    detail: str
    unknown: tuple[SettingsError, ...] = ()


def models_in_use(settings: Settings) -> dict[str, str]:
    """The models that the settings name, by setting; each once."""
    named = {
        "CHAT_MODEL": settings.chat_model,
        "PLANNER_MODEL": settings.planner_model,
        "VISION_MODEL": settings.vision_model,
        "EMBEDDING_MODEL": settings.embedding_model if settings.uses_embeddings else None,
    }
    return {setting: model for setting, model in named.items() if model}


async def check_models(settings: Settings) -> None:
    """See `look_up_models`.

    Raises: InvalidSettingsError naming the settings of all unknown models, UpstreamError.
    """
    if unknown := (await look_up_models(settings)).unknown:
        raise InvalidSettingsError(unknown)


async def look_up_models(settings: Settings) -> LookUp:
    """Compare the configured models with those that the server lists.

    A model that is not listed is asked for one word: a deployment, or a name that a proxy routes,
    is in no list. A server that does not list its models (404, 405), or not for this key (403), is
    believed.
    Raises: SettingsError if OPENAI_BASE_URL lacks its /v1 or has too much, UpstreamError.
    """
    api_key = settings.require_api_key()
    try:
        with translate_openai_errors(
            "model server", model_setting="OPENAI_BASE_URL", timeout_s=CHECK_TIMEOUT_S
        ):
            async with _client(settings.openai_base_url, api_key) as client:
                return await _look_up(client, settings)
    except (UpstreamRefusedError, BrokenAnswerError) as error:
        cause = error.__cause__
        status = cause.status_code if isinstance(cause, openai.APIStatusError) else None
        if status == 403:
            return LookUp(_UNLISTED)
        if status in {404, 405} or isinstance(error, BrokenAnswerError):
            await _refuse_other_address(settings.openai_base_url, api_key)
        if status in {404, 405}:
            return LookUp(_UNLISTED)
        raise


async def _look_up(client: openai.AsyncOpenAI, settings: Settings) -> LookUp:
    listed = {model.id async for model in client.models.list()}
    unlisted = [
        (setting, model)
        for setting, model in models_in_use(settings).items()
        if listed and not listed & {model, f"{model}:latest"}
    ]
    unknown = [pair for pair in unlisted if not await _answers(client, *pair)]
    return LookUp(
        ", ".join(sorted(set(models_in_use(settings).values()))),
        tuple(
            SettingsError(
                setting,
                f"the server at OPENAI_BASE_URL has no model {model!r}",
                mend=f"Set {setting} to one that it has: {', '.join(sorted(listed)[:8])}.",
            )
            for setting, model in unknown
        ),
    )


async def _refuse_other_address(base_url: str, api_key: str) -> None:
    """Raises: SettingsError if models are listed at an address that is likely to be meant."""
    meant = base_url.removesuffix(_ENDPOINT) if base_url.endswith(_ENDPOINT) else f"{base_url}/v1"
    async with _client(meant, api_key) as client:
        try:
            is_there = bool([model.id async for model in client.models.list()])
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            is_there = True
        except (openai.APIError, AttributeError, KeyError, TypeError, ValueError):
            is_there = False
    if is_there:
        raise SettingsError(
            "OPENAI_BASE_URL",
            f"there is no OpenAI-compatible API at {base_url}, but there is one at {meant}",
            mend=f"Write OPENAI_BASE_URL={meant}.",
        )


def _client(base_url: str, api_key: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url=base_url, api_key=api_key, max_retries=0, timeout=CHECK_TIMEOUT_S
    )


async def _answers(client: openai.AsyncOpenAI, setting: str, model: str) -> bool:
    try:
        if setting == "EMBEDDING_MODEL":
            await client.embeddings.create(model=model, input=["hi"])
        else:
            await client.chat.completions.create(
                model=model, messages=[{"role": "user", "content": "hi"}], max_tokens=1
            )
    except openai.NotFoundError:
        return False
    except openai.BadRequestError:
        pass  # it knows the model, and takes one word in another form
    return True
