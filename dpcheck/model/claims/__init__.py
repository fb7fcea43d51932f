"""What a learner promises: pure, approximate, zero-concentrated, Rényi and Gaussian differential privacy.

A claim is plain data that others interpret. Each can be asked for its delta at any epsilon, its epsilon at any
delta, and for what it implies between datasets at distance k (group privacy).
"""

from dpcheck.model.claims.exact_point import ExactPoint as ExactPoint
from dpcheck.model.claims.exact_point import exact_point as exact_point
from dpcheck.model.claims.gaussian import GaussianDP as GaussianDP
from dpcheck.model.claims.orders import TestedOrder as TestedOrder
from dpcheck.model.claims.orders import orders_in_words as orders_in_words
from dpcheck.model.claims.orders import orders_tested as orders_tested
from dpcheck.model.claims.points import CurveClaim as CurveClaim
from dpcheck.model.claims.points import GridClaim as GridClaim
from dpcheck.model.claims.points import TestedPoint as TestedPoint
from dpcheck.model.claims.points import as_claim as as_claim
from dpcheck.model.claims.points import claim_options as claim_options
from dpcheck.model.claims.points import claim_point as claim_point
from dpcheck.model.claims.points import parameter_of as parameter_of
from dpcheck.model.claims.points import parameter_reaching as parameter_reaching
from dpcheck.model.claims.points import points_tested as points_tested
from dpcheck.model.claims.points import points_with as points_with
from dpcheck.model.claims.profile import ProfileDP as ProfileDP
from dpcheck.model.claims.protocol import Claim as Claim
from dpcheck.model.claims.renyi import RenyiDP as RenyiDP
from dpcheck.model.claims.standard import ApproxDP as ApproxDP
from dpcheck.model.claims.standard import PureDP as PureDP
from dpcheck.model.claims.zero_concentrated import ZeroConcentratedDP as ZeroConcentratedDP
