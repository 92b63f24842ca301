"""The command `autograph-lite`: shows what conversion makes of a file, traces it, runs it."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograph_lite.presentation.problems import UsageError

if TYPE_CHECKING:
    from autograph_lite.presentation.listing import Listing, Module
    from autograph_lite.presentation.live import Live

__all__ = ["main"]

_EXAMPLES = """\
examples:
  autograph-lite convert --show model.py              all functions of the file
  autograph-lite convert --show model.py:Net.step     one method
  autograph-lite convert --show src/package           every file below a directory
  autograph-lite convert --diff model.py:train        original and converted side by side
  autograph-lite convert --html out.html model.py     the same as a page, with the graph
  autograph-lite convert model.py:f --graph --plan --args 'np.array([1.0, 2.0])' 'int32(5)'
  autograph-lite convert --show model.py:f --run --args 3 scale=0.5

Python numbers among the arguments are fixed at trace time; NumPy values are tensors of the graph.
A file is only read for --show, --diff and --html. It is imported (its `if __name__ == "__main__"`
part does not run) for --graph, --plan and --run, and for --html if there are --args.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
      argv: the arguments; those of the process by default.

    Returns:
      The exit code: 0, 1 if the user's function fails, 2 if the command asks for what is not there.
    """
    try:
        try:
            return _command(sys.argv[1:] if argv is None else argv)
        finally:
            _flush()  # argparse leaves by SystemExit, and its text may be what does not fit
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as error:
        _drop_output()
        what = "the output cannot be written" if error.filename is None else error.filename
        return _fail(f"{what}: {error.strerror or error}", 2)


def _command(argv: Sequence[str]) -> int:
    from autograph_lite.presentation.live import UserError

    try:
        return _convert(_parser().parse_args(_shielded(argv)))
    except UsageError as problem:
        return _fail(str(problem), 2)
    except UserError as problem:
        return _fail(str(problem), 1)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)


def _fail(text: str, code: int) -> int:
    _flush()
    print(f"autograph-lite: {text}", file=sys.stderr)
    return code


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Nobody takes the output: what is still buffered must not be written at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _shielded(argv: Sequence[str]) -> list[str]:
    """Keeps argparse from taking the values after `--args` (`-1e3`, `-np.inf`) for options."""
    shielded: list[str] = []
    inside = False
    for text in argv:
        if text.startswith("--"):
            inside = text == "--args"
        elif inside and re.match(r"-[\d.(a-z]", text) and text not in ("-h",):
            text = f" {text}"
        shielded.append(text)
    return shielded


class _Version(argparse.Action):
    """Prints the versions that matter in a report of a bug."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        import platform

        import numpy as np

        from autograph_lite import __version__

        python = platform.python_version()
        print(f"autograph-lite {__version__} (Python {python}, NumPy {np.__version__})")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograph-lite",
        description="Turns Python functions into graphs, and shows every step of it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    convert = commands.add_parser(
        "convert",
        help="show, trace or run the functions of a file",
        description="Shows the converted form of a file's functions, their graphs and plans.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_options(convert)
    return parser


def _add_options(convert: argparse.ArgumentParser) -> None:
    add = convert.add_argument
    target = "FILE[:FUNCTION]"
    add("target", nargs="?", metavar=target, help="a file, a function or method in it (`f`, "
        "`Class.method`), or a directory")  # fmt: skip
    add("--show", nargs="?", const="", metavar=target, help="print the rewritten source; this is "
        "done if nothing else is asked for")  # fmt: skip
    add("--diff", nargs="?", const="", metavar=target, help="print original and converted side "
        "by side")  # fmt: skip
    add("--html", metavar="PAGE", help="write a page with both, aligned, and the graph beneath")
    add("--graph", action="store_true", help="print the graph traced for the arguments")
    add("--plan", action="store_true", help="print the NumPy program the graph becomes")
    add("--run", action="store_true", help="print the result for the arguments")
    add("--args", nargs="*", metavar="VALUE", help="arguments of the function: Python literals, "
        "np.array([1.0, 2.0]), int32(5), name=value")  # fmt: skip
    add("--color", "--colour", choices=("auto", "always", "never"), default="auto",
        help="whether to highlight (auto: on a terminal, unless NO_COLOR is set)")  # fmt: skip


# ---- what is asked for


def _convert(options: argparse.Namespace) -> int:
    from autograph_lite.presentation.listing import Module, parse_target, python_files

    text = _target_text(options)
    live_wanted = options.graph or options.plan or options.run
    if not (live_wanted or options.html or options.diff is not None):
        options.show = ""
    if sys.stdout is None and (live_wanted or (options.show, options.diff) != (None, None)):
        raise UsageError("standard output is closed")
    target = parse_target(text)
    if target.path.is_dir():
        if live_wanted or options.args is not None:
            raise UsageError(f"{text} is a directory; name one file to trace or run")
        return _directory(target.path, python_files(target.path), options)
    module = Module(target.path)
    listings = _listings(module, target.function)
    _require(listings, target.path)
    output = _Output(options.color)
    _show(listings, options, output)
    live = _live(module, target.function, options) if _needs_live(options) else None
    if live is not None:
        _trace(live, options, output)
    if options.html:
        _write_page(options, f"{target.path}", listings, live)
    return 0


