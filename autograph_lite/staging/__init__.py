"""Staging: what the operators do when the value they decide on is a tensor.

`specs` describes values by dtype, shape and structure; `scopes` traces a branch or loop body and
notes what it changes; `conditionals`, `loops` and `iteration` build the graph's `If` and `While`.
"""
