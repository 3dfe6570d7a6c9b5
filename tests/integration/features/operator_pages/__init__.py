"""Tests of the operator's pages."""
