"""The schemas of structured output are taken by the engines of local servers.

llguidance serves llama.cpp, vLLM and SGLang; outlines-core serves vLLM and Text Generation
Inference. Neither needs a model to compile a schema.
"""

import importlib
import json
import pkgutil
from collections.abc import Iterator

import llguidance
import outlines_core
import pytest

import rich_agent.commands.diagnosis
import rich_agent.upstreams.models
from rich_agent.upstreams.servers.output_shapes import ModelOutput, ShapedOutput, schema_of


def shapes(base: type[ModelOutput] = ModelOutput) -> Iterator[type[ModelOutput]]:
    """Every shape that a model of the product is asked for, wherever it is defined."""
    for shape in base.__subclasses__():
        if shape.__module__.startswith("rich_agent.") and shape is not ShapedOutput:
            yield shape
            yield from shapes(shape)


for package in (rich_agent.upstreams.models, rich_agent.commands.diagnosis):
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
SCHEMAS = {shape.__name__: json.dumps(schema_of(shape)) for shape in shapes()}


def test_all_shapes_are_known() -> None:
    """The plan, the memory and the photo are among them."""
    assert {"PlannedTurn", "LearnedAboutUser", "ImageDescription"} <= SCHEMAS.keys()


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_compiled_by_llguidance(name: str) -> None:
    """Without an error or a warning about what is left out."""
    grammar = llguidance.LLMatcher.grammar_from_json_schema(SCHEMAS[name])
    is_wrong, told = llguidance.LLMatcher.validate_grammar_with_warnings(grammar)
    assert (is_wrong, told) == (False, [])


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_compiled_by_outlines(name: str) -> None:
    """Into an expression that takes an object."""
    expression = outlines_core.json_schema.build_regex_from_schema(SCHEMAS[name])
    assert expression.startswith("\\{")
