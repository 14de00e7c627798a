// A figure of Plotly in an element that stays: what is drawn changes in place.

const NARROWEST = 150 // pixels
const LOWEST = 320 // pixels to which a figure shrinks so that the window does not cut it,
const LEAST = 0.8 // or the share of its height, where that is lower
const STAGE = [1280, 720] // pixels of a window in which a presented figure has type of its own size; larger ones enlarge it
const FULLSCREEN = {
  width: 24,
  height: 24,
  path: "M4 4h6v2H6v4H4V4zm10 0h6v6h-2V6h-4V4zM4 14h2v4h4v2H4v-6zm14 0h2v6h-6v-2h4v-4z",
}

const BY_FINGERS = ["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d"]

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

  // Draw what has come, one after the other; of several that wait, the last.
  show(bytes) {
    const text = new TextDecoder().decode(bytes)
    if (text === this.text) return
    this.text = text
    const { figure, rest } = JSON.parse(text)
    Object.assign(this, rest)
    this.figure = figure
    this.place.setAttribute("aria-label", this.alt)
    this.place.style.height = this.high()
    this.enqueue(figure)
  }

  // How high the place is, in CSS.
  high() {
    if (this.reduced) return `${(this.reduced.height * this.place.clientWidth) / this.reduced.width}px`
    if (this.height === null) return "100%"
    const height = this.drawnFor().layout.height ?? this.height
    return this.isBounded() ? `clamp(${Math.min(LOWEST, LEAST * height)}px, 100vh - ${this.above}px, ${height}px)` : `${height}px`
  }

  // Whether the figure gives way to the window: panels below each other need all of their height.
  isBounded() {
    return this.above !== null && !this.isStacked
  }

  // The figure with its panels as there is room for them; on the whole screen they stand as they are.
  drawnFor(figure = this.figure) {
    this.isStacked = this.height !== null && document.fullscreenElement !== this.place && stacks(figure, this.place.clientWidth)
    return this.isStacked ? stacked(figure) : figure
  }

  enqueue(figure) {
    this.waits = null
    this.newest = figure
    this.place.ariaBusy = "true"
    const draw = () => figure === this.newest && this.draw(figure)
    const over = () => figure === this.newest && (this.place.ariaBusy = "false")
    this.queue = this.queue.then(draw).catch((error) => this.fail(error)).then(over)
  }

  // A figure that is hidden is drawn when there is room for it.
  async draw(figure) {
    this.waits = this.place.clientWidth ? null : figure
    if (this.waits) return
    const plotly = await library()
    await withTexts(figure, this.key, this.texts)
    const { data, layout } = this.reduced ? this.asReduced(figure) : this.drawnFor(figure)
    const first = !this.drawing.on
    const choices = this.ways.length ? choosing(layout, this.ways) : {}
    const ink = getComputedStyle(this.place).color
    const faint = ink.replace("rgb(", "rgba(").replace(")", ", 0.5)")
    const modebar = { bgcolor: "rgba(0, 0, 0, 0)", color: faint, activecolor: ink }
    this.drawing.style.cssText = "" // Plotly measures words while it draws, and would take smaller ones for small
    const own = structuredClone(layout) // Plotly writes later changes into the axes that it is given
    const drawn = { ...own, ...choices, modebar, ...this.room(), margin: this.margin(layout) }
    await plotly.react(this.drawing, data, drawn, this.config())
    if (first) this.listen()
    await this.settle()
    this.scale()
  }

  // The margins of a layout, with what keeps a colour bar near the cells.
  margin(layout) {
    return this.grown(layout.margin, this.beside ?? 0)
  }

  // Where cells stand that leave room beside them: in the middle of a slide, on a page at its left.
  get grown() {
    return this.height === null ? aroundCells : withBeside
  }

  // Have what stands right of square cells near them; a second figure of the same kind is drawn so at once.
  async narrow() {
    if (this.reduced || this.isStacked) return
    await keepBeside(this.drawing, () => this.figure.layout.margin, this, this.grown)
    if (this.height === null) await enlargeValues(this.drawing)
  }

  // What the room that is left says once it is known: of what stands beside cells, and of names along them.
  async settle() {
    await this.narrow()
    if (this.reduced) return
    const { layout } = this.drawnFor()
    const fit = async (changes) => Object.keys(changes).length && window.Plotly.relayout(this.drawing, changes)
    if (this.height !== null) return fit(namesThatFit(this.drawing, layout, drawnSize, SMALLEST_NAME))
    await fit({ ...namesThatFit(this.drawing, layout, sizeOfAll, PRESENTED_NAME), ...rowsThatFit(this.drawing, layout) })
    await fit(namesThatFit(this.drawing, layout, sizeNow, PRESENTED_NAME)) // larger ones take room of the cells
  }

  // A copy for the room that it is drawn for: what changes in it would be changed twice.
  asReduced(figure) {
    const copy = structuredClone(figure)
    Object.assign(copy.layout, this.room(), { autosize: false })
    return fitted(copy, this.reduced.least)
  }

  // The same for the same ways: to Plotly, another function is another figure.
  config() {
    if (this.set?.ways === this.ways.join()) return this.set.config
    const groups = { box: "select2d", lasso: "lasso2d" }
    const touched = window.matchMedia("(hover: none)").matches // there the buttons always stand over the figure
    const unused = Object.keys(groups).filter((way) => !this.ways.includes(way))
    const config = {
      displaylogo: false,
      showSendToCloud: false, // it would send the figure to a server of Plotly
      modeBarButtonsToRemove: ["toImage", ...unused.map((way) => groups[way]), ...(touched ? BY_FINGERS : [])],
      modeBarButtonsToAdd: [
        { name: "Fullscreen", title: "Fullscreen", icon: FULLSCREEN, click: () => this.fullscreen() },
      ],
    }
    this.set = { ways: this.ways.join(), config }
    return config
  }

  listen() {
    const chosen = (event) => this.ways.length && this.choose((event?.points ?? []).map(point))
    this.drawing.on("plotly_selected", (event) => event && chosen(event))
    withMinus(this.drawing)
    this.drawing.on("plotly_deselect", () => chosen(null))
    this.drawing.on("plotly_click", (event) => {
      const draws = this.drawing._fullLayout.clickmode === "event" // where a lasso is at hand, a click selects nothing
      if (draws && this.ways.includes("points")) chosen(event)
    })
  }

  room() {
    const { clientWidth, clientHeight } = this.place
    const fills = this.height === null || this.isBounded() || document.fullscreenElement === this.place
    if (this.reduced) {
      const { width, height } = this.reduced
      return { width, height: fills && clientHeight ? (clientHeight * width) / clientWidth : height }
    }
    const { larger } = this
    const height = fills ? Math.floor(clientHeight / larger) || undefined : (this.drawnFor().layout.height ?? this.height)
    return { width: Math.max(Math.floor(clientWidth / larger), NARROWEST), height }
  }

  // By how much a presented figure is larger than in a window of a laptop, type and marks with it.
  get larger() {
    if (this.reduced || this.height !== null) return 1
    return Math.max(1, Math.min(window.innerWidth / STAGE[0], window.innerHeight / STAGE[1]))
  }

  // Have a figure that is drawn for another room as wide as its place.
  scale() {
    const width = this.reduced ? this.reduced.width : this.larger > 1 && this.room().width
    if (!width) return
    this.drawing.style.cssText =
      `width: ${width}px; transform-origin: 0 0; transform: scale(${this.place.clientWidth / width})`
  }

  // Have the figure as large as there is room; a figure that is hidden keeps its size.
  fit() {
    if (!this.place.clientWidth) return
    const wasStacked = this.isStacked
    this.place.style.height = this.high()
    if (this.waits || (!this.reduced && wasStacked !== this.isStacked)) this.enqueue(this.figure)
    if (!this.drawing.layout) return
    this.scale()
    const { width, height } = this.room()
    const now = this.drawing._fullLayout
    if (now.width === width && (!height || now.height === height)) return
    if (!this.reduced) this.drawing.style.cssText = "" // measured as it is drawn
    const settle = () => this.settle()
    window.Plotly.relayout(this.drawing, { width, height }).then(settle).then(() => this.scale())
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
