"""The choice among the models that run on this machine, and how it is told."""

from dataclasses import replace

import pytest

from rich_agent.commands.model_choice import (
    choose,
    for_env,
    how_to_use,
    keys_of_others,
    with_dimensions,
    without_embedder,
)
from rich_agent.upstreams.servers.offers import Offer, Offers, billions_in

SMALL = Offer("llama3.2:3b", uses_tools=True, billions=3.2, size_bytes=2_000_000_000)
LARGE = Offer("qwen3:14b", uses_tools=True, billions=14.8, size_bytes=9_000_000_000, sees=True)
PLAIN = Offer("gemma2:27b", uses_tools=False, billions=27.2, size_bytes=16_000_000_000)
EMBEDDER = Offer("bge-m3", chats=False, embeds=True, billions=0.57, dimensions=1024)
TINY = Offer("all-minilm", chats=False, embeds=True, billions=0.02, dimensions=384)
HUGE = Offer("qwen3-embedding:8b", chats=False, embeds=True, billions=8.0, dimensions=4096)
GIB = 2**30


def server(*models: Offer, title: str = "Ollama", port: int = 11434) -> Offers:
    """A server of this machine."""
    return Offers(f"http://127.0.0.1:{port}/v1", models, title)


def test_choice_is_the_larger_model_that_fits_and_uses_tools() -> None:
    """Without enough memory it is the smaller one."""
    offered = [server(SMALL, PLAIN, LARGE)]
    roomy, tight = (choose(offered, memory_bytes=n * GIB).chat for n in (64, 8))
    assert roomy is not None
    assert tight is not None
    assert (roomy.model, tight.model) == (LARGE, SMALL)


def test_choice_prefers_a_model_that_is_loaded() -> None:
    """Loading another one would take its memory, and time."""
    chosen = choose([server(replace(SMALL, is_loaded=True), LARGE)]).chat
    assert chosen is not None
    assert chosen.model.name == SMALL.name


def test_choice_avoids_a_small_window() -> None:
    """A turn fits into 4,096 tokens, and remembers little there."""
    studio = server(SMALL, title="LM Studio", port=1234)
    choice = choose([server(replace(LARGE, window=4_096)), studio])
    assert choice.chat is not None
    assert choice.chat.server == studio
    assert [one.title for one in choice.others] == ["Ollama"]


def test_choice_keeps_to_the_model_that_was_set() -> None:
    """CHAT_MODEL counts where a server has it, with or without its tag."""
    bare = choose([server(SMALL, LARGE)], model_name=SMALL.name).chat
    tagged = choose([server(replace(SMALL, name="llama3:latest"), LARGE)], model_name="llama3").chat
    assert bare is not None
    assert tagged is not None
    assert (bare.model.name, tagged.model.name) == ("llama3.2:3b", "llama3:latest")


def test_choice_of_a_server_with_embedders_only_leaves_the_answers_open() -> None:
    """Of its embedders it is the best small one: a large one reads documents slowly."""
    choice = choose([server(TINY, EMBEDDER, HUGE)])
    assert choice.chat is None
    assert choice.embedding is not None
    assert choice.embedding.model == EMBEDDER
    assert choice.settings() == {
        "EMBEDDING_BASE_URL": "http://127.0.0.1:11434/v1",
        "EMBEDDING_API_KEY": "none",
        "EMBEDDING_MODEL": "bge-m3",
        "EMBEDDING_DIMENSIONS": "1024",
    }


def test_choice_of_one_server_needs_one_address() -> None:
    """Photos go to a model that sees, if the best one does not."""
    eye = Offer("llava:7b", sees=True, uses_tools=False, billions=7.0)
    choice = choose([server(SMALL, eye, EMBEDDER)])
    assert choice.settings() == {
        "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1",
        "OPENAI_API_KEY": "none",
        "CHAT_MODEL": "llama3.2:3b",
        "VISION_MODEL": "llava:7b",
        "EMBEDDING_MODEL": "bge-m3",
        "EMBEDDING_DIMENSIONS": "1024",
    }
    assert "VISION_MODEL" not in choose([server(LARGE)]).settings()
    assert for_env(choose([server(LARGE)]))["EMBEDDING_MODEL"] == without_embedder()


@pytest.mark.parametrize(("offered", "used"), [(EMBEDDER, True), (HUGE, False)])
async def test_embedder_is_used_if_its_vectors_fit(offered: Offer, *, used: bool) -> None:
    """Vectors of more than 4,000 numbers are not indexed."""
    choice = await with_dimensions(choose([server(SMALL, offered)]))
    assert (choice.embedding is not None) == used


def test_choice_never_takes_a_server_that_passes_words_on() -> None:
    """A gateway on this machine may lead to servers of others; it is told."""
    gateway = Offers("http://127.0.0.1:4000/v1", (LARGE,), "LiteLLM", passes_on=True)
    choice = choose([gateway])
    assert choice.chat is None
    assert choice.summary() == "found, not used: LiteLLM at http://127.0.0.1:4000/v1"


def test_choice_is_told_in_one_line() -> None:
    """Names, abilities as the servers tell them, addresses, and what could be used instead."""
    studio = server(SMALL, title="LM Studio", port=1234)
    told = choose([server(replace(LARGE, window=40_960), EMBEDDER), studio]).summary()
    assert told == (
        "found on this machine: qwen3:14b [14.8B, tools, photos, 40,960 tokens] answers "
        "(Ollama at http://127.0.0.1:11434/v1), bge-m3 [0.57B] makes vectors "
        "(Ollama at http://127.0.0.1:11434/v1); also there, not used: "
        "LM Studio at http://127.0.0.1:1234/v1"
    )
    assert choose([]).summary() == ""


def test_keys_of_other_programs_are_told_and_not_spent() -> None:
    """The line names the key, without its value, and the settings that use it."""
    assert keys_of_others({"GROQ_API_KEY": "gsk", "MISTRAL_API_KEY": "", "PATH": "/"}) == [
        "GROQ_API_KEY"
    ]
    line = how_to_use("GROQ_API_KEY", "rich-agent demo")
    assert "OPENAI_BASE_URL=https://api.groq.com/openai/v1 OPENAI_API_KEY=$GROQ_API_KEY" in line


@pytest.mark.parametrize(
    ("text", "billions"),
    [
        ("8.2B", 8.2),
        ("137M", 0.137),
        ("qwen3:30b-a3b", 30),
        ("Qwen/Qwen2.5-3B-Instruct", 3),
        ("gpt-4.1-mini", None),
        ("ab12bc", None),
    ],
)
def test_size_of_a_model_is_read_from_its_name(text: str, billions: float | None) -> None:
    """Billions and millions of parameters."""
    assert billions_in(text) == billions
