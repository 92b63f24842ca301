"""The Mandelbrot set, as a picture.

python samples/mandelbrot.py --width 900 --steps 300 --out mandelbrot.png
"""

import argparse
import struct
import zlib

import numpy as np

import autograph_lite as ag


@ag.function
def escape_times(real, imaginary, most_steps):
    """After how many steps z -> z^2 + c leaves the disc of radius 2, for each c.

    Args:
      real: the real parts of the points c, of any shape.
      imaginary: the imaginary parts.
      most_steps: an int32 scalar; what is still inside after so many steps counts as in the set.

    Returns:
      The steps as int32 of the same shape, `most_steps` for the points of the set.
    """
    x = ag.zeros_like(real)
    y = ag.zeros_like(real)
    times = ag.zeros_like(real, dtype=ag.int32)
    for step in range(most_steps):
        x2 = x * x
        y2 = y * y
        inside = x2 + y2 <= 4.0
        if not ag.reduce_any(inside):
            break
        times += ag.cast(inside, ag.int32)
        y = ag.where(inside, 2.0 * x * y + imaginary, y)
        x = ag.where(inside, x2 - y2 + real, x)
    return times


def grid(width, center=-0.6 + 0j, span=3.0):
    """The points of a picture, 4 by 3: their real and their imaginary parts."""
    height = width * 3 // 4
    across = np.linspace(center.real - span / 2, center.real + span / 2, width)
    down = np.linspace(center.imag + span * 3 / 8, center.imag - span * 3 / 8, height)
    real, imaginary = np.meshgrid(across, down)
    return real, imaginary


def colours(times, most_steps):
    """Steps as a picture: black inside, and bands of warm and cold light around."""
    shade = np.sqrt(times / most_steps)[..., None]
    bands = 0.5 + 0.5 * np.cos(2 * np.pi * (shade * [1.0, 1.4, 2.0] * 3 + [0.55, 0.65, 0.80]))
    bands[times == most_steps] = 0
    return (bands * 255).astype(np.uint8)


def write_png(path, pixels):
    """Writes an array of shape (height, width, 3) of uint8 as a PNG file."""
    height, width, _ = pixels.shape

    def chunk(kind, data):
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
            file.write(chunk(kind, data))


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, default=600)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--center", type=complex, default=-0.6 + 0j, help="such as -0.745+0.113j")
    parser.add_argument("--span", type=float, default=3.0, help="how wide a part to show")
    parser.add_argument("--out", default="mandelbrot.png")
    options = parser.parse_args(argv)
    if options.width < 4 or options.steps < 1:
        parser.error("the width is at least 4, the steps at least 1")
    real, imaginary = grid(options.width, options.center, options.span)
    times = escape_times(real, imaginary, ag.constant(options.steps)).numpy()
    write_png(options.out, colours(times, options.steps))
    share = (times == options.steps).mean()
    print(f"{times.shape[1]} x {times.shape[0]} points, {share:.1%} in the set: {options.out}")


if __name__ == "__main__":
    main()
