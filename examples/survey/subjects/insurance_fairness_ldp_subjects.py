"""The randomised response of insurance-fairness-ldp, as a survey audits it: a dataset is one user's category."""

import inspect
import textwrap
import warnings

import numpy as np
from insurance_fairness_ldp import KaryRandomisedResponse, mechanisms

EPSILON = 1.0
#: Labels of one length, and of several.
EVEN, UNEVEN = ("White", "Asian", "Black", "Other"), ("UK", "Ireland", "Elsewhere")
COPY = "result = s_arr.copy()"


def client_of(labels, kind=KaryRandomisedResponse):
    """The learner of a user who applies the response to their own category, as the README's step 2 says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        response = kind(EPSILON, list(labels))

    def learner(dataset, rng):
        own = np.array([labels[int(np.ravel(dataset)[0])]])
        return str(response.privatise(own, random_state=rng)[0])

    return learner


def even_labels():
    """Four labels of five letters."""
    return client_of(EVEN)


def uneven_labels():
    """Three labels of two to nine letters."""
    return client_of(UNEVEN)


def uneven_labels_mended():
    """The same with room for each label in the answer."""
    source = textwrap.dedent(inspect.getsource(KaryRandomisedResponse.privatise))
    if source.count(COPY) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    found = {}
    exec(source.replace(COPY, "result = s_arr.astype(np.array(self._categories).dtype)"), vars(mechanisms), found)

    class Mended(KaryRandomisedResponse):
        privatise = found["privatise"]

    return client_of(UNEVEN, Mended)
