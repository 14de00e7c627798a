// A figure in a room that it was not drawn for: type that can be read, and words and panels that get what room they take.

const OBLONG = 1.5 // rows to columns of a heatmap, or the other way round, from which its cells need be no squares
const LETTER = 0.54 // of the size of type: how wide a letter is
const LINE = 1.3 // of the size of type: how high a line is
const NAMES = 2.5 // of the size of type: numbers along an axis or a colour bar, "−0.2"
const PANEL = 0.15 // of a figure's width: what a panel keeps at least

// The figure, whose layout has the width and height of its room, with no type smaller than `least` pixels.
function fitted(figure, least) {
  const { layout } = readable(figure, least)
  stretched(figure)
  staggered(layout, least)
  parted(figure, least)
  for (const [name, axis] of Object.entries(layout)) {
    if (!/^[xy]axis\d*$/.test(name)) continue
    const [start, end] = axis.domain ?? [0, 1]
    wrapped(axis.title, (end - start) * inner(layout, name[0], least), layout, least)
  }
  for (const bar of bars(figure)) {
    const { len = 1, lenmode, orientation } = bar
    const room = inner(layout, orientation === "h" ? "x" : "y", least)
    wrapped(bar.title, lenmode === "pixels" ? len : len * room, layout, least)
  }
  besidePoints(figure, least)
  return figure
}

// Every size of type in a part of a figure raised to a least one.
function readable(part, least) {
  if (Array.isArray(part)) part.forEach((each) => readable(each, least))
  else if (part && typeof part === "object") {
    for (const [name, value] of Object.entries(part)) {
      if (name.endsWith("font") && value && typeof value.size === "number") value.size = Math.max(value.size, least)
      else readable(value, least)
    }
  }
  return part
}

// Cells that are squares on the page leave most of a slide empty where rows are many more or fewer than columns.
function stretched({ data, layout }) {
  for (const { type, z, yaxis } of data) {
    if (type !== "heatmap") continue
    const [rows, columns] = Array.isArray(z) ? [z.length, z[0].length] : z.shape.split(",").map(Number)
    if (Math.max(rows, columns) < OBLONG * Math.min(rows, columns)) continue
    delete layout[(yaxis ?? "y").replace("y", "yaxis")]?.scaleanchor
  }
}

// Names of rows that lie too close for their type: every second one further left, and as many as there is room for.
function staggered(layout, least) {
  for (const [name, axis] of Object.entries(layout)) {
    if (!/^yaxis\d*$/.test(name) || !Array.isArray(axis.ticktext)) continue
    const { t = 60, b = 60 } = layout.margin ?? {}
    const line = 1.1 * sizeOf(axis.tickfont, layout, least)
    const crowded = Math.ceil((axis.ticktext.length * line) / (layout.height - t - b))
    if (crowded < 2) continue
    const further = "\u2003".repeat(0.55 * Math.max(...axis.ticktext.map((text) => text.length)))
    axis.ticktext = axis.ticktext.map((text, row) => (row % crowded > 1 ? "" : text + (row % crowded ? further : "")))
  }
}

// Panels beside each other, each as far from the one before as what stands between them takes.
function parted(figure, least) {
  const { layout } = figure
  const across = inner(layout, "x", least)
  const panels = Object.keys(layout).filter((name) => /^xaxis\d*$/.test(name) && layout[name].domain)
  for (const name of panels) {
    const axis = layout[name]
    const [start, end] = axis.domain
    const before = Math.max(...panels.map((other) => layout[other].domain[1]).filter((other) => other < start))
    if (!Number.isFinite(before)) continue
    const stands = bars(figure).filter(({ orientation, x = 1 }) => orientation !== "h" && x >= before && x < start)
    const places = stands.map((bar) => (bar.x ?? 1) * across + thick(bar, layout, least))
    const from = Math.max(before * across, ...places)
    const to = (from + beside(layout[name.replace("x", "y")], layout, least)) / across
    if (to > start && to < end - PANEL) axis.domain = [to, end]
  }
}

// A title that ends where its axis does: on the lines that it has, else on as few as can be, each about as long.
function wrapped(title, room, layout, least) {
  if (!title?.text) return
  let most = Math.max(12, Math.floor(room / (LETTER * titled(title, layout, least))))
  const had = lines(title.text)
  if (had.every((line) => letters(line) <= most)) return
  const words = had.join(" ").split(/ (?![^<]*>)/)
  const fewest = filled(words, most).length
  while (most > 1 && filled(words, most - 1).length === fewest) most -= 1
  title.text = filled(words, most).join("<br>")
}

// Words in lines of `most` letters.
function filled(words, most) {
  const made = [""]
  for (const word of words) {
    const longer = made.at(-1) ? `${made.at(-1)} ${word}` : word
    if (made.at(-1) && letters(longer) > most) made.push(word)
    else made[made.length - 1] = longer
  }
  return made
}

// Pixels that names and title of a panel's rows take.
function beside({ title, ticktext, tickfont, showticklabels } = {}, layout, least) {
  const names = showticklabels === false ? 0 : width(ticktext) * sizeOf(tickfont, layout, least)
  return names + (title?.text ? lines(title.text).length * LINE * titled(title, layout, least) : 0)
}

function thick({ thickness = 30, title, tickfont }, layout, least) {
  const named = title?.text && title.side === "right" ? LINE * titled(title, layout, least) : 0
  return thickness + 10 + NAMES * sizeOf(tickfont, layout, least) + named
}

function bars({ data, layout }) {
  const shared = Object.keys(layout).filter((name) => name.startsWith("coloraxis")).map((name) => layout[name].colorbar)
  return [...shared, ...data.map(({ colorbar }) => colorbar)].filter(Boolean)
}

function inner(layout, side, least) {
  const { l = 80, r = 80, t = 60, b = 60 } = layout.margin ?? {}
  if (side === "y") return layout.height - t - b
  return layout.width - Math.max(l, beside(layout.yaxis, layout, least)) - r
}

function sizeOf(font, { font: all, template }, least) {
  return Math.max(font?.size ?? all?.size ?? template?.layout?.font?.size ?? 0, least)
}

// Plotly writes titles larger than the rest, where they say no size.
function titled({ font }, layout, least) {
  return font?.size ? Math.max(font.size, least) : 1.2 * sizeOf({}, layout, least)
}

// Of the longest of some names, in sizes of type.
function width(names) {
  return Array.isArray(names) ? LETTER * Math.max(0, ...names.map((name) => letters(String(name)))) + 0.5 : NAMES
}

function lines(text) {
  return text.split(/<br ?\/?>/)
}

function letters(text) {
  return text.replace(/<[^>]*>/g, "").length
}
