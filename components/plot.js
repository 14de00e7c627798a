// A figure of Plotly in an element that stays: what is drawn changes in place.

const NARROWEST = 150 // pixels
const FULLSCREEN = {
  width: 24,
  height: 24,
  path: "M4 4h6v2H6v4H4V4zm10 0h6v6h-2V6h-4V4zM4 14h2v4h4v2H4v-6zm14 0h2v6h-6v-2h4v-4z",
}

const plots = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  if (!plots.has(parentElement)) plots.set(parentElement, new Plot(parentElement))
  const plot = plots.get(parentElement)
  plot.choose = (points) => setTriggerValue("chosen", points)
  plot.show(data)
  // Streamlit calls this too when another call has overtaken this one; the element stays then.
  return () => setTimeout(() => parentElement.isConnected || plot.remove())
}

class Plot {
  constructor(parent) {
    this.place = document.createElement("div")
    this.place.className = "stPlotlyChart"
    this.place.dataset.testid = "stPlotlyChart"
    this.place.setAttribute("role", "figure")
    this.place.style.cssText = "width: 100%; overflow: hidden"
    this.drawing = document.createElement("div")
    this.place.append(this.drawing)
    parent.append(this.place)
    this.queue = Promise.resolve()
    this.observer = new ResizeObserver(() => requestAnimationFrame(() => this.fit()))
    this.observer.observe(this.place)
  }

  // Draw what has come in the order in which it came; of several that wait, the last.
  show(data) {
    this.place.setAttribute("aria-label", data.alt)
    this.place.style.height = data.height === null ? "100%" : `${data.height}px`
    const changed = data.figure !== this.data?.figure || data.height !== this.data?.height
    this.data = data
    if (!changed) return
    this.queue = this.queue.then(() => data === this.data && this.draw(data)).catch((error) => this.fail(error))
  }

  async draw(data) {
    const plotly = await library()
    const { data: traces, layout } = JSON.parse(data.figure)
    const { width, height } = this.room()
    const first = !this.drawing.on
    await plotly.react(
      this.drawing,
      traces,
      { ...layout, ...(data.ways.length ? choosing(layout, data.ways) : {}), width, height },
      this.config(data),
    )
    if (first) this.listen()
  }

  // The same for the same ways: to Plotly, another function is another figure.
  config({ ways }) {
    if (this.ways === ways.join()) return this.set
    this.ways = ways.join()
    const groups = { box: "select2d", lasso: "lasso2d" }
    const unused = Object.keys(groups).filter((way) => !ways.includes(way))
    this.set = {
      displaylogo: false,
      modeBarButtonsToRemove: ["toImage", ...unused.map((way) => groups[way])],
      modeBarButtonsToAdd: [
        { name: "Fullscreen", title: "Fullscreen", icon: FULLSCREEN, click: () => this.fullscreen() },
      ],
    }
    return this.set
  }

  listen() {
    const chosen = (event) => this.data.ways.length && this.choose((event?.points ?? []).map(point))
    this.drawing.on("plotly_selected", (event) => event && chosen(event))
    this.drawing.on("plotly_deselect", () => chosen(null))
  }

  room() {
    const { clientWidth, clientHeight } = this.place
    const high = this.data.height === null || document.fullscreenElement === this.place
    return { width: Math.max(clientWidth, NARROWEST), height: high ? clientHeight || undefined : this.data.height }
  }

  // Have the figure as large as there is room; a figure that is hidden keeps its size.
  fit() {
    if (!this.drawing.layout || !this.place.clientWidth) return
    const { width, height } = this.room()
    const now = this.drawing._fullLayout
    if (now.width !== width || (height && now.height !== height)) {
      window.Plotly.relayout(this.drawing, { width, height })
    }
  }

  fullscreen() {
    if (document.fullscreenElement) return document.exitFullscreen()
    this.place.style.background = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor
    return this.place.requestFullscreen()
  }

  fail(error) {
    this.drawing.textContent = error.message
  }

  remove() {
    this.observer.disconnect()
    if (this.drawing.on) window.Plotly.purge(this.drawing)
    this.place.remove()
  }
}

// What of the layout lets a visitor choose points.
function choosing({ dragmode, hovermode }, ways) {
  const drag = dragmode || (ways.includes("points") ? "pan" : ways[0] === "box" ? "select" : "lasso")
  return {
    dragmode: drag,
    clickmode: ["select", "lasso"].includes(drag) ? "event" : "event+select",
    hovermode: hovermode || "closest",
  }
}

function point({ curveNumber, pointIndex, pointNumber, x, y, customdata }) {
  return { curve_number: curveNumber, point_index: pointIndex ?? pointNumber, x, y, customdata }
}
