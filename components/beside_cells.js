// What stands right of square cells, as a colour bar: near them, also where the window is wider than they are high.

const NOTICED = 8 // pixels

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
