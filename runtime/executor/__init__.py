"""Running graphs: a graph becomes a plan, a generated Python function of direct NumPy calls."""

from runtime.executor.plan import Plan as Plan
