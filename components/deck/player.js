"use strict"
// What plays a figure that moves: the same points at one step after another.

const TURN = 700 // milliseconds from one step to the next at most
const REST = 500 // milliseconds at a step at most
const WHOLE = 14000 // milliseconds that a figure plays, about: many steps are turned faster
const STILL = matchMedia("(prefers-reduced-motion: reduce)")

const KINDS = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array, i2: Int16Array, u2: Uint16Array,
  i1: Int8Array, u1: Uint8Array }

// Numbers as Plotly writes them: a list, a list of rows, or bytes.
function numbers(values) {
  if (!values?.bdata) return values
  const bytes = Uint8Array.from(atob(values.bdata), (one) => one.charCodeAt(0))
  const flat = new KINDS[values.dtype](bytes.buffer)
  if (!values.shape) return flat
  const [rows, columns] = String(values.shape).split(",").map(Number)
  return Array.from({ length: rows }, (_, row) => flat.subarray(row * columns, (row + 1) * columns))
}

// Between two steps; what is not there at both, or is of another length, comes with the next one.
function between(before, after, share) {
  if (share === 1 || !before || !after || before.length !== after.length) return after
  return Array.from(after, (value, k) => {
    if (value?.length !== undefined) return between(before[k], value, share)
    const from = before[k]
    return Number.isFinite(from) && Number.isFinite(value) ? from + share * (value - from) : value
  })
}

function player(plot, figure) {
  const steps = figure.frames.map(({ name, data, layout }) => {
    const moved = data.map((trace) => ({ ...trace, x: numbers(trace.x), y: numbers(trace.y), z: numbers(trace.z) }))
    return { name, annotations: layout.annotations, data: moved }
  })
  const traces = figure.frames[0].traces ?? figure.data.map((_, trace) => trace)
  const moves = ["x", "y", "z"].filter((name) => steps.some(({ data }) => data.some((trace) => trace[name])))
  const written = ["text", "textposition"].filter((name) => steps.some(({ data }) => data.some((trace) => trace[name])))
  const pace = Math.min(1, WHOLE / (steps.length * (TURN + REST)))
  const bar = Object.assign(document.createElement("div"), { className: "player" })
  const button = Object.assign(document.createElement("button"), { textContent: "▶" })
  const range = Object.assign(document.createElement("input"), { type: "range", min: 0, max: steps.length - 1, step: 1 })
  const said = document.createElement("output")
  range.ariaLabel = figure.frames[0].group
  let at = Math.max(0, steps.findIndex(({ name }) => name === figure.layout.meta?.frame)), playing = false

  const shown = () => plot.isConnected && plot.data // Plotly takes the data from a plot that is let go
  const tell = () => {
    range.value = at
    said.textContent = `${figure.frames[0].group} ${steps[at].name}`
    button.textContent = playing ? "❚❚" : "▶"
    button.ariaLabel = playing ? "Hold" : "Play"
  }
  const place = (from, to, share) => {
    const update = {}
    for (const name of moves) {
      update[name] = steps[to].data.map((trace, i) => between(steps[from].data[i][name], trace[name], share))
    }
    for (const name of written) update[name] = steps[share < 0.5 ? from : to].data.map((trace) => trace[name])
    return Plotly.restyle(plot, update, traces)
  }
  const turn = async (to) => {
    const from = at
    at = to
    tell()
    const begun = performance.now()
    for (let share = 0; share < 1 && at === to; ) {
      await new Promise(requestAnimationFrame)
      if (!shown()) return
      share = STILL.matches ? 1 : Math.min(1, (performance.now() - begun) / (TURN * pace))
      await place(from, to, share)
    }
    if (shown() && at === to) await Plotly.relayout(plot, { annotations: steps[to].annotations })
  }
  bar.play = async () => {
    playing = !playing
    if (playing && at === steps.length - 1) await turn(0)
    tell()
    while (playing && shown() && at < steps.length - 1) {
      await turn(at + 1)
      await new Promise((done) => setTimeout(done, REST * pace))
    }
    if (at === steps.length - 1) playing = false
    tell()
  }
  button.onclick = bar.play
  range.oninput = () => ((playing = false), turn(Number(range.value)))
  bar.append(button, range, said)
  tell()
  return bar
}
