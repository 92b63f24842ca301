"""Gradients: graph to graph, and eagerly by the same rules; backwards, forwards, to any order."""
