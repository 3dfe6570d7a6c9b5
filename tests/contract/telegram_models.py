"""Checks of Bot API calls, results and updates against aiogram's models of the Bot API.

What aiogram does not know yet has models in `widget_models`.

Loading the models takes seconds, so it is left to the first check.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError


def check_call(method: str, body: Mapping[str, Any]) -> None:
    """Assert that a call has all fields that its method needs, none else, of the right types.

    `body` is as `GET /sim/calls` lists it: a file is `{file_name, size_bytes}`.
    """
    model = _method(method)
    given = {name: _file_for(value) for name, value in body.items()}
    try:
        call = model.model_validate(given)
    except ValidationError as error:
        raise AssertionError(f"{method}: {error}") from error
    _assert_no_extra(method, call)


def check_result(method: str, result: object) -> None:
    """Assert that a result is what the method returns, without unknown fields."""
    adapter: TypeAdapter[Any] = TypeAdapter(_method(method).__returning__)  # type: ignore[attr-defined]  # every aiogram method declares it
    try:
        parsed = adapter.validate_python(result)
    except ValidationError as error:
        raise AssertionError(f"result of {method}: {error}") from error
    _assert_no_extra(f"result of {method}", parsed)


def check_update(update: Mapping[str, Any]) -> None:
    """Assert that an update is one that Telegram could send."""
    try:
        parsed = import_module("aiogram.types").Update.model_validate(update)
    except ValidationError as error:
        raise AssertionError(f"update: {error}") from error
    _assert_no_extra("update", parsed)
    happened = parsed.model_dump(exclude={"update_id"}, exclude_none=True)
    assert len(happened) == 1, f"an update tells one thing, not {sorted(happened)}"


def _method(name: str) -> type[BaseModel]:
    model = getattr(import_module("aiogram.methods"), name[:1].upper() + name[1:], None)
    if model is None:
        model = import_module("tests.contract.widget_models").WIDGET_METHODS.get(name)
    assert model is not None, f"the Bot API has no method {name}"
    assert isinstance(model, type)
    assert issubclass(model, BaseModel)
    return model


def _file_for(value: object) -> object:
    if isinstance(value, Mapping) and set(value) == {"file_name", "size_bytes"}:
        return import_module("aiogram.types").BufferedInputFile(b"", value["file_name"])
    return value


def _assert_no_extra(subject: str, value: object) -> None:
    unknown = list(_extra_fields(value, ""))
    assert not unknown, f"{subject}: unknown fields {unknown}"


def _extra_fields(value: object, path: str) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _extra_fields(item, f"{path}[{index}]")
    elif isinstance(value, BaseModel):
        for name, item in (value.model_extra or {}).items():
            yield from _unknown_fields(type(value).__name__, name, item, f"{path}.{name}")
        for name in type(value).model_fields:
            yield from _extra_fields(getattr(value, name), f"{path}.{name}")


def _unknown_fields(owner: str, name: str, value: object, path: str) -> Iterator[str]:
    """The field itself, or what its own model does not know."""
    model = import_module("tests.contract.widget_models").WIDGET_FIELDS.get((owner, name))
    if model is None:
        yield path.lstrip(".")
        return
    try:
        parsed = model.model_validate(value)
    except ValidationError as error:
        raise AssertionError(f"{path}: {error}") from error
    yield from _extra_fields(parsed, path)
