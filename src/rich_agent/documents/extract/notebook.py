"""Converts Jupyter notebooks to Markdown: the cells in order, without outputs."""

from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from rich_agent.documents.extract.extracted import ExtractionError

_FENCE = "````"


class _Cell(BaseModel):
    """A cell; its source is a string or a list of lines."""

    cell_type: Literal["markdown", "code", "raw", "heading"]
    source: str | list[str] = ""

    @property
    def text(self) -> str:
        return "".join(self.source).strip()


class _Metadata(BaseModel):
    language_info: dict[str, object] = Field(default_factory=dict)


class _Notebook(BaseModel):
    cells: list[_Cell]
    metadata: _Metadata = Field(default_factory=_Metadata)


def notebook_markdown(data: bytes) -> str:
    """The Markdown cells unchanged, and code cells as fenced code.

    Raises: ExtractionError.
    """
    try:
        notebook = _Notebook.model_validate_json(data)
    except ValidationError as error:
        raise ExtractionError("this is not a notebook of version 4") from error
    language = str(notebook.metadata.language_info.get("name", "python"))
    written = [cell for cell in notebook.cells if cell.text and cell.cell_type != "raw"]
    return "\n\n".join(
        f"{_FENCE}{language}\n{cell.text}\n{_FENCE}" if cell.cell_type == "code" else cell.text
        for cell in written
    )
