# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Mechanisms of pyPANTERA, as a survey audits them: a dataset is one word, named by its number.

Embeddings are words at places on a line, or in the plane, written to a file of a temporary folder.
"""

import inspect
import tempfile
import textwrap
from pathlib import Path

import numpy as np
from src.EmbeddingPerturbationMechanism.cmp import CMP
from src.SamplingPerturbationMechanism import tem
from src.SamplingPerturbationMechanism.custext import CusText
from src.SamplingPerturbationMechanism.santext import SanText
from src.SamplingPerturbationMechanism.tem import TEM
from src.utils import vocab

EPSILON = 1.0
LINE = [(float(place), 0.0) for place in range(12)]


def read_whole(self, path):
    """The embeddings' file read in one piece: theirs starts as many processes as there are CPUs, to the same end."""
    self.embeddings = self.loadChunk((path, 0, Path(path).stat().st_size))


vocab.Vocab.loadParallel = read_whole


def mechanism(kind, places, **more):
    """A mechanism whose words are at these places."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "embeddings.txt"
        file.write_text("".join(f"w{number} {x} {y}\n" for number, (x, y) in enumerate(places)))
        return kind({"embPath": str(file), "epsilon": np.float64(EPSILON), **more})


def sampled(made):
    """The learner of a mechanism that samples words."""

    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**31)))
        return made.processText([f"w{int(np.ravel(dataset)[0])}"])

    return learner


def perturbed(made):
    """The learner of a mechanism that perturbs embeddings."""

    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**31)))
        return made.processText(made.noisyEmb([f"w{int(np.ravel(dataset)[0])}"]))

    return learner


def spherical_noise():
    """CMP: noise in all directions, and the nearest word."""
    return perturbed(mechanism(CMP, LINE))


def exponential_words():
    """SanText: the exponential mechanism over all words."""
    return sampled(mechanism(SanText, LINE))


def nearest_words():
    """CusText: a word among the three nearest, of five."""
    return sampled(mechanism(CusText, LINE[:5], k=3, distance="euclidean"))


def nearest_words_mended():
    """The same among all five, so that each word has the same answers."""
    return sampled(mechanism(CusText, LINE[:5], k=5, distance="euclidean"))


def truncated_words():
    """TEM: the exponential mechanism among near words, and one chance for all others."""
    return sampled(mechanism(TEM, LINE, beta=0.5))


def truncated_words_mended():
    """The same with a word drawn where they draw among vectors, whose failure they pass over."""
    changes = ("L_hat_w:list = [self.embMatrix[i]", "L_hat_w:list = [self._index2word[i]")
    source = textwrap.dedent(inspect.getsource(TEM._getLw))
    if source.count(changes[0]) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    found = {}
    exec(source.replace(*changes), vars(tem), found)
    return sampled(mechanism(type("TEM", (TEM,), {"_getLw": found["_getLw"]}), LINE, beta=0.5))
