"""The entrance to the graph: turns are started, resumed, watched and replayed."""
