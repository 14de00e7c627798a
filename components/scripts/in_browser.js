// What a page needs of the visitor's browser beyond the widgets: word of a change from light to dark, keys
// for the cells of figures, focus that stays where it was when a widget is made anew or the editor is
// closed, Tab into what a button has opened and past the bar, what was written before another page, Back to
// what was there, and a figure that stays under the pointer that clicked it.

const PLOT = '[data-testid="stMain"] .js-plotly-plot'
const HELP = "Arrow keys go from cell to cell, Enter chooses one"
const EDITOR = "st-key-editor" // closed, it gives the focus back to the cell that had opened it
const TEXTS = ".st-key-text-a, .st-key-text-b" // a recipe's text and its name, which are seen with its editor alone
const FOCUSABLE = 'a[href], button:enabled, input:enabled, textarea:enabled, iframe, [tabindex="0"]'
const MOVES = ':not(:is(.st-key-deck-up, .st-key-deck-down) *)' // a slide goes on with every click
const ONCE = `:is(.st-key-deck-whole, .st-key-deck-actions, [class*="st-key-deck-add-"]) button${MOVES}`
const THEMES = '[data-testid^="stMainMenuItem-theme-"]'
const PAGE = '[data-testid="stPageLink-NavLink"]'
const ROW = ".st-key-findings"
const ANSWERED = 5000 // milliseconds in which a click on a figure is answered
const WRITTEN = 100 // milliseconds in which Streamlit takes up what was written into a field that was left

export default function (component) {
  keepHistory()
  const figures = followFigures(component.parentElement)
  const keys = [pinByKey(), enterOpened(), skipBar(), escapeFirst()]
  const presses = [hidePressed(), clickOnce(), writeFirst(), writeOut()]
  const own = [followScheme(component), keepTheme(), figures, keepFocus(), keepPlace(), ...presses, ...keys]
  const stops = [...own, closeBeforeLeaving()]
  return () => stops.forEach((stop) => stop())
}

