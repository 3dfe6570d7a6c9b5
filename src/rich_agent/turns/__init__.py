"""The entrance to the graph: turns are started, resumed, followed and replayed."""
