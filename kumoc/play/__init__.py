"""The game as it is played: the simulator, the players that come with the project, and trajectories."""

from kumoc.play.agents import Agent, Strategy, TextAgent, opening, play, told
from kumoc.play.answers import read_answer
from kumoc.play.baselines import Baselines
from kumoc.play.moves import Act, Fault, Move, Name, Unread
from kumoc.play.players import exact_player, first_action, greedy, paper_player, random_action
from kumoc.play.signature import Signature, signature
from kumoc.play.simulator import STEP_LIMIT, End, Event, Kind, Puzzle, Simulator, State
from kumoc.play.trajectory import Optimum, Release, Trajectory, record, to_json, to_line

__all__ = [
    "STEP_LIMIT",
    "Act",
    "Agent",
    "Baselines",
    "End",
    "Event",
    "Fault",
    "Kind",
    "Move",
    "Name",
    "Optimum",
    "Puzzle",
    "Release",
    "Signature",
    "Simulator",
    "State",
    "Strategy",
    "TextAgent",
    "Trajectory",
    "Unread",
    "exact_player",
    "first_action",
    "greedy",
    "opening",
    "paper_player",
    "play",
    "random_action",
    "read_answer",
    "record",
    "signature",
    "to_json",
    "to_line",
    "told",
]
