"""Every sample runs as a program of its own, from any directory."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(path.stem for path in (ROOT / "samples").glob("*.py"))
SMALL = {
    "mandelbrot": ["--width", "40", "--steps", "30"],
    "recurrent": ["--units", "40", "--steps", "600"],
    "life": ["--generations", "30"],
    "train_digits": ["--epochs", "3"],
    "train_recurrent": ["--steps", "20", "--write", "40"],
}


def test_there_are_at_least_six():
    assert len(PROGRAMS) >= 6


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs(name, tmp_path):
    if name in ("kmeans", "train_digits"):
        pytest.importorskip("sklearn")
    program = str(ROOT / "samples" / f"{name}.py")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", program, *SMALL.get(name, [])],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""}, capture_output=True, text=True,
        encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    if name != "train_digits":  # it draws a progress bar there
        assert done.stderr == ""
    assert len(done.stdout.splitlines()) >= 1
    if name == "mandelbrot":
        assert (tmp_path / "mandelbrot.png").stat().st_size > 200
