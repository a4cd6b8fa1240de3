"""Domains by language models: proposed about a topic, then written as ``.kumo`` text until that compiles.

Stages a and b of the KUMO paper (arXiv 2504.02810): the proposal of domains, and their configuration. What a model
writes is text to compile, and nothing else.
"""

from kumoc.draft.proposals import Proposal, ProposalError, Proposed, propose, read_proposals
from kumoc.draft.wanted import Wanted
from kumoc.draft.writer import Draft, Round, draft

__all__ = [
    "Draft",
    "Proposal",
    "ProposalError",
    "Proposed",
    "Round",
    "Wanted",
    "draft",
    "propose",
    "read_proposals",
]
