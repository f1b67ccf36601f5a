"""Encodes messages between the browser, the server and its child processes: JSON, followed by arrays of numbers.

4 bytes   length of the header, little-endian
header    JSON in UTF-8, with spaces at the end so that the arrays start at a multiple of 8;
          `arrays` lists them in order, each with its kind ("f8", "f4" or "u1") and its length
arrays    little-endian numbers, each array filled up to a multiple of 8 bytes
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from cutset.contract.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KINDS = {"float64": "f8", "float32": "f4", "uint8": "u1"}


class Answer(IntEnum):
    """What an answer is: the result, an error, or news of a request that is still in progress."""

    RESULT = 0
    ERROR = 1
    NEWS = 2


@dataclass(frozen=True, eq=False)
class Message:
    """The content of a message: `data` is JSON, `arrays` are one-dimensional and of the kinds f8, f4 and u1."""

    data: Mapping[str, Any]
    arrays: Sequence[NDArray[Any]] = ()


def failure(kind: str, message: str) -> Message:
    """The message of a request that failed for another reason than the model or its run."""
    return Message({"kind": kind, "code": "", "message": message, "hint": "", "text": message})


def encoded(message: Message) -> bytes:
    """The bytes of a message. ValueError for a number in the JSON that is not finite: such numbers belong into the
    arrays."""
    listed = [{"kind": _KINDS[each.dtype.name], "length": len(each)} for each in message.arrays]
    header = json.dumps({**message.data, "arrays": listed}, separators=(",", ":"), allow_nan=False).encode()
    header += b" " * (-(len(header) + 4) % 8)
    parts = [len(header).to_bytes(4, "little"), header]
    for each in message.arrays:
        numbers = each.astype(each.dtype.newbyteorder("<"), copy=False).tobytes()
        parts += [numbers, bytes(-len(numbers) % 8)]
    return b"".join(parts)


def decoded(data: bytes) -> Message:
    """The message in these bytes. ValueError if they are not one."""
    import numpy as np

    end = 4 + int.from_bytes(data[:4], "little")
    header = json.loads(data[4:end])
    arrays = []
    for each in header.pop("arrays"):
        kind = np.dtype(f"<{each['kind']}" if each["kind"] != "u1" else "u1")
        arrays.append(np.frombuffer(data, kind, each["length"], end))
        end += -(-each["length"] * kind.itemsize // 8) * 8
    return Message(header, arrays)