def _target_text(options: argparse.Namespace) -> str:
    given = [t for t in (options.target, options.show, options.diff) if t]
    if len(given) > 1:
        raise UsageError(f"one file at a time: found {' and '.join(given)}")
    if not given:
        if (options.html and options.html.rpartition(":")[0].endswith(".py")) or (
            options.html or ""
        ).endswith(".py"):
            raise UsageError(
                "--html takes the page to write, then the file to convert: --html page.html "
                f"{options.html}"
            )
        raise UsageError("name a file to convert, as in: autograph-lite convert --show model.py")
    text: str = given[0]
    return text


def _listings(module: Module, function: str) -> list[Listing]:
    if function:
        return [module.listing(function, module.find(function))]
    return list(module.listings())


def _require(listings: list[Listing], path: Path) -> None:
    if not listings:
        raise UsageError(f"{path}: there is no function in it that can be converted")


def _directory(folder: Path, files: list[Path], options: argparse.Namespace) -> int:
    """All files below a directory; one that does not parse is passed over and counted."""
    from autograph_lite.presentation.listing import Module

    output = _Output(options.color)
    shown: list[Listing] = []
    code = 0
    for path in files:
        try:
            listings = _listings(Module(path), "")
        except UsageError as problem:
            code = _fail(str(problem), 2)
            continue
        if listings and (options.show is not None or options.diff is not None):
            output.heading(str(path))
        _show(listings, options, output)
        shown += [listing._replace(name=f"{path}: {listing.name}") for listing in listings]
    if not code:
        _require(shown, folder)
    if options.html:
        _write_page(options, str(options.target or options.show or options.diff), shown, None)
    return code


def _needs_live(options: argparse.Namespace) -> bool:
    return bool(options.graph or options.plan or options.run or (
        options.html and options.args is not None
    ))  # fmt: skip


def _live(module: Module, function: str, options: argparse.Namespace) -> Live:
    from autograph_lite.presentation.live import Live, choose, import_file

    imported = import_file(module.path, module.text)
    name = function or choose(imported, list(module.functions()), module.path)
    live = Live(imported, name, options.args)
    if options.run and live.has_specs:
        raise UsageError(
            f"--run needs values; {live.call} has a TensorSpec, which is for --graph and --plan"
        )
    return live


class _Output:
    """Standard output in sections; the headings are comments, so that the whole stays Python."""

    def __init__(self, colour: str) -> None:
        from autograph_lite.presentation.highlight import wants_colour

        self.colour = wants_colour(sys.stdout, colour)
        self._begun = False

    def heading(self, text: str) -> None:
        self.gap()
        print(f"\x1b[1m# {text}\x1b[0m" if self.colour else f"# {text}")
        self._begun = False

    def gap(self) -> None:
        if self._begun:
            print("\n")
        self._begun = True

    def python(self, text: str) -> None:
        from autograph_lite.presentation.highlight import to_terminal

        self.text(to_terminal(text) if self.colour else text)

    def text(self, text: str) -> None:
        self.gap()
        sys.stdout.write(text if text.endswith("\n") else text + "\n")


def _show(listings: list[Listing], options: argparse.Namespace, output: _Output) -> None:
    from autograph_lite.presentation.diff import side_by_side

    for listing in listings:
        if options.diff is not None:
            import shutil

            width = shutil.get_terminal_size((160, 0)).columns
            output.text(side_by_side(listing, width, output.colour))
        elif options.show is not None:
            output.python(listing.text)


def _trace(live: Live, options: argparse.Namespace, output: _Output) -> None:
    alone = options.show is None and options.diff is None
    alone = alone and options.graph + options.plan + options.run == 1
    if options.graph:
        if not alone:
            output.heading(f"graph of {live.call}")
        output.text(str(live.concrete().graph))
    if options.plan:
        if not alone:
            output.heading(f"plan of {live.call}")
        output.python(live.concrete().plan_source())
    if options.run:
        if not alone:
            output.heading(f"result of {live.call}")
        output.text(live.result())


def _write_page(
    options: argparse.Namespace, title: str, listings: list[Listing], live: Live | None
) -> None:
    from autograph_lite.presentation.html import Section, page

    sections: list[Section] = []
    if live is not None:
        concrete = live.concrete()
        sections.append(Section(f"Graph of {live.call}", str(concrete.graph)))
        sections.append(Section(f"Plan of {live.call}", concrete.plan_source(), is_python=True))
    else:
        sections.append(
            Section("Graph", "Give --args (and name one function) to see its graph and plan here.")
        )
    path = Path(options.html)
    try:
        path.write_text(page(title, listings, sections), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    print(f"wrote {path}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
