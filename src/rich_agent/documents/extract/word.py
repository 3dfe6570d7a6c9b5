"""Converts Word documents to HTML."""

from lxml import etree

from rich_agent.documents.extract.archive import pack_archive, parse_xml, text_parts
from rich_agent.documents.extract.extracted import ExtractionError

_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def docx_html(data: bytes) -> str:
    """The text of a Word document as HTML, without pictures, comments and hidden text.

    Raises: ExtractionError.
    """
    import mammoth  # noqa: PLC0415 - takes a while to load, for one format

    parts = text_parts(data)
    for name, content in parts.items():
        root = parse_xml(content)
        hidden_runs = [
            run for run in root.iter(f"{_W}r") if run.find(f"{_W}rPr/{_W}vanish") is not None
        ]
        for run in hidden_runs:
            for text_element in run.findall(f"{_W}t"):
                run.remove(text_element)
        if hidden_runs:
            parts[name] = etree.tostring(root)
    try:
        # A picture without an address adds no text.
        images = mammoth.images.img_element(lambda _: {})
        html = mammoth.convert_to_html(pack_archive(parts), style_map=_STYLES, convert_image=images)
    except (KeyError, ValueError, AttributeError, OSError) as error:
        raise ExtractionError(f"this is not a Word document: {error}") from error
    return str(html.value)
