"""The tables there are: what each is called, what it shows, and the file that holds it."""

from __future__ import annotations

from typing import NamedTuple


class Listed(NamedTuple):
    """A table by its name.

    Attributes
    ----------
    paper
        The number of the paper.
    name
        The table's number or, in the slides, a word for it.
    file
        The file in ``data``, without its ending.
    title
        What the table shows.
    """

    paper: str
    name: str
    file: str
    title: str


SIMILARITY = ("STS12", "STS13", "STS14", "STS15", "STS16", "STS-B", "SICK-R", "STR")
CLUSTERING = ("agnews", "biomedical", "googleTS", "searchsnippets", "stackoverflow", "tweet")
"""The tasks of similarity and of clustering that paper 000 has one table each for."""

SINGLE_TASKS = {str(number): task for number, task in enumerate((*SIMILARITY, *CLUSTERING), 6)}
"""The task of each of these tables by the table's number, 6 to 19."""

OF_SIMILARITY = "Avg. Spearman correlation (%) of STS tasks"
OF_CLUSTERING = "Avg. accuracy (%) of clustering tasks"
OF_CLASSIFICATION = "Avg. accuracy (%) of classification tasks"
"""The headings of paper 000 over means of all tasks of a kind."""

TABLES: tuple[Listed, ...] = (
    Listed("000", "1", "000_table_01", "Templates by their mask tokens, mean over tasks"),
    Listed("000", "4", "000_table_04", "Weights and post-processing, mean over the tasks of each kind"),
    Listed(
        "000", "5", "000_table_05", "Post-processing of plain averages, mean over the tasks of each kind"
    ),
    *(
        Listed("000", number, f"000_table_{number:0>2}", f"Weights and post-processing: {task}")
        for number, task in SINGLE_TASKS.items()
    ),
    Listed("000", "Section 4.2", "000_section_4.2", "The last layer with and without a template, as told"),
    Listed("001", "III", "001_table_3", "Similarity: 12 systems on seven tasks"),
    Listed("001", "V", "001_table_5", "Classification: 14 systems on eight tasks"),
    Listed("001", "VI", "001_table_6", "Probing: 13 systems on ten tasks"),
    Listed("001", "VII", "001_table_7", "The parts of SBERT-WK, mean over six similarity tasks"),
    Listed("001", "VIII", "001_table_8", "Inference time per sentence"),
    Listed("002", "1", "002_table_1", "Similarity: 16 systems, mean over seven tasks"),
    Listed("002", "2", "002_table_2", "Three methods on three encoders, mean over seven tasks"),
    Listed("002", "3", "002_table_3", "Impact on other tokens against tf-idf, for three encoders"),
    Listed("002", "4", "002_table_4", "Four attention heads, and their diagonals against tf-idf"),
    Listed("002", "5", "002_table_5", "Average cosine of sentences, with and without Ditto"),
    Listed("002", "6", "002_table_6", "Similarity: 16 systems on seven tasks"),
    Listed("003", "I", "003_table_1", "Similarity: 11 systems on seven tasks"),
    Listed("003", "II", "003_table_2", "Classification: 15 systems on eight tasks"),
    Listed("003", "IV", "003_table_4", "Inference time per sentence"),
    Listed("004", "scoreboard", "004_scoreboard", "Similarity: 18 systems on seven tasks"),
    Listed("004", "error rates, SST", "004_error_rates_sst", "Sentiment of SST: eight systems"),
    Listed("004", "error rates, IMDB", "004_error_rates_imdb", "Sentiment of IMDB: 14 systems"),
    Listed("004", "whitening", "004_whitening", "Whitening and flows on seven similarity tasks"),
    Listed("004", "classification", "004_classification", "Classification: eight systems on seven tasks"),
    Listed("004", "ablation", "004_ablation", "AnglE's objectives and poolings on STS-B"),
    Listed("004", "STS-B test", "004_stsb", "Three systems on STS-B, the rest of the table is cut off"),
)
"""All tables, by paper and number."""
