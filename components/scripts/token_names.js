// Names of tokens along the cells of a figure whose layout says in `meta.tokens` which of them it keeps on each axis:
// where there is less room than it was drawn for, as in a narrow window, type is smaller, then names fewer. Presented,
// it is as large as all other type where there is room. Names of other rows are never left out.

const SMALLEST_NAME = 9 // pixels of type on the page,
const PRESENTED_NAME = 13 // and for the back of the room
const SMALLEST_ROW = 7 // pixels of the name of a row in a long table, beside which a row without a name would be worse
const NAME_LINE = 1.1 // pixels that a name takes for each pixel of its type,
const EACH_LINE = 1.3 // and each of several lines of one

// Changes of a drawn figure, by their names to Plotly, for the names of tokens that its layout has; none where it has them.
// Type has `least` pixels or more, and no more than `most` says of an axis as it was drawn.
function namesThatFit(drawing, { meta, ...layout }, most, least) {
  const changes = {}
  for (const [name, kept] of Object.entries(meta?.tokens ?? {})) {
    const { tickvals, ticktext, tickfont, tickangle } = layout[name]
    const apart = leastDistance(tickvals)
    const room = pixels(drawing, name, apart) * (tickangle === -45 ? Math.SQRT1_2 : 1)
    const size = Math.min(most(drawing, name, tickfont), Math.floor(room / NAME_LINE))
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

// The size of type that an axis was drawn with, that it has now, and that all other type has.
const drawnSize = (drawing, name, { size }) => size
const sizeNow = ({ layout }, name) => layout[name].tickfont.size
const sizeOfAll = ({ _fullLayout: { font } }) => font.size

// Changes for the names of rows that would lie over each other, as those of a long table where it is presented, and
// for the headings between them. Names of three lines have two, longer ones, where their type would be small.
function rowsThatFit(drawing, { meta, annotations = [], ...layout }) {
  const changes = {}
  const all = drawing._fullLayout
  for (const [name, { ticktext, tickfont }] of Object.entries(layout)) {
    if (!/^yaxis\d*$/.test(name) || !Array.isArray(ticktext) || name in (meta?.tokens ?? {})) continue
    const { tickvals } = all[name] // which may travel as bytes
    const room = pixels(drawing, name, leastDistance(tickvals))
    const fitting = (texts) => Math.floor(room / rowHeight(texts))
    const texts = fitting(ticktext) < PRESENTED_NAME ? ticktext.map(twoLines) : ticktext
    const size = (drawn) => Math.max(SMALLEST_ROW, Math.min(drawn ?? all.font.size, fitting(texts)))
    if (all[name].tickfont.size !== size(tickfont?.size)) changes[`${name}.tickfont.size`] = size(tickfont?.size)
    if (drawing.layout[name].ticktext.join() !== texts.join()) changes[`${name}.ticktext`] = texts
    annotations.forEach(({ name: kind, font }, i) => {
      const isOther = kind === "heading" && all.annotations[i].font.size !== size(font?.size)
      if (isOther) changes[`annotations[${i}].font.size`] = size(font?.size)
    })
  }
  return changes
}

// How high the highest of some names is, for each pixel of its type.
function rowHeight(texts) {
  const most = Math.max(...texts.map((text) => lines(String(text)).length))
  return most > 1 ? EACH_LINE * most : NAME_LINE
}

// A name on two lines where it has more.
function twoLines(text) {
  const had = lines(String(text))
  if (had.length < 3) return text
  const words = had.join(" ").split(" ")
  let most = Math.ceil(letters(words.join(" ")) / 2)
  while (filled(words, most).length > 2) most += 1
  return filled(words, most).join("<br>")
}

// How far the two nearest of some ticks are from each other on their axis.
function leastDistance(ticks) {
  const places = Array.from(ticks)
  return places.length > 1 ? Math.min(...places.slice(1).map((place, i) => place - places[i])) : Infinity
}

// The same in pixels.
function pixels(drawing, axis, distance) {
  const { _length: length, range } = drawing._fullLayout[axis]
  return (distance * length) / Math.abs(range[1] - range[0])
}
