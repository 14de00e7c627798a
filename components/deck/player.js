"use strict"
// What plays a figure that moves: the same points at one step after another.

const TURN = 700 // milliseconds from one step to the next
const REST = 500 // milliseconds at a step
const STILL = matchMedia("(prefers-reduced-motion: reduce)")

function numbers(values) {
  if (!values?.bdata) return values
  const bytes = Uint8Array.from(atob(values.bdata), (one) => one.charCodeAt(0))
  return values.dtype === "f8" ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer)
}

function player(plot, figure) {
  const steps = figure.frames.map(({ name, data, layout }) => {
    return { name, annotations: layout.annotations, data: data.map(({ x, y }) => ({ x: numbers(x), y: numbers(y) })) }
  })
  const traces = figure.data.map((_, trace) => trace)
  const bar = Object.assign(document.createElement("div"), { className: "player" })
  const button = Object.assign(document.createElement("button"), { textContent: "▶" })
  const range = Object.assign(document.createElement("input"), { type: "range", min: 0, max: steps.length - 1, step: 1 })
  const said = document.createElement("output")
  range.ariaLabel = figure.frames[0].group
  let at = Math.max(0, steps.findIndex(({ name }) => name === figure.layout.meta?.frame)), playing = false

  const tell = () => {
    range.value = at
    said.textContent = `${figure.frames[0].group} ${steps[at].name}`
    button.textContent = playing ? "❚❚" : "▶"
    button.ariaLabel = playing ? "Hold" : "Play"
  }
  const place = (from, to, share) => {
    const between = (name) => steps[to].data.map((trace, i) => {
      const before = steps[from].data[i][name]
      return share === 1 ? trace[name] : trace[name]?.map((value, k) => before[k] + share * (value - before[k]))
    })
    return Plotly.restyle(plot, { x: between("x"), y: between("y") }, traces)
  }
  const turn = async (to) => {
    const from = at
    at = to
    tell()
    const begun = performance.now()
    for (let share = 0; share < 1 && plot.isConnected && at === to; ) {
      await new Promise(requestAnimationFrame)
      share = STILL.matches ? 1 : Math.min(1, (performance.now() - begun) / TURN)
      await place(from, to, share)
    }
    if (plot.isConnected && at === to) await Plotly.relayout(plot, { annotations: steps[to].annotations })
  }
  bar.play = async () => {
    playing = !playing
    if (playing && at === steps.length - 1) await turn(0)
    tell()
    while (playing && plot.isConnected && at < steps.length - 1) {
      await turn(at + 1)
      await new Promise((done) => setTimeout(done, REST))
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
