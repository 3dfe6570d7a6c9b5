"""Documents that LibreOffice and Chromium make of those that others wrote."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.formats.rendering import office_to, print_page
from bench.formats.truth import Truth

CONVERTED: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "odt": {
        "docx": (
            "contract_*",
            "invoice_*",
            "groups_*",
            "letter_*",
            "minutes_en",
            "hidden_*",
            "pictures_*",
        ),
    },
    "rtf": {"docx": ("contract_[edrh]*", "invoice_*", "letter_*", "minutes_es", "hidden_en")},
    "doc": {"docx": ("contract_en", "invoice_de", "letter_fr")},
    "docx": {"odt": ("contract_de*", "invoice_fr*", "letter_en*", "groups_ru*", "manual_*")},
    "odp": {"pptx": ("talk_*", "charts_en", "grouped_*", "hidden_en", "pictures_*")},
    "ppt": {"pptx": ("talk_en",)},
    "ods": {
        "xlsx": ("prices_*", "timesheet_*", "merged_*", "hidden_*", "two_line_*", "formats_en")
    },
    "xls": {"xlsx": ("prices_[ed]*", "merged_en", "hidden_en")},
    "pdf": {
        "docx": ("contract_*", "invoice_*", "letter_*", "paper_*", "groups_*"),
        "pptx": ("talk_*", "grouped_fr"),
        "html": ("article_*", "newsletter_en", "spans_en"),
    },
}
"""By format, the documents of another format that become it."""


def convert(suffix: str, folder: Path) -> None:
    """Make the documents of a format out of others in the folder, with the same truths."""
    for source, patterns in CONVERTED.get(suffix, {}).items():
        documents = sorted(
            {found for name in patterns for found in folder.glob(f"{name}.{source}")}
        )
        if suffix != "docx":  # those that LibreOffice writes come from its own format
            documents = [found for found in documents if "_from_" not in found.stem]
        targets = [folder / f"{found.stem}_from_{source}.{suffix}" for found in documents]
        if source == "html":
            for document, target in zip(documents, targets, strict=True):
                print_page(document, target)
        elif documents:
            with tempfile.TemporaryDirectory() as name:
                office_to(suffix, documents, Path(name))
                for document, target in zip(documents, targets, strict=True):
                    target.write_bytes((Path(name) / f"{document.stem}.{suffix}").read_bytes())
        for document, target in zip(documents, targets, strict=True):
            truth = Truth.load(document)
            truth.seen = truth.seen if suffix in {"ods", "xls"} else ""
            truth.save(target)
