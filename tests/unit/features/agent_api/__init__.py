"""Tests of the small API."""
