"""What a link to a page says: every control, and what the numbers were made with.

Streamlit writes a control that is bound to the URL into it when it is not at its default, and drops in
silence what it cannot read. Here a link is copied with everything, and what it says in vain is told.
"""

from components.link.arriving import arrive, kept, parameters_of, setting
from components.link.copying import copy
from components.link.following import explain, followed, warn_here
from components.link.keeping import keep

__all__ = ["arrive", "copy", "explain", "followed", "keep", "kept", "parameters_of", "setting", "warn_here"]
