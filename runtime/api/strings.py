"""`ag.strings`: tensors of strings."""

from __future__ import annotations

from runtime.ops.strings_ import as_string as as_string
from runtime.ops.strings_ import bytes_split as bytes_split
from runtime.ops.strings_ import format as format
from runtime.ops.strings_ import join as join
from runtime.ops.strings_ import length as length
from runtime.ops.strings_ import lower as lower
from runtime.ops.strings_ import reduce_join as reduce_join
from runtime.ops.strings_ import regex_full_match as regex_full_match
from runtime.ops.strings_ import regex_replace as regex_replace
from runtime.ops.strings_ import split as split
from runtime.ops.strings_ import strip as strip
from runtime.ops.strings_ import substr as substr
from runtime.ops.strings_ import to_number as to_number
from runtime.ops.strings_ import unicode_decode as unicode_decode
from runtime.ops.strings_ import unicode_encode as unicode_encode
from runtime.ops.strings_ import unicode_split as unicode_split
from runtime.ops.strings_ import upper as upper
