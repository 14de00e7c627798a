"""The papers that a deck may use, as entries of BibTeX."""

from __future__ import annotations

_EMNLP_2019 = (
    "Proceedings of the 2019 Conference on Empirical Methods in Natural Language Processing and the 9th "
    "International Joint Conference on Natural Language Processing"
)

ENTRIES = {
    "stankevicius2024": (
        "article",
        {
            "author": "Lukas Stankevi{\\v{c}}ius and Mantas Luko{\\v{s}}evi{\\v{c}}ius",
            "title": "Extracting Sentence Embeddings from Pretrained Transformer Models",
            "journal": "Applied Sciences",
            "volume": "14",
            "number": "19",
            "pages": "8887",
            "year": "2024",
            "doi": "10.3390/app14198887",
            "note": "Tables are those of arXiv:2408.08073, version 2 of 2025",
        },
    ),
    "wangkuo2020": (
        "article",
        {
            "author": "Bin Wang and C.-C. Jay Kuo",
            "title": "{SBERT-WK}: A Sentence Embedding Method by Dissecting {BERT}-Based Word Models",
            "journal": "IEEE/ACM Transactions on Audio, Speech, and Language Processing",
            "volume": "28",
            "pages": "2146--2157",
            "year": "2020",
            "doi": "10.1109/TASLP.2020.3008390",
        },
    ),
    "chen2023": (
        "inproceedings",
        {
            "author": "Qian Chen and Wen Wang and Qinglin Zhang and Siqi Zheng and Chong Deng and "
            "Hai Yu and Jiaqing Liu and Yukun Ma and Chong Zhang",
            "title": "Ditto: A Simple and Efficient Approach to Improve Sentence Embeddings",
            "booktitle": "Proceedings of the 2023 Conference on Empirical Methods in Natural "
            "Language Processing",
            "pages": "5868--5875",
            "year": "2023",
            "doi": "10.18653/v1/2023.emnlp-main.359",
        },
    ),
    "wang2020": (
        "inproceedings",
        {
            "author": "Bin Wang and Fenxiao Chen and Yuncheng Wang and C.-C. Jay Kuo",
            "title": "Efficient Sentence Embedding via Semantic Subspace Analysis",
            "booktitle": "2020 25th International Conference on Pattern Recognition",
            "pages": "119--125",
            "year": "2021",
            "doi": "10.1109/ICPR48806.2021.9412169",
        },
    ),
    "lu2023": (
        "misc",
        {
            "author": "Lu",
            "title": "Sentence Embedding",
            "year": "2023",
            "note": "Slides",
        },
    ),
    "jiang2022": (
        "inproceedings",
        {
            "author": "Ting Jiang and Jian Jiao and Shaohan Huang and Zihan Zhang and Deqing Wang "
            "and Fuzhen Zhuang and Furu Wei and Haizhen Huang and Denvy Deng and Qi "
            "Zhang",
            "title": "{PromptBERT}: Improving {BERT} Sentence Embeddings with Prompts",
            "booktitle": "Proceedings of the 2022 Conference on Empirical Methods in Natural "
            "Language Processing",
            "pages": "8826--8837",
            "year": "2022",
            "url": "https://aclanthology.org/2022.emnlp-main.603",
        },
    ),
    "arora2017": (
        "inproceedings",
        {
            "author": "Sanjeev Arora and Yingyu Liang and Tengyu Ma",
            "title": "A Simple but Tough-to-Beat Baseline for Sentence Embeddings",
            "booktitle": "5th International Conference on Learning Representations",
            "year": "2017",
        },
    ),
    "ethayarajh2018": (
        "inproceedings",
        {
            "author": "Kawin Ethayarajh",
            "title": "Unsupervised Random Walk Sentence Embeddings: A Strong but Simple Baseline",
            "booktitle": "Proceedings of the Third Workshop on Representation Learning for NLP",
            "pages": "91--100",
            "year": "2018",
            "url": "https://aclanthology.org/W18-3012",
        },
    ),
    "mu2018": (
        "inproceedings",
        {
            "author": "Jiaqi Mu and Pramod Viswanath",
            "title": "All-but-the-Top: Simple and Effective Postprocessing for Word Representations",
            "booktitle": "International Conference on Learning Representations",
            "year": "2018",
            "url": "https://openreview.net/forum?id=HkuGJ3kCb",
        },
    ),
    "su2021": (
        "misc",
        {
            "author": "Jianlin Su and Jiarun Cao and Weijie Liu and Yangyiwen Ou",
            "title": "Whitening Sentence Representations for Better Semantics and Faster Retrieval",
            "year": "2021",
            "eprint": "2103.15316",
            "archiveprefix": "arXiv",
        },
    ),
    "huang2021": (
        "inproceedings",
        {
            "author": "Junjie Huang and Duyu Tang and Wanjun Zhong and Shuai Lu and Linjun Shou "
            "and Ming Gong and Daxin Jiang and Nan Duan",
            "title": "{WhiteningBERT}: An Easy Unsupervised Sentence Embedding Approach",
            "booktitle": "Findings of the Association for Computational Linguistics: EMNLP 2021",
            "pages": "238--244",
            "year": "2021",
            "doi": "10.18653/v1/2021.findings-emnlp.23",
        },
    ),
    "li2020": (
        "inproceedings",
        {
            "author": "Bohan Li and Hao Zhou and Junxian He and Mingxuan Wang and Yiming Yang and Lei Li",
            "title": "On the Sentence Embeddings from Pre-trained Language Models",
            "booktitle": "Proceedings of the 2020 Conference on Empirical Methods in Natural "
            "Language Processing",
            "pages": "9119--9130",
            "year": "2020",
            "url": "https://aclanthology.org/2020.emnlp-main.733",
        },
    ),
    "yang2019": (
        "inproceedings",
        {
            "author": "Ziyi Yang and Chenguang Zhu and Weizhu Chen",
            "title": "Parameter-free Sentence Embedding via Orthogonal Basis",
            "booktitle": _EMNLP_2019,
            "pages": "638--648",
            "year": "2019",
            "doi": "10.18653/v1/D19-1059",
        },
    ),
    "ionescu2019": (
        "inproceedings",
        {
            "author": "Radu Tudor Ionescu and Andrei Butnaru",
            "title": "Vector of Locally-Aggregated Word Embeddings ({VLAWE}): A Novel "
            "Document-level Representation",
            "booktitle": "Proceedings of the 2019 Conference of the North American Chapter of the "
            "Association for Computational Linguistics: Human Language Technologies, "
            "Volume 1",
            "pages": "363--369",
            "year": "2019",
        },
    ),
    "ruckle2018": (
        "misc",
        {
            "author": "Andreas R{\\\"u}ckl{\\'e} and Steffen Eger and Maxime Peyrard and Iryna Gurevych",
            "title": "Concatenated Power Mean Word Embeddings as Universal Cross-Lingual "
            "Sentence Representations",
            "year": "2018",
            "eprint": "1803.01400",
            "archiveprefix": "arXiv",
        },
    ),
    "almarwani2019": (
        "inproceedings",
        {
            "author": "Nada Almarwani and Hanan Aldarmaki and Mona Diab",
            "title": "Efficient Sentence Embedding using Discrete Cosine Transform",
            "booktitle": _EMNLP_2019,
            "year": "2019",
            "url": "https://aclanthology.org/D19-1380",
        },
    ),
    "le2014": (
        "inproceedings",
        {
            "author": "Quoc Le and Tomas Mikolov",
            "title": "Distributed Representations of Sentences and Documents",
            "booktitle": "Proceedings of the 31st International Conference on Machine Learning",
            "series": "Proceedings of Machine Learning Research",
            "volume": "32",
            "number": "2",
            "pages": "1188--1196",
            "year": "2014",
            "url": "https://proceedings.mlr.press/v32/le14.html",
        },
    ),
    "wangisola2020": (
        "inproceedings",
        {
            "author": "Tongzhou Wang and Phillip Isola",
            "title": "Understanding Contrastive Representation Learning through Alignment and "
            "Uniformity on the Hypersphere",
            "booktitle": "Proceedings of the 37th International Conference on Machine Learning",
            "series": "Proceedings of Machine Learning Research",
            "volume": "119",
            "pages": "9929--9939",
            "year": "2020",
            "url": "https://proceedings.mlr.press/v119/wang20k.html",
        },
    ),
    "rudman2022": (
        "inproceedings",
        {
            "author": "William Rudman and Nate Gillman and Taylor Rayne and Carsten Eickhoff",
            "title": "{IsoScore}: Measuring the Uniformity of Embedding Space Utilization",
            "booktitle": "Findings of the Association for Computational Linguistics: ACL 2022",
            "pages": "3325--3339",
            "year": "2022",
            "url": "https://aclanthology.org/2022.findings-acl.262",
        },
    ),
}
"""Papers by their key: the kind of entry and its fields.

Venues, pages and numbers are those of reference lists and of the proceedings' own sites. What these do not
agree on is left out, such as the pages of ``almarwani2019``.
"""


def entry(key: str) -> str:
    """The entry of a paper, as BibTeX writes it."""
    kind, fields = ENTRIES[key]
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}}}\n"
