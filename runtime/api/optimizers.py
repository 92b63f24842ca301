"""`ag.optimizers`: optimizers, and schedules of their learning rates."""

from __future__ import annotations

from runtime.optimizers import schedules as schedules
from runtime.optimizers.adaptive import Adagrad as Adagrad
from runtime.optimizers.adaptive import Adam as Adam
from runtime.optimizers.adaptive import AdamW as AdamW
from runtime.optimizers.adaptive import RMSprop as RMSprop
from runtime.optimizers.base import Optimizer as Optimizer
from runtime.optimizers.gradient_descent import SGD as SGD
from runtime.optimizers.lbfgs import LBFGS as LBFGS
from runtime.optimizers.lbfgs import lbfgs_minimize as lbfgs_minimize
