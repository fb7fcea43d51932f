"""Is it a theorem? What papers state, as data; their bounds, as symbols; their proofs, decided by machine.

In comes a ``Paper``: results and the lines of their proofs. Out go statuses (proved, refuted with a witness, undecided)
and bounds that can be evaluated. ``prover`` searches for certificates and, apart from that, checks them; ``registry``
has every paper that is installed. It may use the model and the finding of papers' folders, and names no paper.
"""
