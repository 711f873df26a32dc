"""Forgeries behind signatures: mutations of an update's bytes, of the graph, and of what is painted.

Every generator yields `Mutant`s. Whether one is a forgery, viewers say: it is one if any of them shows something else
than the signed state, and no permission covers it.
"""

import random

import forge_bytes
import forge_graph
import forge_paint
import signed

FAMILIES = (*forge_bytes.FAMILIES, *forge_graph.FAMILIES, *forge_paint.FAMILIES)


def mutants(seed, count):
    """So many mutants of bases that are made anew for every sixty of them."""
    rng = random.Random(f"forge {seed}")
    makers = [maker for maker, weight in FAMILIES for _ in range(weight)]
    bases = []
    made = 0
    while made < count:
        if made % 60 == 0 or not bases:
            bases = [signed.base(rng.getrandbits(32)) for _ in range(8)]
        for mutant in rng.choice(makers)(rng, rng.choice(bases)):
            made += 1
            yield mutant
