"""The list of digests of a release, and its signature."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

LIST: Final = "SHA256SUMS"
NAMESPACE: Final = "file"
"""The namespace of a signature by `ssh-keygen -Y sign`; the verifier must name the same one."""


class SigningError(Exception):
    """The list cannot be signed. The message is one line."""


def digest_list(files: Mapping[str, bytes]) -> str:
    """Return the list that `sha256sum --check` reads. files: name -> content."""
    lines = (f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return "".join(lines)


def sign(listed: Path, key: Path) -> Path:
    """Write a detached signature beside a file, and return its path.

    key: a private key of SSH, or a public one whose private key is in the SSH agent. Raises
    SigningError.
    """
    if not key.is_file():
        raise SigningError(f"{key}: there is no such key; set SIGNING_KEY to a key of SSH")
    signature = listed.with_name(f"{listed.name}.sig")
    signature.unlink(missing_ok=True)  # ssh-keygen would ask before it replaces one
    try:
        done = subprocess.run(
            ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(listed)],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise SigningError(f"ssh-keygen cannot be started: {error.strerror}") from None
    if done.returncode != 0 or not signature.is_file():
        reason = done.stderr.strip().rpartition("\n")[2]
        raise SigningError(f"ssh-keygen cannot sign with {key}: {reason}")
    return signature
