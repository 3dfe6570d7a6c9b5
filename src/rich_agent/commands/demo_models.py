"""The models of the demo: from the settings, found on this machine, or stand-ins.

What has no real model has the sandbox's stand-in, role by role.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from rich_agent.commands.model_choice import (
    NO_KEY,
    Choice,
    Chosen,
    ModelSearch,
    as_lines,
    choose,
    for_env,
    has_server,
    how_to_use,
    keys_of_others,
    wanted_model,
    with_dimensions,
)
from rich_agent.commands.model_offer import DownloadOffer, find_offer, install_line
from rich_agent.domain.languages import ENGLISH, SUPPORTED_LOCALES
from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from rich_agent.errors import UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.models import ModelAccountError
from rich_agent.settings.settings import Settings, all_settings
from rich_agent.upstreams.servers.offers import Offer, Offers

_SERVER_S = 15.0
_USUAL = "Ollama, LM Studio, llama.cpp, vLLM and others at their usual ports"


@dataclass(frozen=True, slots=True)
class DemoModels:
    """The settings of the models, by name, and the lines about them for the terminal.

    `has_stand_in`: nothing was set and no model was found that chats. `offer`: what could be
    downloaded then.
    """

    settings: Mapping[str, str]
    lines: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    has_stand_in: bool = False
    offer: DownloadOffer | None = None


async def find_models(settings: Settings, sandbox: str, search: ModelSearch) -> DemoModels:
    """The models for a demo whose stand-ins are at the address `sandbox`.

    A key that was set counts with all the settings around it. An address alone, or else a server
    of this machine, has its best models chosen.
    Raises: UpstreamError of a server that was set.
    """
    if settings.models.chat.api_key is not None:
        return DemoModels({}, about=about_model(settings.models.chat.model))
    if has_server(settings):
        server = ModelRole("", settings.models.chat.base_url, NO_KEY, timeout_s=_SERVER_S)
        choice = await with_dimensions(await models_at(server, wanted_model(settings)))
    else:
        choice = await search.choose(settings)
    stand_ins = _stand_ins(sandbox) | _own_embedding(settings)
    real = choice.settings()
    if choice.vision:
        stand_ins |= {"VISION_MODEL": "", "VISION_BASE_URL": "", "VISION_API_KEY": ""}
    if choice.embedding and "EMBEDDING_BASE_URL" not in real:
        stand_ins |= {"EMBEDDING_BASE_URL": "", "EMBEDDING_API_KEY": ""}
    about = about_model(choice.chat.model.name) if choice.chat else about_stand_in()
    has_stand_in = choice.chat is None and not has_server(settings)
    offer = await find_offer(search) if has_stand_in else None
    lines = _tell(choice)
    if has_stand_in:
        lines.append(_tell_offer(offer))
    return DemoModels(stand_ins | real, tuple(lines), about, has_stand_in, offer)


def about_model(name: str) -> tuple[str, ...]:
    """The words of the page where a real model answers, in each language."""
    return _notices("demo-about-model", model=name)


def about_stand_in() -> tuple[str, ...]:
    """The words of the page where the stand-in answers, in each language."""
    return _notices("demo-about-stand-in")


def _notices(key: str, **values: str) -> tuple[str, ...]:
    """A phrase and who the operator is, in each language: "ja:…", English without a code."""
    texts = {
        locale: f"{say(locale, key, **values)}\n{say(locale, 'demo-about-operator')}"
        for locale in SUPPORTED_LOCALES
    }
    return tuple(
        text if locale == ENGLISH else f"{locale}:{text}" for locale, text in texts.items()
    )


async def models_at(server: ModelRole, model_name: str) -> Choice:
    """The models of a server; `model_name` is used even if the server does not list it.

    Raises: UpstreamError.
    """
    from rich_agent.commands.diagnosis.model_offers import find_offers  # noqa: PLC0415 - the client

    try:
        offers = await find_offers(server)
    except UpstreamRefusedError as error:
        if not model_name or isinstance(error, ModelAccountError):
            raise
        offers = Offers(server.base_url, ())
    if model_name and model_name not in {one.name for one in offers.models}:
        offers = Offers(offers.base_url, (*offers.models, Offer(model_name)))
    return choose([offers], model_name=model_name)


def _stand_ins(sandbox: str) -> dict[str, str]:
    """Every role as the sandbox has it, each with its own address, so that one can be replaced."""
    address, role_names = f"{sandbox}/v1", ("VISION", "EMBEDDING", *_roles_of_features())
    settings = {
        "OPENAI_BASE_URL": address,
        "OPENAI_API_KEY": "sandbox",
        "CHAT_MODEL": "sandbox-chat",
        "PLANNER_MODEL": "",
        "EMBEDDING_DIMENSIONS": "1536",
    }
    for name in role_names:
        settings |= {
            f"{name}_BASE_URL": address,
            f"{name}_API_KEY": "sandbox",
            f"{name}_MODEL": f"sandbox-{name.lower()}",
        }
    return settings


def _own_embedding(settings: Settings) -> dict[str, str]:
    """The embedding model of this machine, which understands what the stand-in only compares."""
    embedding = settings.models.embedding
    is_wanted = "model" not in embedding.model_fields_set or embedding.local
    if not is_wanted or not MODELS[LOCAL].is_installed:
        return {}
    return {"EMBEDDING_BASE_URL": "", "EMBEDDING_API_KEY": "", "EMBEDDING_MODEL": LOCAL}


def _roles_of_features() -> list[str]:
    """The roles of models that features declare, as the names of their settings begin."""
    setting_names = {one.name for one in all_settings().values() if one.path[0] == "sections"}
    roles = {name.removesuffix("_MODEL") for name in setting_names}
    return sorted(role for role in roles if {f"{role}_MODEL", f"{role}_BASE_URL"} <= setting_names)


def _tell(choice: Choice) -> list[str]:
    lines = [line] if (line := choice.summary()) else []
    if choice.chat is None:
        if not lines:
            lines.append(f"no model server answers on this machine ({_USUAL})")
        lines.append("a stand-in answers, by quoting; to connect a model: the page has a form")
    elif missing := _missing(choice):
        lines.append(f"stand-ins of the sandbox {missing}")
    if choice.chat:
        lines.append("to keep it, write into .env:\n" + as_lines(for_env(choice)))
    return lines + [how_to_use(key, "rich-agent demo") for key in keys_of_others(os.environ)]


def _tell_offer(offer: DownloadOffer | None) -> str:
    """The way to a real model on this machine."""
    if offer is None:
        return f"for a model on this machine, install Ollama: {install_line()}"
    start = "is installed; started by the demo, it" if offer.program else f"at {offer.origin}"
    return (
        f"{offer.server.title} {start} can download {offer.best.name} ({offer.best.size}), which "
        "fits this machine: at one press on the page, or with `--download-model`"
    )


def _missing(choice: Choice) -> str:
    lacking: list[tuple[Chosen | None, str]] = [
        (choice.vision, "describe photos"),
        (choice.embedding, "make the vectors of documents"),
    ]
    return " and ".join(task for model, task in lacking if model is None)
