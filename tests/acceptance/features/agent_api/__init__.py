"""Tests of the small API over HTTP."""
