"""Workers of a running Dask scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from kumoc.release.errors import BuildError
from kumoc.release.workers import Engine


def cluster(address: str) -> Engine:
    """The workers of the scheduler at ``address``, such as ``tcp://host:8786``; they need kumoc installed too.

    Raises BuildError if Dask is not installed here; opening the engine does if no scheduler answers.
    """
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
        from distributed.scheduler import KilledWorker  # noqa: PLC0415
    except ImportError as error:
        raise BuildError("--dask needs Dask, which is not installed", "install kumoc[dask]") from error

    @contextmanager
    def opened() -> Iterator[tuple[Executor, int]]:
        try:
            client = Client(address, timeout=5, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BuildError(f"no Dask scheduler answers at {address}", "start one: `dask scheduler`") from error
        with client:
            # not pure: Dask would look at all of a task to know it again
            executor: Executor = client.get_executor(pure=False)
            yield executor, max(4, 2 * sum(client.ncores().values()))

    return Engine(opened, (KilledWorker,))
