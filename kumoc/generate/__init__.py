"""Choose truths, actions and outcomes, and prove of each instance what every instance promises."""

from kumoc.generate.draw import derive
from kumoc.generate.duplicates import Identity, Taken, identity
from kumoc.generate.fair import is_fair
from kumoc.generate.feasibility import Infeasible, feasible
from kumoc.generate.generator import CannotGenerateError, generate, generate_with
from kumoc.generate.instance import Instance, Observation
from kumoc.generate.lists import Lists, changed
from kumoc.generate.pools import pools, with_truths
from kumoc.generate.proof import check_instance

__all__ = [
    "CannotGenerateError",
    "Identity",
    "Infeasible",
    "Instance",
    "Lists",
    "Observation",
    "Taken",
    "changed",
    "check_instance",
    "derive",
    "feasible",
    "generate",
    "generate_with",
    "identity",
    "is_fair",
    "pools",
    "with_truths",
]
