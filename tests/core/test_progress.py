"""Progress of threads that work together: they tell one after the other, and stop together."""

import threading
import time

from core.progress import Step, one_at_a_time


def test_threads_tell_one_at_a_time():
    inside, most, told = [], [], []

    def tell(step: Step) -> None:
        inside.append(step)
        most.append(len(inside))
        time.sleep(0.002)
        told.append(step)
        inside.remove(step)

    progress = one_at_a_time(tell)
    steps = [Step("Reading", i, 20) for i in range(20)]
    threads = [threading.Thread(target=progress, args=[step]) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told, key=lambda step: step.done) == steps
    assert max(most) == 1
