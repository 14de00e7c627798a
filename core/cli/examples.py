"""What each command is called like, as its help says it."""

EXAMPLES = {
    "score": (
        "score --recipe 'weight=idf;post=zscore' --corpus demo --split dev",
        "score --recipe 'layers=last' --corpora sts7 --json",
    ),
    "neighbours": ("neighbours --recipe 'layers=last' --corpus demo --text 'It rains.' --number 5",),
    "sweep": ("sweep --recipes recipes.txt --corpora demo,stsb --output results.csv --jobs 2",),
    "find": (
        "find --corpus demo --budget 5m",
        "find --recipe 'source=untuned' --corpora sts7 --stages layers,weight,pool --json",
    ),
    "why": (
        "why --recipe 'layers=last' 'He is allergic to peanuts.' 'Peanuts make him ill.'",
        "why --recipe 'layers=last' --worst 50 --corpus demo",
    ),
    "export": ("export --recipe 'layers=2+last;post=normalize' --output my-model",),
    "embed": ("embed --recipe 'layers=0+last' --input lines.txt --output vectors.npy",),
    "corpora": ("corpora", "corpora demo --split test --json"),
    "data": ("data stsb,sickr --data data", "data --sizes --data data"),
    "presets": ("presets --paper 002",),
    "tables": ("tables 003 I", "tables 003 I --here"),
    "models": ("models",),
    "cache": ("cache", "cache --clear"),
    "status": ("status --json",),
}
"""Arguments by command, without the program before them."""


def shown(command: str) -> str:
    """The examples of a command, one a line under a heading."""
    lines = "\n".join(f"  python -m core {example}" for example in EXAMPLES[command])
    return f"{'Example' if len(EXAMPLES[command]) == 1 else 'Examples'}:\n\n{lines}"
