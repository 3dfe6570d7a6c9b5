"""Fixtures of the operator's pages."""

from tests.integration.features.operator_pages.served_pages import pages

__all__ = ["pages"]
