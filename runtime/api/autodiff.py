"""`ag.autodiff`: forward mode."""

from __future__ import annotations

from runtime.gradients.forward import ForwardAccumulator as ForwardAccumulator
