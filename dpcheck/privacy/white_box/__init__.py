"""Is a training what was accounted for it? Its steps recorded, and replayed with batches and releases of our choice.

The proof of DP-SGD has premises: each record gives at most the clipping norm to a sum, the noise is fresh, Gaussian and
as large as accounted, batches are drawn as accounted, nothing but the releases depends on the data, and the accountant
was told the truth. Each is looked at by itself, so that what is broken has a name.
"""
