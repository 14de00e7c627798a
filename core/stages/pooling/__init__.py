"""How token vectors become one sentence vector.

A pooling is given a :class:`~core.tokens.token_batch.TokenBatch`: the states of whole texts, their weights
and which tokens are selected. It returns one row per text. :class:`~core.recipe.options.PoolOption` says
what the pipeline must know of it: whether it is ``linear``, ``weighted``, and what it ``learns`` from.
"""

import core.stages.pooling.basic
import core.stages.pooling.gem
import core.stages.pooling.power_means_dct
import core.stages.pooling.s3e
import core.stages.pooling.vlawe  # noqa: F401  (each registers its options)
