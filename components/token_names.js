// Names of tokens along the cells of a figure whose layout says in `meta.tokens` which of them it keeps on each axis:
// where there is less room than it was drawn for, as in a narrow window or presented, type is smaller, then names fewer.

const SMALLEST_NAME = 9 // pixels of type on the page,
const PRESENTED_NAME = 13 // and for the back of the room
const NAME_LINE = 1.1 // pixels that a line of names takes for each pixel of its type

// Changes of a drawn figure, by their names to Plotly, for the names that its layout has, in type of `least` pixels or
// more; none where it has them.
function namesThatFit(drawing, { meta, ...layout }, least) {
  const changes = {}
  for (const [name, kept] of Object.entries(meta?.tokens ?? {})) {
    const { tickvals, ticktext, tickfont, tickangle } = layout[name]
    const { _length: length, range } = drawing._fullLayout[name]
    const apart = tickvals.length > 1 ? Math.min(...tickvals.slice(1).map((place, i) => place - tickvals[i])) : Infinity
    const room = ((apart * length) / Math.abs(range[1] - range[0])) * (tickangle === -45 ? Math.SQRT1_2 : 1)
    const size = Math.min(tickfont.size, Math.floor(room / NAME_LINE))
    const every = size < least ? Math.ceil((least * NAME_LINE) / room) * apart : 0
    const own = tickvals.find((place) => place === kept)
    const start = tickvals.find((place) => place !== own) // one that is kept may stand beside the even places
    const isEven = (place) => (place - start) % every === 0 && !(Math.abs(place - own) < every)
    const shown = tickvals.map((place) => !every || place === own || isEven(place))
    const wanted = {
      [`${name}.tickfont.size`]: Math.max(size, least),
      [`${name}.tickvals`]: tickvals.filter((_, i) => shown[i]),
      [`${name}.ticktext`]: ticktext.filter((_, i) => shown[i]),
    }
    const now = drawing.layout[name]
    const isThere = now.tickfont.size === wanted[`${name}.tickfont.size`] && now.tickvals.length === wanted[`${name}.tickvals`].length
    if (!isThere) Object.assign(changes, wanted)
  }
  return changes
}
