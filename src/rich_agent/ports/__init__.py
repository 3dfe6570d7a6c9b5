"""Interfaces of everything outside the graph, one module for each subject.

Nodes and surfaces use only these interfaces; `composition/` chooses the implementations.
"""
