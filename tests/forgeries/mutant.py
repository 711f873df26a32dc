"""One forgery, and what all of them are made with."""

import dataclasses

from section import Section
from signed import Base


@dataclasses.dataclass
class Mutant:
    family: str
    what: str
    base: Base
    file: bytes
    # the levels at which what was done is permitted, as long as it hides no signed words
    permitted: tuple = ()


def update(base, changed):
    """A conforming update that writes these objects: number → body."""
    made = Section(base.file, sorted(changed.items()), base.xref_stream, base.start, base.size)
    made.size = max(base.size, *(number + 1 for number in changed))
    return made.written()
