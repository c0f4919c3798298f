"""The merge driver for counters: git calls it with the files of the base, of us and of them.

The file of us gets the merged counter: ours, plus what they added to the base. A counter's file has
its value and a text that no other commit has, so that git never takes two equal counts for one.
"""

import hashlib
import sys
from pathlib import Path


def main() -> None:
    """Merge the three files."""
    contents = [Path(name).read_bytes() for name in sys.argv[1:4]]
    base, ours, theirs = (int(content.split()[0]) if content else 0 for content in contents)
    mark = hashlib.sha1(b"\n".join(contents), usedforsecurity=False).hexdigest()
    Path(sys.argv[2]).write_text(f"{ours + theirs - base} {mark}\n", encoding="ascii")


main()
