// What stands right of square cells, as a colour bar: near them, also where the window is wider than they are high.

const NOTICED = 8 // pixels
const NARROWED = 4 // times that a figure is made narrower at most

// Have it near the cells of a drawn figure, of which ``kept.beside`` remembers by how much its margins have grown;
// ``grown`` says which of them.
// Names of rows take another room once the cells are larger or smaller, so it is looked at again.
async function keepBeside(drawing, margin, kept, grown = withBeside) {
  for (let again = 0; again < NARROWED; again += 1) {
    const before = kept.beside ?? 0
    const beside = Math.max(0, before + freeBeside(drawing))
    if (beside === before) return
    kept.beside = beside
    await window.Plotly.relayout(drawing, { margin: grown(margin(), beside) })
  }
}

// The same for a figure that stands alone, whenever it is drawn for another window.
function followBeside(drawing) {
  const { margin } = drawing.layout
  const kept = {}
  const fit = async () => {
    if (kept.busy) return
    kept.busy = true
    await keepBeside(drawing, () => margin, kept)
    kept.busy = false
  }
  drawing.on("plotly_afterplot", fit)
  return fit()
}

function withBeside(margin, beside) {
  return beside ? { ...margin, r: (margin?.r ?? 80) + beside } : margin
}

// The cells in the middle, as on a slide.
function aroundCells(margin, beside) {
  return beside ? { ...withBeside(margin, beside / 2), l: (margin?.l ?? 80) + beside / 2 } : margin
}

// Pixels by which the right margin has to grow for the cells of a drawn figure to leave no room free at their sides;
// fewer than 0 where they lack it. Nothing where no bar stands there, or cells are no squares.
function freeBeside({ _fullLayout: layout, _fullData: data }) {
  const heatmaps = data.filter(({ type, visible }) => type === "heatmap" && visible === true)
  const bars = [layout.coloraxis?.colorbar, ...heatmaps.map(({ showscale, colorbar }) => showscale && colorbar)]
  if (!bars.some((bar) => bar && bar.orientation !== "h")) return 0
  let free = 0
  for (const name of new Set(heatmaps.map(({ xaxis, yaxis }) => `${xaxis} ${yaxis}`))) {
    const [across, down] = name.split(" ").map((id) => layout[`${id[0]}axis${id.slice(1)}`])
    if (!down.scaleanchor) return 0
    const { w, h } = layout._size
    free += left(across, w) - (left(down, h) * rangeOf(across)) / rangeOf(down)
  }
  return Math.abs(free) > NOTICED ? Math.floor(free) : 0
}

// Pixels of its place that an axis leaves, so that cells are squares.
function left({ domain, _inputDomain: whole }, length) {
  return (whole[1] - whole[0] - (domain[1] - domain[0])) * length
}

function rangeOf({ range }) {
  return Math.abs(range[1] - range[0])
}
