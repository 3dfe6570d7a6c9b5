"""The schemas of structured output are taken by the engines of local servers, and are bounded.

llguidance serves llama.cpp, vLLM and SGLang; outlines-core serves vLLM and Text Generation
Inference. Neither needs a model to compile a schema.
"""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llguidance
import outlines_core
import pytest

import rich_agent.commands.diagnosis
import rich_agent.features
import rich_agent.upstreams.models
from rich_agent.upstreams.servers.output_shapes import (
    ModelOutput,
    ShapedOutput,
    schema_of,
)


def shapes(base: type[ModelOutput] = ModelOutput) -> Iterator[type[ModelOutput]]:
    """Every shape that a model of the product is asked for, wherever it is defined."""
    for shape in base.__subclasses__():
        if shape.__module__.startswith("rich_agent.") and shape is not ShapedOutput:
            yield shape
            yield from shapes(shape)


for package in (rich_agent.upstreams.models, rich_agent.commands.diagnosis):
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
for module in pkgutil.walk_packages(rich_agent.features.__path__, "rich_agent.features."):
    spec = module.module_finder.find_spec(module.name, None)
    if spec and spec.origin and "ModelOutput" in Path(spec.origin).read_text(encoding="utf-8"):
        importlib.import_module(module.name)
SHAPES = {shape.__name__: shape for shape in shapes()}
SCHEMAS = {name: json.dumps(schema_of(shape)) for name, shape in SHAPES.items()}


def test_all_shapes_are_known() -> None:
    """The plan, the memory, the photo, and the opinion of a feature's judge are among them."""
    expected = {"PlannedTurn", "LearnedAboutUser", "ImageDescription", "AnswerOpinion"}
    assert expected <= SCHEMAS.keys()


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


@pytest.mark.parametrize("name", SHAPES)
def test_schema_bounds_every_text_and_list(name: str) -> None:
    """A model that never ends a string or a list is ended by its server."""
    assert list(_unbounded(schema_of(SHAPES[name]))) == []
    # Without bounds there is something to find.
    if SHAPES[name].model_fields.keys() & {"query", "numbers", "steps", "facts", "summary"}:
        assert list(_unbounded(schema_of(SHAPES[name], is_bounded=False)))


def _unbounded(schema: Any, place: str = "") -> Iterator[str]:
    """The places of texts and lists without a bound."""
    for branch in schema.get("anyOf", []):
        yield from _unbounded(branch, place)
    for field, inner in schema.get("properties", {}).items():
        yield from _unbounded(inner, f"{place}.{field}")
    if schema.get("type") == "array":
        yield from [] if "maxItems" in schema else [place]
        yield from _unbounded(schema["items"], f"{place}[]")
    if schema.get("type") == "string" and not schema.keys() & {"enum", "const", "format"}:
        yield from [] if "maxLength" in schema else [place]
