// Panels beside each other that a narrow window has no room for: one under the other.

// Whether a figure's panels stand one under the other in a place so wide: it says from which width on they need not.
function stacks({ layout }, width) {
  return width < (layout.meta?.stacks ?? 0)
}

// A copy whose panels are as high as they were, each with its title and its own names of rows.
function stacked({ data, layout }) {
  const panels = panelsOf(layout)
  const { t, b, l, r } = layout.margin
  const high = layout.height - t - b
  const bars = data.flatMap(({ colorbar, xaxis = "x" }, trace) => (colorbar ? [{ trace, panel: panels.indexOf(xaxis) }] : []))
  const under = (panel) => bars.some((bar, i) => last(i) === panel)
  const last = (i) => (bars[i + 1]?.panel ?? panels.length) - 1 // of the panels that share a bar, which stand together
  const tops = [0]
  for (let panel = 0; panel < panels.length; panel++) tops.push(tops[panel] + high + t + (under(panel) ? b : 0))
  const whole = tops.at(-1) - t - (under(panels.length - 1) ? b : 0)
  const upwards = (pixels) => 1 - pixels / whole
  const first = layout.yaxis
  const moved = { ...layout, height: whole + t + b, margin: { t, b, l, r } }
  panels.forEach((name, panel) => {
    const x = name.replace("x", "xaxis")
    const y = name.replace("x", "yaxis")
    const { tickvals, ticktext, tickfont } = first
    moved[x] = { ...layout[x], domain: [0, 1] }
    moved[y] = { ...layout[y], tickvals, ticktext, tickfont, showticklabels: true }
    moved[y].domain = [Math.max(0, upwards(tops[panel] + high)), Math.min(1, upwards(tops[panel]))]
  })
  const placed = [...data]
  bars.forEach(({ trace }, i) => {
    const colorbar = { ...data[trace].colorbar, x: 0.5, len: 0.5, y: upwards(tops[last(i)] + high + 4) }
    placed[trace] = { ...data[trace], colorbar }
  })
  return { data: placed, layout: moved }
}

// The names of the horizontal axes, from left to right.
function panelsOf(layout) {
  const names = Object.keys(layout).filter((name) => /^xaxis\d*$/.test(name) && layout[name].domain)
  return names.sort((one, other) => layout[one].domain[0] - layout[other].domain[0]).map((name) => name.replace("axis", ""))
}
