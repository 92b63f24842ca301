"""What the gradient of a source is that no target depends on."""

from __future__ import annotations

import enum


class UnconnectedGradients(enum.Enum):
    """How to tell that a source has no influence on the targets.

    >>> import autograph_lite as ag
    >>> x = ag.constant(1.0)
    >>> with ag.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = ag.constant(2.0)
    >>> tape.gradient(y, x, unconnected_gradients=ag.UnconnectedGradients.ZERO).numpy()
    np.float32(0.0)
    """

    NONE = "none"
    """By None."""

    ZERO = "zero"
    """By zeros of its shape."""
