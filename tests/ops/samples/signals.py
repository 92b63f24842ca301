"""Samples of Fourier transforms, windows and frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import cosine_transforms, random_generator
from runtime.ops import fft as f
from runtime.ops import signal_windows as w
from tests.ops.sampling import Sample, uniform

C = np.complex128


def transforms(fn: Any, dims: int, dtype: Any) -> list[Sample]:
    return [
        Sample(
            fn, [uniform((2, 4)[-dims:] if dims < 3 else (2, 2, 4), dtype=dtype)], unknown=False
        ),
        Sample(fn, [uniform((2, *(3,) * dims), dtype=dtype)], unknown=False),
    ]


SAMPLES = {
    "FFT": transforms(f.fft, 1, C) + transforms(f.fft2d, 2, C) + transforms(f.fft3d, 3, C)
    + [Sample(f.fft, [uniform((2, 4), dtype=C)]), Sample(f.fft, [uniform((4,))]),
       Sample(f.fft, [uniform((4,), dtype=np.complex64)], grad=False),
       Sample(f.fft, [uniform((0, 4), dtype=C)])],
    "IFFT": transforms(f.ifft, 1, C) + transforms(f.ifft2d, 2, C) + transforms(f.ifft3d, 3, C),
    "RFFT": transforms(f.rfft, 1, np.float64) + transforms(f.rfft2d, 2, np.float64)
    + transforms(f.rfft3d, 3, np.float64)
    + [Sample(lambda x: f.rfft(x, [6]), [uniform((2, 4))]),
       Sample(lambda x: f.rfft(x, [3]), [uniform((2, 4))]),
       Sample(f.rfft, [uniform((5,), dtype=np.float32)], grad=False)],
    "IRFFT": transforms(f.irfft, 1, C) + transforms(f.irfft2d, 2, C) + transforms(f.irfft3d, 3, C)
    + [Sample(lambda x: f.irfft(x, [5]), [uniform((2, 3), dtype=C)]),
       Sample(lambda x: f.irfft(x, [4]), [uniform((2, 5), dtype=C)])],
    "FFTShift": [Sample(f.fftshift, [uniform((3, 4))], unknown=False),
                 Sample(lambda x: f.ifftshift(x, axes=[1]), [uniform((3, 5))], unknown=False)],
    "DCT": [Sample(lambda x, k=k, n=n: cosine_transforms.dct(x, k, norm=n), [uniform((2, 4))],
                   unknown=False)
            for k in (1, 2, 3, 4) for n in (None, "ortho") if (k, n) != (1, "ortho")]
    + [Sample(lambda x: cosine_transforms.idct(x, norm="ortho"), [uniform((4,))], unknown=False)],
    "Frame": [Sample(lambda x: w.frame(x, 3, 2), [uniform((2, 8))]),
              Sample(lambda x: w.frame(x, 3, 2, pad_end=True), [uniform((8,))], unknown=False),
              Sample(lambda x: w.frame(x, 2, 1, axis=0), [uniform((4, 2))], unknown=False)],
    "RFFTGrad": [Sample(lambda d: f.apply(f.RFFT_GRADIENT, (d,), {"dims": 1, "lengths": None,
                                                                  "shape": (2, 4)}),
                        [uniform((2, 3), dtype=C)])],
    "IRFFTGrad": [Sample(lambda d: f.apply(f.IRFFT_GRADIENT, (d,), {"dims": 1, "lengths": None,
                                                                    "shape": (2, 3)}),
                         [uniform((2, 4))])],
    "FrameGrad": [Sample(lambda d: w.apply(w.FRAME_GRADIENT, (d,), {"length": 3, "step": 2,
                                                                    "shape": (2, 8)}),
                         [uniform((2, 3, 3))])],
    "OverlapAndAddGrad": [Sample(lambda d: w.apply(w.OVERLAP_GRADIENT, (d,),
                                                   {"step": 2, "shape": (2, 3, 3)}),
                                 [uniform((2, 7))])],
    "OverlapAndAdd": [Sample(lambda x: w.overlap_and_add(x, 2), [uniform((2, 3, 3))])],
    "Stft": [Sample(lambda x: w.stft(x, 4, 2), [uniform((8,))]),
             Sample(lambda x: w.inverse_stft(x, 4, 2), [uniform((3, 3), dtype=C)], unknown=False)],
    "GeneratorSeeds": [
        Sample(lambda: random_generator.get_global_generator().make_seeds(3), [], random=True)
    ],
}  # fmt: skip
