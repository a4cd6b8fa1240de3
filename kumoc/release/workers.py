"""Tasks run by many workers through one interface, ``concurrent.futures.Executor``, whatever dies meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Generic, ParamSpec, TypeVar

from kumoc.release.errors import BuildError

MAX_DEATHS = 3
"""Workers that one task may take with it before the build is given up."""

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_P = ParamSpec("_P")


@dataclass(frozen=True, slots=True)
class Engine:
    """Where tasks are run.

    ``open`` gives an executor and how many tasks to hand it at a time. ``killed`` are the exceptions that say that a
    task took too many workers with it; an executor that breaks as a whole raises BrokenExecutor.
    """

    open: Callable[[], AbstractContextManager[tuple[Executor, int]]]
    killed: tuple[type[Exception], ...] = ()


class Runner(Generic[_Task, _Result]):
    """Runs a function over tasks.

    When an executor breaks, another is opened, and the tasks that were out are tried one by one, so that the one to
    blame is known.
    """

    def __init__(self, engine: Engine, function: Callable[[_Task], _Result], name: Callable[[_Task], str]) -> None:
        """``function`` and its tasks must be such that they can be pickled; ``name`` says in words what a task is."""
        self._engine = engine
        self._function = function
        self._name = name
        self._deaths: Counter[int] = Counter()

    def results(self, tasks: Iterable[_Task]) -> Iterator[tuple[_Task, _Result]]:
        """Each task with its result, as they come.

        Raises what the function raised, and BuildError when one task ended :data:`MAX_DEATHS` workers.
        """
        new = iter(enumerate(tasks))
        again: deque[tuple[int, _Task]] = deque()
        unfinished = True
        while unfinished:
            out: dict[Future[_Result], tuple[int, _Task]] = {}
            try:
                with self._engine.open() as (executor, at_once):
                    while True:
                        while len(out) < (1 if again else at_once):
                            if not again and (entry := next(new, None)):
                                again.append(entry)
                            if not again:
                                break
                            out[executor.submit(self._function, again[0][1])] = again[0]
                            again.popleft()
                        if not out:
                            unfinished = False
                            break
                        yield from self._finished(out)
            except BrokenExecutor:
                again.extendleft(self._blamed(list(out.values())))

    def _finished(self, out: dict[Future[_Result], tuple[int, _Task]]) -> Iterator[tuple[_Task, _Result]]:
        """Wait for some of the tasks that are ``out``, and take them from there."""
        for future in wait(out, return_when=FIRST_COMPLETED).done:
            task = out[future][1]
            try:
                result = future.result()
            except self._engine.killed as error:
                raise self._deadly(task) from error
            del out[future]
            yield task, result

    def _blamed(self, entries: list[tuple[int, _Task]]) -> list[tuple[int, _Task]]:
        """``entries`` were out when a worker died: one alone is to blame."""
        if len(entries) == 1:
            ((number, task),) = entries
            self._deaths[number] += 1
            if self._deaths[number] >= MAX_DEATHS:
                raise self._deadly(task)
        return entries

    def _deadly(self, task: _Task) -> BuildError:
        message = f"{self._name(task)}: the worker that builds this died {MAX_DEATHS} times or more"
        return BuildError(message, "is there enough memory? Use fewer --workers, or lower the size's `work`")


def processes(count: int) -> Engine:
    """``count`` processes of this machine; one is this process itself."""
    return Engine(_inline if count == 1 else lambda: _pool(count))


@contextmanager
def _inline() -> Iterator[tuple[Executor, int]]:
    yield _Inline(), 1


class _Inline(Executor):
    def submit(self, function: Callable[_P, _Result], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_Result]:
        future: Future[_Result] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def _pool(count: int) -> Iterator[tuple[Executor, int]]:
    executor = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin)
    try:
        yield executor, 2 * count
    except BaseException:
        for process in list((executor._processes or {}).values()):
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave an interruption to the parent, and end with it.

    A worker waits for work on a pipe that it holds open itself: it would outlive a parent that is killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
