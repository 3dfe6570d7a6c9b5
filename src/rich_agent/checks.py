"""Whether the model server knows the configured models; asked before the first message."""

import openai

from rich_agent.errors import SettingsError, UpstreamError
from rich_agent.settings import Settings
from rich_agent.upstreams.openai_errors import translate_openai_errors

CHECK_TIMEOUT_S = 15.0


def models_in_use(settings: Settings) -> dict[str, str]:
    """The models that the settings name, by setting; each once."""
    named = {
        "CHAT_MODEL": settings.chat_model,
        "PLANNER_MODEL": settings.planner_model,
        "VISION_MODEL": settings.vision_model,
        "EMBEDDING_MODEL": settings.embedding_model if settings.uses_embeddings else None,
    }
    return {setting: model for setting, model in named.items() if model}


async def check_models(settings: Settings) -> str:
    """Compare the configured models with those that the server lists.

    A server that does not list its models (404, 405) is believed.
    Raises: SettingsError naming the unknown model's setting, UpstreamError.
    """
    api_key = settings.require_api_key()
    try:
        with translate_openai_errors(
            "model server", model_setting="OPENAI_BASE_URL", timeout_s=CHECK_TIMEOUT_S
        ):
            async with openai.AsyncOpenAI(
                base_url=settings.openai_base_url,
                api_key=api_key,
                max_retries=0,
                timeout=CHECK_TIMEOUT_S,
            ) as client:
                listed = {model.id async for model in client.models.list()}
    except UpstreamError as error:
        cause = error.__cause__
        if isinstance(cause, openai.APIStatusError) and cause.status_code in {404, 405}:
            return "the server does not list its models"
        raise
    for setting, model in models_in_use(settings).items():
        if listed and model not in listed:
            known = ", ".join(sorted(listed)[:8])
            raise SettingsError(
                setting,
                f"the server at OPENAI_BASE_URL has no model {model!r}",
                mend=f"Set {setting} to one that it has: {known}.",
            )
    return ", ".join(sorted(set(models_in_use(settings).values())))
