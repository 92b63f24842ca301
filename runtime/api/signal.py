"""`ag.signal`: Fourier transforms, windows and framing."""

# ruff: noqa: I001 - one name a line, by module
from __future__ import annotations


