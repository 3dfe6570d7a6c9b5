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

    A model that is not listed is asked for one word: a deployment, or a name that a proxy routes,
    is in no list. A server that does not list its models (404, 405) is believed.
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
                unlisted = [
                    (setting, model)
                    for setting, model in models_in_use(settings).items()
                    if listed and not listed & {model, f"{model}:latest"}
                ]
                unknown = [pair for pair in unlisted if not await _answers(client, *pair)]
    except UpstreamError as error:
        cause = error.__cause__
        if isinstance(cause, openai.APIStatusError) and cause.status_code in {404, 405}:
            return "the server does not list its models"
        raise
    for setting, model in unknown:
        raise SettingsError(
            setting,
            f"the server at OPENAI_BASE_URL has no model {model!r}",
            mend=f"Set {setting} to one that it has: {', '.join(sorted(listed)[:8])}.",
        )
    return ", ".join(sorted(set(models_in_use(settings).values())))


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
