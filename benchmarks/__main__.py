"""``python -m benchmarks``: all of them, one after the other."""

from benchmarks import memory, passes, precision, random_embeddings
from benchmarks.report import circumstances, data_folder

if __name__ == "__main__":
    data = data_folder("Run every benchmark and print its tables.")
    print(circumstances())
    for benchmark in (passes, precision, random_embeddings, memory):
        benchmark.run(data)
