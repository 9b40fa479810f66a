"""Whom the kernel kills when memory is gone before the kubelet looks.

Mirrors `mm/oom_kill.c` of Linux: oom_badness and oom_evaluate_task (since v5.9, where badness
may be negative).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qoslint.kernel.memoryqos import PAGE_SIZE

OOM_SCORE_ADJ_MIN = -1000
"""A process with this score is never killed."""


class Task(NamedTuple):
    """A process: its oom_score_adj, and its resident and swapped memory in bytes."""

    oom_score_adj: int
    memory: int


def oom_badness(task: Task, total_memory: int) -> int | None:
    """How readily a process is killed, in pages; None if never (`oom_badness`).

    `total_memory` is the memory and swap of the node, or the limit of the cgroup that is full.
    Page tables are left out: they are about one page in 500. What has no memory is no process.
    """
    if task.oom_score_adj == OOM_SCORE_ADJ_MIN or task.memory == 0:
        return None
    thousandth = total_memory // PAGE_SIZE // 1000
    return task.memory // PAGE_SIZE + task.oom_score_adj * thousandth


def by_badness(tasks: Sequence[Task], total_memory: int) -> tuple[tuple[int, int], ...]:
    """Index and badness of each process that can be killed, worst first.

    Those of equal badness are in any order: the kernel takes the one it comes across last.
    """
    judged = ((index, oom_badness(task, total_memory)) for index, task in enumerate(tasks))
    killable = [(index, points) for index, points in judged if points is not None]
    return tuple(sorted(killable, key=lambda each: -each[1]))
