"""The libraries surveyed."""

from dpcheck.adapters.survey.subject import Library

DIFFPRIVLIB = Library(
    "diffprivlib",
    ("diffprivlib.models",),
    "dpcheck[diffprivlib], which needs scikit-learn below 1.8",
    "https://github.com/IBM/differential-privacy-library",
    "MIT",
)
OPENDP = Library(
    "opendp",
    ("opendp.prelude", "sklearn.datasets"),
    "dpcheck[opendp,sklearn]",
    "https://github.com/opendp/opendp",
    "MIT",
)
DP_ACCOUNTING = Library(
    "dp-accounting",
    ("dp_accounting.pld", "sklearn.datasets"),
    "dpcheck[accounting,sklearn]",
    "https://github.com/google/differential-privacy",
    "Apache-2.0",
)
