"""Data that a script carries small: base64 of gzip of JSON, which the pages unpack."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any


def packed(name: str, value: Any) -> str:
    """Return a script that assigns packed data to a global name."""
    text = json.dumps(value, separators=(",", ":")).encode("ascii")
    data = base64.b64encode(gzip.compress(text, mtime=0)).decode("ascii")
    return f"globalThis.{name} = '{data}';\n"


def unpacked(script: str) -> Any:
    """Return the data of such a script."""
    return json.loads(gzip.decompress(base64.b64decode(script.split("'")[1])))
