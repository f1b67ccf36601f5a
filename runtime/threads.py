"""Does numbered pieces of work in threads: a function of (first, end) -> the blocks, as they are done."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, as_completed, wait

# Each thread gets its share in this many blocks; and how often threads are told to stop, in s.
_BLOCKS, _AGAIN = 64, 0.02


def blocks_done(
    n: int, workers: int, multiple: int, do: Callable[[int, int], None], stop: Callable[[], None]
) -> Generator[tuple[int, int], None, None]:
    """Call ``do(first, end)`` in threads for blocks of the numbers from 0 to n, with sizes that are multiples of
    `multiple`; the first number and the end of each block that is done. An error in a thread is raised here. If the
    iterator ends early, by an error or because it is closed, `stop` is called until all threads have returned."""
    size = max(1, n // (workers * _BLOCKS * multiple)) * multiple
    with ThreadPoolExecutor(workers) as pool:
        blocks = {pool.submit(do, k, min(k + size, n)): (k, min(k + size, n)) for k in range(0, n, size)}
        try:
            for finished in as_completed(blocks):
                finished.result()
                yield blocks[finished]
        finally:
            for block in blocks:
                block.cancel()
            while wait(blocks, timeout=0.0).not_done:
                stop()
                wait(blocks, timeout=_AGAIN)
