"""Long work in small tasks that can be stopped at any moment: results go to a file of JSON lines as they come.

Every task has a key.  What the file knows already is not done again, so a run that was killed goes on where it was; a
line that was cut in two is dropped.  Tasks run on any `concurrent.futures.Executor`: processes of this machine, or a
Dask cluster, where a task whose worker is lost runs again on another.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

AHEAD: Final = 4
"""Tasks that wait for each worker."""
AGAIN: Final = 3
"""Times that a task is sent again when it was lost with its worker."""
WATCH: Final = 1.0
"""Seconds between two looks of a worker for the process that started it."""

Task = Callable[..., dict[str, Any]]


class BatchError(RuntimeError):
    """The work cannot go on; what is finished is in the file."""


def finished(path: Path) -> list[dict[str, Any]]:
    """The results that a file holds; a last line without its end is cut off the file."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    found = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            record = json.loads(line)
        except ValueError as error:
            raise BatchError(f"{path}:{number}: this is no JSON line") from error
        if not isinstance(record, dict):
            raise BatchError(f"{path}:{number}: this is no result")
        found.append(record)
    return found


def run(
    task: Task, jobs: Mapping[str, tuple[Any, ...]], path: Path, pool: Executor, workers: int
) -> Generator[dict[str, Any], None, None]:
    """Do the jobs that the file does not know; each result, with its key, is in the file before it is yielded."""
    known = {record.get("key") for record in finished(path)}
    left = ((key, job) for key, job in jobs.items() if key not in known)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for key, result in _results(task, left, pool, max(2, workers * AHEAD)):
            record = {"key": key, **result}
            file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            file.flush()
            yield record


def _results(
    task: Task, left: Iterable[tuple[str, tuple[Any, ...]]], pool: Executor, most: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Results as they come; a task that was lost is sent again."""
    jobs, waiting = iter(left), dict[Future[dict[str, Any]], tuple[str, tuple[Any, ...], int]]()

    def send(key: str, job: tuple[Any, ...], times: int) -> None:
        try:
            waiting[pool.submit(task, *job)] = key, job, times
        except (BrokenProcessPool, RuntimeError) as error:
            raise BatchError(f"{key}: {error}") from error

    def fill() -> None:
        while len(waiting) < most and (entry := next(jobs, None)) is not None:
            send(*entry, 0)

    try:
        fill()
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                key, job, times = waiting.pop(future)
                error = future.exception() if not future.cancelled() else RuntimeError("cancelled")
                if error is None:
                    yield key, future.result()
                elif times >= AGAIN or isinstance(error, BrokenProcessPool):
                    raise BatchError(f"{key}: {type(error).__name__}: {error}") from error
                else:
                    send(key, job, times + 1)
            fill()
    finally:
        for future in waiting:
            future.cancel()


# where tasks run


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Processes of this machine; they end with the process that started them, however that ends."""
    pool = ProcessPoolExecutor(workers, initializer=_leave_with, initargs=(os.getpid(),))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_with(parent: int) -> None:
    """In a worker: end when the parent has ended, even if it was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """A Dask cluster by the address of its scheduler, and how many tasks it can run at once.

    Raises BatchError when Dask is not installed or nobody answers at the address.
    """
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise BatchError("Dask is not installed: pip install 'evotutor[cluster]'") from error
    try:
        client = distributed.Client(address, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BatchError(f"no scheduler at {address}: {error}") from error
    with client:
        threads = sum(client.nthreads().values())
        pool = client.get_executor(pure=False, retries=AGAIN)
        try:
            yield pool, max(1, threads)
        finally:
            pool.shutdown(wait=False)
