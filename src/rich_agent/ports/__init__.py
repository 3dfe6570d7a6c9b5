"""Interfaces of everything outside the graph, one module for each subject.

Nodes and surfaces know these only; the implementations are chosen in `composition/`.
"""