// Call back when elements have come or gone, once for each drawing of the window; gives what ends that.
function onChanges(callback) {
  let waits = false
  const observer = new MutationObserver(() => {
    if (waits) return
    waits = true
    requestAnimationFrame(() => {
      waits = false
      callback()
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

// Have Back go to the page before as it was: one entry for each thing the visitor does, but for what is typed,
// for which Streamlit (1.67) makes none. It makes three on the way to another page, two of them without recipes,
// and on the way back takes what the address says away. Once for as long as the window has this document.
function keepHistory() {
  if (history.pushState.once) return
  const { pushState } = history
  let acted = true
  let here = location.pathname
  const act = () => (acted = true)
  document.addEventListener("pointerdown", act, true)
  document.addEventListener("keydown", act, true)
  history.pushState = function (...entry) {
    if (acted) pushState.apply(history, entry)
    else history.replaceState(...entry)
    acted = false
    here = location.pathname
  }
  history.pushState.once = true
  const back = (event) => {
    if (location.pathname === here) return
    event.stopImmediatePropagation()
    location.reload()
  }
  window.addEventListener("popstate", back, true)
}

// Remember a theme that is chosen for all pages: Streamlit (1.67) does for the one that was loaded alone.
function keepTheme() {
  const key = (path) => `stActiveTheme-${path}-v2`
  const [{ name }] = performance.getEntriesByType("navigation")
  const remember = () => {
    const theme = localStorage.getItem(key(new URL(name).pathname))
    const first = new URL(".", location.href).pathname // of the page one arrives at, whose links say nothing
    const paths = [...document.querySelectorAll(PAGE)].map(({ pathname }) => pathname)
    for (const path of [first, `${first}compare`, ...paths]) {
      if (theme === null) localStorage.removeItem(key(path))
      else localStorage.setItem(key(path), theme)
    }
  }
  const choose = ({ target }) => target.closest?.(THEMES) && setTimeout(remember)
  document.addEventListener("click", choose)
  return () => document.removeEventListener("click", choose)
}

// Have the page drawn anew when it is shown in another scheme than its figures were drawn for.
function followScheme({ data, setTriggerValue }) {
  const app = document.querySelector('[data-testid="stApp"]')
  let told = data.drawn
  const look = () => {
    const shown = getComputedStyle(app).colorScheme
    if (shown !== told && ["light", "dark"].includes(shown)) {
      told = shown
      setTriggerValue("scheme", shown)
    }
  }
  const observer = new MutationObserver(look)
  observer.observe(app, { attributes: true, attributeFilter: ["class", "style"] })
  look()
  return () => observer.disconnect()
}

// A double click on a button that changes the deck is one click: at the second, the same button may already
// stand for another slide, which the visitor has not seen.
function clickOnce() {
  const click = (event) => {
    if (event.detail > 1 && event.target.closest?.(ONCE)) event.stopImmediatePropagation()
  }
  document.addEventListener("click", click, true)
  return () => document.removeEventListener("click", click, true)
}

// The press that leaves a field may be the one that opens another page. If it is short, Streamlit (1.67) asks for
// that page, then for what was written, on the page before: both would be lost. So the page waits a moment.
function writeFirst() {
  let left = -WRITTEN
  const leave = ({ target }) => {
    if (target.matches("input, textarea")) left = performance.now()
  }
  const click = (event) => {
    const page = event.target.closest?.(PAGE)
    const wait = left + WRITTEN - performance.now()
    if (!page || wait <= 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    setTimeout(() => page.click(), wait)
  }
  document.addEventListener("focusout", leave, true)
  document.addEventListener("click", click, true)
  return () => {
    document.removeEventListener("focusout", leave, true)
    document.removeEventListener("click", click, true)
  }
}

// A click on a figure may give a page its second one, and so the row of findings over both: the figure stays
// under the pointer, and the page goes up behind it. Browsers do so themselves but for a page at its very
// beginning. The press tells: Plotly keeps the click.
function keepPlace() {
  const height = () => document.querySelector(ROW)?.offsetHeight ?? 0
  let until = 0
  const press = ({ target }) => {
    const figure = target.closest?.(PLOT)
    if (!figure) return
    const isWatching = performance.now() < until
    until = performance.now() + ANSWERED
    if (isWatching) return
    let [before, top] = [height(), figure.getBoundingClientRect().top]
    const look = (now) => {
      if (now > until || !figure.isConnected) return
      const [row, place] = [height(), figure.getBoundingClientRect().top]
      if (row !== before) figure.closest('[data-testid="stMain"]').scrollBy(0, place - top)
      ;[before, top] = [row, figure.getBoundingClientRect().top]
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }
  document.addEventListener("pointerdown", press, true)
  return () => document.removeEventListener("pointerdown", press, true) // what is watched goes on in the next run
}

// Let Tab reach every figure that has cells, now and when figures come or change.
function followFigures(place) {
  const status = place.querySelector("[role=status]")
  const installed = new Map()
  const install = () => {
    for (const [plot, remove] of installed) {
      if (!plot.isConnected) {
        remove()
        installed.delete(plot)
      }
    }
    for (const plot of document.querySelectorAll(PLOT)) {
      if (!installed.has(plot) && panels(plot).length) installed.set(plot, withKeys(plot, status))
    }
  }
  const stop = onChanges(install)
  install()
  return () => {
    stop()
    installed.forEach((remove) => remove())
  }
}

// The key P presses Pin of the figure under the pointer or with the focus, else of the one nearest to the
// middle of the window.
function pinByKey() {
  let pointed = null
  const point = ({ target }) => (pointed = target.closest?.(".stPlotlyChart") ?? null)
  const figureOf = () => {
    const charts = [...document.querySelectorAll(".stPlotlyChart")].filter((one) => one.checkVisibility())
    const off = (one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return Math.abs((top + bottom - innerHeight) / 2)
    }
    const focused = document.activeElement.closest(".stPlotlyChart")
    return [pointed, focused].find((one) => charts.includes(one)) ?? charts.sort((a, b) => off(a) - off(b))[0]
  }
  const press = (event) => {
    if (event.key.toLowerCase() !== "p" || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return
    const inText = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox]"
    if (document.activeElement.matches(inText)) return
    const named = figureOf()?.closest("[class*=st-key-]")
    const name = [...(named?.classList ?? [])].find((one) => one.startsWith("st-key-"))
    const key = name?.replace("st-key-present-", "st-key-")
    document.querySelector(`.${key}-pin button`)?.click()
  }
  document.addEventListener("pointermove", point)
  document.addEventListener("keydown", press)
  return () => {
    document.removeEventListener("pointermove", point)
    document.removeEventListener("keydown", press)
  }
}

// Have Tab go from a button into what it has opened: a popover stands at the end of the document, and the
// bar's editor below both rows of cells.
function enterOpened() {
  const enter = (event) => {
    if (event.key !== "Tab" || event.shiftKey) return
    const inside = [...(opened(document.activeElement)?.querySelectorAll(FOCUSABLE) ?? [])]
    const first = inside.find((one) => one.checkVisibility())
    if (!first) return
    event.preventDefault()
    first.focus()
  }
  document.addEventListener("keydown", enter)
  return () => document.removeEventListener("keydown", enter)
}

// "Skip to main content" leads behind the bar, to the title of the page: Streamlit's main begins before it.
function skipBar() {
  const skip = (event) => {
    if (!event.target.closest?.('[data-testid="stSkipToContent"]')) return
    const titles = document.querySelectorAll('[data-testid="stMain"] h1')
    const title = [...titles].find((one) => one.checkVisibility())
    if (!title) return
    event.preventDefault()
    event.stopImmediatePropagation()
    title.tabIndex = -1
    title.focus()
  }
  document.addEventListener("click", skip, true)
  return () => document.removeEventListener("click", skip, true)
}

function opened(button) {
  const [editor] = document.getElementsByClassName(EDITOR)
  const name = button?.closest(".st-key-cell-a, .st-key-cell-b") // a button of Streamlit's, which says nothing
  if (name) return name.classList.contains(`st-key-cell-${editing()}`) ? editor : undefined
  if (button?.getAttribute("aria-expanded") !== "true") return undefined
  if (button.closest(".cells")) return editor
  return button.closest('[data-testid="stPopover"]') && document.querySelector('[data-testid="stPopoverBody"]')
}

// What the editor is open for: "a.layers" for a cell, "a" for a name; nothing where it is closed.
function editing() {
  return new URLSearchParams(location.search).get("edit")
}

function named(element) {
  return element.getAttribute("aria-label") || element.textContent.trim()
}

// The heatmaps of a figure from left to right, one for each pair of axes: the bounds of their cells. Where squares that
// nobody sees take the pointer's place of many cells each, as one head's of all its tokens, these are the cells.
function panels(plot) {
  const found = new Map()
  for (const [cells] of plot.calcdata ?? []) {
    const trace = cells?.trace
    if (trace?.type !== "heatmap" || !trace.visible || !cells.z?.length || !cells.z[0].length) continue
    const x = plot._fullLayout[trace.xaxis.replace("x", "xaxis")]
    const y = plot._fullLayout[trace.yaxis.replace("y", "yaxis")]
    const name = trace.xaxis + trace.yaxis
    if (!found.has(name)) found.set(name, { name, x, y, right: cells.x, down: cells.y })
  }
  for (const [first, ...rest] of plot.calcdata ?? []) {
    const panel = found.get((first?.trace?.xaxis ?? "") + (first?.trace?.yaxis ?? ""))
    if (first?.trace?.type !== "scatter" || first.trace.marker?.opacity !== 0 || !panel) continue
    const points = [first, ...rest]
    const [right, down] = [between(points.map(({ x }) => x)), between(points.map(({ y }) => y))]
    if (2 * right.length <= panel.right.length && 2 * down.length <= panel.down.length) Object.assign(panel, { right, down })
  }
  return [...found.values()].sort((one, other) => one.x._offset - other.x._offset)
}

// The bounds of cells around evenly spaced places, some of which stand several times.
function between(places) {
  const each = [...new Set(places)].sort((one, other) => one - other)
  const half = each.length > 1 ? (each[1] - each[0]) / 2 : 0.5
  return [each[0] - half, ...each.map((place) => place + half)]
}

// Keys for one figure; gives what takes them away again.
function withKeys(plot, status) {
  const at = { panel: 0, row: 0, column: 0 }
  const cursor = document.createElement("div")
  cursor.style.cssText =
    "position:absolute;pointer-events:none;display:none;z-index:5;" +
    "outline:2px solid #fff;box-shadow:0 0 0 4px #1d2430;border-radius:1px"
  plot.appendChild(cursor)
  plot.tabIndex = 0
  plot.setAttribute("role", "application")
  plot.setAttribute("aria-label", HELP)

  const show = () => {
    const all = panels(plot)
    const panel = all[(at.panel = clamp(at.panel, all.length))]
    const rows = downwards(panel)
    at.row = clamp(at.row, rows.length)
    at.column = clamp(at.column, panel.right.length - 1)
    const box = boxOf(panel, rows[at.row], at.column)
    const whole = plot.getBoundingClientRect()
    Object.assign(cursor.style, {
      display: "block",
      left: `${box.left}px`,
      top: `${box.top}px`,
      width: `${box.width}px`,
      height: `${box.height}px`,
    })
    const point = {
      bubbles: true,
      clientX: whole.x + box.left + box.width / 2,
      clientY: whole.y + box.top + box.height / 2,
    }
    const area = plot.querySelector(`.nsewdrag[data-subplot="${panel.name}"]`)
    area.dispatchEvent(new MouseEvent("mousemove", point))
    setTimeout(() => {
      const said = [...plot.querySelectorAll(".hoverlayer text")].flatMap((text) => {
        const lines = [...text.querySelectorAll("tspan.line")]
        return lines.length ? lines : [text]
      })
      const lines = said.map((one) => one.textContent.trim()).filter(Boolean)
      status.textContent = [...new Set(lines)].join(" ")
    }, 150)
    return { area, point }
  }

  const press = (event) => {
    if (event.target !== plot || event.altKey || event.ctrlKey || event.metaKey) return
    const all = panels(plot)
    if (!all.length) return
    const width = all[clamp(at.panel, all.length)].right.length - 1
    const moves = {
      ArrowUp: () => at.row--,
      ArrowDown: () => at.row++,
      ArrowLeft: () => (at.column > 0 || at.panel === 0 ? at.column-- : ((at.column = Infinity), at.panel--)),
      ArrowRight: () =>
        at.column < width - 1 || at.panel === all.length - 1 ? at.column++ : ((at.column = 0), at.panel++),
      Home: () => (at.column = 0),
      End: () => (at.column = width - 1),
      Enter: () => {},
      " ": () => {},
    }
    if (!(event.key in moves)) return
    event.preventDefault()
    event.stopPropagation()
    moves[event.key]()
    const { area, point } = show()
    if (event.key === "Enter" || event.key === " ") {
      setTimeout(() => {
        area.dispatchEvent(new MouseEvent("mousedown", { ...point, buttons: 1 }))
        document.dispatchEvent(new MouseEvent("mouseup", point))
      }, 120) // Plotly finds the point under a pointer that stands still
    }
  }
  const arrive = () => plot.matches(":focus-visible") && panels(plot).length && show()
  const leave = () => {
    cursor.style.display = "none"
    if (plot._fullLayout) window.Plotly.Fx.unhover(plot)
  }
  plot.addEventListener("keydown", press)
  plot.addEventListener("focus", arrive)
  plot.addEventListener("blur", leave)
  return () => {
    plot.removeEventListener("keydown", press)
    plot.removeEventListener("focus", arrive)
    plot.removeEventListener("blur", leave)
    cursor.remove()
    plot.removeAttribute("tabindex")
  }
}

// The rows of a panel as they stand one below the other.
function downwards(panel) {
  const rows = [...Array(panel.down.length - 1).keys()]
  const top = (row) => panel.y.c2p(panel.down[row])
  return rows.sort((one, other) => top(one) - top(other))
}

function boxOf({ x, y, right, down }, row, column) {
  const across = [right[column], right[column + 1]].map((value) => x._offset + x.c2p(value))
  const along = [down[row], down[row + 1]].map((value) => y._offset + y.c2p(value))
  return {
    left: Math.min(...across),
    top: Math.min(...along),
    width: Math.abs(across[1] - across[0]),
    height: Math.abs(along[1] - along[0]),
  }
}

function clamp(value, count) {
  return Math.max(0, Math.min(value, count - 1))
}
