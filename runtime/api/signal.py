"""`ag.signal`: Fourier transforms, windows and framing."""

from __future__ import annotations

from runtime.ops.cosine_transforms import dct as dct
from runtime.ops.cosine_transforms import idct as idct
from runtime.ops.fft import fft as fft
from runtime.ops.fft import fft2d as fft2d
from runtime.ops.fft import fft3d as fft3d
from runtime.ops.fft import fftshift as fftshift
from runtime.ops.fft import ifft as ifft
from runtime.ops.fft import ifft2d as ifft2d
from runtime.ops.fft import ifft3d as ifft3d
from runtime.ops.fft import ifftshift as ifftshift
from runtime.ops.fft import irfft as irfft
from runtime.ops.fft import irfft2d as irfft2d
from runtime.ops.fft import irfft3d as irfft3d
from runtime.ops.fft import rfft as rfft
from runtime.ops.fft import rfft2d as rfft2d
from runtime.ops.fft import rfft3d as rfft3d
from runtime.ops.signal_windows import frame as frame
from runtime.ops.signal_windows import hamming_window as hamming_window
from runtime.ops.signal_windows import hann_window as hann_window
from runtime.ops.signal_windows import inverse_stft as inverse_stft
from runtime.ops.signal_windows import inverse_stft_window_fn as inverse_stft_window_fn
from runtime.ops.signal_windows import kaiser_bessel_derived_window as kaiser_bessel_derived_window
from runtime.ops.signal_windows import kaiser_window as kaiser_window
from runtime.ops.signal_windows import overlap_and_add as overlap_and_add
from runtime.ops.signal_windows import stft as stft
from runtime.ops.signal_windows import vorbis_window as vorbis_window
