"""Receives updates by webhook or polling, stores them as they came, and reads their meaning."""
