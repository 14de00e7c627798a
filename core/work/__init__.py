"""Work that takes long: one queue for all visitors of an installation.

A piece of :class:`Work` is named by the content that it makes. :class:`Queue` runs a bounded number of them
at once, and gives every visitor who asks for the same content the same :class:`Job`.
"""

from core.work.job import Job
from core.work.queue import Queue
from core.work.work import LONG, State, Stopped, Work

__all__ = ["LONG", "Job", "Queue", "State", "Stopped", "Work"]
