// Names beside points, each with a line to its own: where they cover least of each other, and of arrows, in the room
// that they have.

const MARK = 9 // pixels from the middle of a point to its edge
const ARROW = 3 // pixels from the middle of an arrow to its edge
const OUT = [16, 34, 56] // pixels from a point to its name
const AROUND = [[0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1]]
const GAP = 2 // pixels from the end of a line to its name
const BESIDE = "beside a point" // what names and their lines are called, one after the other
const ANCHORS = ["right", "center", "left"] // of a name left of its point, above or below it, and right of it
const OUTSIDE = 1000 // square pixels of a name over others that a pixel outside of the axes is as bad as

// Names that would cover others, points or arrows get another place, one near theirs; the rest stand where they did.
function besidePoints(figure, least) {
  const { data, layout } = figure
  const [names, ways] = [layout.annotations, layout.shapes].map((all) => (all ?? []).filter(({ name }) => name === BESIDE))
  const ranges = [layout.xaxis?.range, layout.yaxis?.range]
  if (!names.length || figure.frames?.length || !ranges.every(Array.isArray)) return
  const room = axesOf(figure, least)
  const share = (at, [low, high]) => (at - low) / (high - low)
  const spot = (x, y) => [share(x, ranges[0]) * room[0], (1 - share(y, ranges[1])) * room[1]]
  const spots = names.map(({ x, y }) => spot(x, y))
  const taken = [
    ...spots.map((at) => box(at, [MARK, MARK])),
    ...arrows(data).flatMap(([from, to]) => along(spot(...from), spot(...to))),
  ]
  for (const [number, name] of names.entries()) {
    const type = sizeOf(name.font, layout, least)
    const rows = lines(name.text)
    const half = [0.5 * LETTER * type * Math.max(...rows.map(letters)), 0.5 * LINE * type * rows.length]
    const places = OUT.flatMap((out) => AROUND.map(([right, down]) => {
      return [right * (out + half[0]), down * (half[1] - (LINE * type) / 2 + (right ? 0.8 : 1) * out)]
    }))
    const before = [name.xshift + (ANCHORS.indexOf(name.xanchor) - 1) * half[0], -name.yshift]
    const far = ([right, down]) => Math.hypot(right - before[0], down - before[1])
    let best = { cost: Infinity }
    for (const [right, down] of [before, ...places.sort((one, other) => far(one) - far(other))]) {
      const here = box([spots[number][0] + right, spots[number][1] + down], half)
      const cost = taken.reduce((sum, other) => sum + shared(here, other), OUTSIDE * beyond(here, room))
      if (cost < best.cost - 1) best = { cost, here, right, down }
    }
    put(name, ways[number], best, half)
    taken.push(best.here)
  }
}

// Have a name stand with its near edge where its line ends; a name above or below its point stands over the line's end.
function put(name, way, { right, down }, half) {
  const side = Math.sign(right)
  const across = right - side * half[0]
  Object.assign(name, { xanchor: ANCHORS[side + 1], xshift: across, yshift: -down })
  Object.assign(way, { x1: across - side * GAP, y1: -down + (side ? 0 : Math.sign(down) * half[1]) })
}

// From where to where each arrow of a figure goes, in the numbers of its axes.
function arrows(data) {
  return data.filter(({ marker }) => marker?.angleref === "previous").flatMap(({ x, y }) => {
    return x.flatMap((at, i) => (i % 3 ? [] : [[[at, y[i]], [x[i + 1], y[i + 1]]]]))
  })
}

// Pixels that the axes span across and down.
function axesOf(figure, least) {
  const { layout } = figure
  const { t = 60, b = 60 } = layout.margin ?? {}
  const stands = bars(figure).filter(({ orientation }) => orientation !== "h")
  const { title, tickfont } = layout.xaxis
  const below = LINE * (sizeOf(tickfont, layout, least) + (title?.text ? titled(title, layout, least) : 0))
  const right = stands.reduce((sum, bar) => sum + thick(bar, layout, least), 0)
  return [inner(layout, "x", least) - right, layout.height - t - Math.max(b, below)]
}

function box([x, y], [across, down]) {
  return { left: x - across, right: x + across, top: y - down, bottom: y + down }
}

// Boxes that follow each other from one spot to another.
function along(from, to) {
  const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (2 * ARROW)))
  return Array.from({ length: steps + 1 }, (_, step) => {
    const at = from.map((start, way) => start + ((to[way] - start) * step) / steps)
    return box(at, [ARROW, ARROW])
  })
}

function shared(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return Math.max(0, across) * Math.max(0, down)
}

function beyond({ left, right, top, bottom }, [across, down]) {
  return [-left, -top, right - across, bottom - down].reduce((sum, one) => sum + Math.max(0, one), 0)
}
