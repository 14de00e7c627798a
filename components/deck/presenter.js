"use strict"
// A deck that fills the window, can be read from top to bottom, and is printed with one slide a page.

const DECK = JSON.parse(document.getElementById("deck").textContent)
const LOOK = JSON.parse(document.getElementById("look").textContent)
const root = document.documentElement
const slides = [...document.querySelectorAll(".slide")]
const NARROWEST = 960 // pixels of a figure's own width that are never gone below
const SHRUNK = 0.85 // a figure is magnified by this at least in a window 720 pixels high, if it is squeezed for it
const SMALLEST = 0.0168 // of the window's height: the smallest type in a figure
const LEAST = 1.7 // of a hundredth of the height: the smallest type of words and tables
const LARGEST = 6.5 // the same: type of a table alone on its slide, if every cell is one line
const PLAYER = 0.06 // of a figure's room: what plays it
const PRINTED = 1.2 // how high a page is for a room of a figure of height 1
const CONFIG = { displayModeBar: false, showSendToCloud: false, doubleClick: "reset" }

let at = 0
let speaker = null
let begun = null

// Figures ------------------------------------------------------------------------------------------------

// Part of a figure in the colours of dark ground: fonts and spans as texts have them.
function onDark(part, ofText = false) {
  if (Array.isArray(part)) return part.map((one) => onDark(one, ofText))
  if (part && typeof part === "object") {
    const recoloured = ([key, value]) => [key, onDark(value, ofText || key.endsWith("font"))]
    return Object.fromEntries(Object.entries(part).map(recoloured))
  }
  if (typeof part !== "string") return part
  const inSpan = (whole, light) => `color:${LOOK.texts[light] ?? light}`
  return (ofText ? LOOK.texts : LOOK.dark)[part] ?? part.replace(/color:(#[0-9A-Fa-f]{6})\b/g, inSpan)
}

function coloured(figure) {
  const drawn = root.dataset.theme === "dark" ? onDark(figure.plotly) : structuredClone(figure.plotly)
  Object.assign(drawn.layout, { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" })
  drawn.layout.template = structuredClone(LOOK.template[root.dataset.theme])
  return drawn
}

// A figure as large as its room: drawn at the size it is designed for, and magnified as a whole. Plotly measures
// words while it draws, and would take magnified ones for larger: it is magnified when it is drawn.
function measured(figure, width, height, whole) {
  const scale = Math.min(Math.max(height / figure.height, (SHRUNK * whole) / 720), width / NARROWEST)
  const drawn = coloured(figure)
  Object.assign(drawn.layout, { width: width / scale, height: height / scale, autosize: false })
  return { ...fitted(drawn, (SMALLEST * whole) / scale), scale }
}

async function draw(room, width, height, whole) {
  const figure = DECK.figures[room.dataset.figure]
  const moves = figure.plotly.frames?.length > 1 && root.dataset.mode !== "print"
  const drawn = measured(figure, width, moves ? height * (1 - PLAYER) : height, whole)
  erase(room)
  const plot = room.appendChild(document.createElement("div"))
  plot.className = "plot"
  plot.style.cssText = `width:${drawn.layout.width}px;height:${drawn.layout.height}px;visibility:hidden`
  const { margin } = drawn.layout
  await Plotly.newPlot(plot, drawn.data, drawn.layout, { ...CONFIG, plotGlPixelRatio: 2 * drawn.scale })
  await keepBeside(plot, () => margin, {}, aroundCells)
  withMinus(plot)
  Object.assign(plot.style, { transform: `scale(${drawn.scale})`, visibility: "" })
  if (moves) room.append(player(plot, readable(coloured(figure), (SMALLEST * whole) / drawn.scale)))
}

async function picture(room, width, height, whole = PRINTED * height) {
  const { data, layout, scale } = measured(DECK.figures[room.dataset.figure], width, height, whole)
  const size = { width: layout.width, height: layout.height, scale }
  const drawing = { data, layout: { ...layout, margin: await besideIn(data, layout) }, config: { staticPlot: true } }
  return Plotly.toImage(drawing, { format: "svg", ...size })
}

// The margins with which a colour bar stands near square cells, found by drawing them.
async function besideIn(data, layout) {
  if (!Object.values(layout).some((axis) => axis?.scaleanchor)) return layout.margin
  const plot = document.body.appendChild(document.createElement("div"))
  plot.style.cssText = "position:absolute;left:-99999px"
  const kept = {}
  await Plotly.newPlot(plot, structuredClone(data), structuredClone(layout), { staticPlot: true })
  await keepBeside(plot, () => layout.margin, kept, aroundCells)
  Plotly.purge(plot)
  plot.remove()
  return aroundCells(layout.margin, kept.beside)
}

function erase(room) {
  for (const plot of room.querySelectorAll(".plot")) Plotly.purge(plot)
  room.replaceChildren()
  delete room.dataset.drawn
}

function rooms(slide) {
  return [...slide.querySelectorAll(".room")]
}

function key() {
  return [root.dataset.mode, root.dataset.theme, innerWidth, innerHeight].join()
}

async function drawSlide(slide) {
  for (const room of rooms(slide)) {
    if (room.dataset.drawn === key()) continue
    const { width, height } = room.getBoundingClientRect()
    if (width < 10 || height < 10) continue
    room.dataset.drawn = key()
    const whole = { present: innerHeight, print: PRINTED * height }[root.dataset.mode] ?? height
    await draw(room, width, height, whole).catch((error) => {
      room.textContent = `This figure cannot be drawn: ${error.message}`
    })
    room.dataset.drawn = key()
  }
}

// Words and tables as large as their room allows; rows that no size lets in are counted.
function fit(slide) {
  for (const words of slide.querySelectorAll(".words")) {
    words.style.fontSize = ""
    words.classList.remove("larger")
    for (const row of words.querySelectorAll("tr[hidden]")) row.hidden = false
    words.querySelector(".more")?.remove()
    if (root.dataset.mode === "read") continue
    const unit = root.dataset.mode === "print" ? 9 : Math.min(innerHeight / 100, (innerWidth * 0.5625) / 100)
    const tall = () => words.scrollHeight > words.clientHeight + 1 || words.scrollWidth > words.clientWidth + 1
    const most = words.classList.contains("alone") ? 4 : 2.6
    if (most < 4) words.style.maxHeight = `${14 * unit}px`
    if (words.classList.contains("tabled")) {
      words.classList.add("larger")
      if (largest(most, LARGEST)) continue
      words.classList.remove("larger")
    }
    largest(LEAST, most)

    // The largest size from `low` to `high`, in tenths, that fits; `low`, and false, where none does.
    function largest(low, high) {
      const fits = (tenths) => ((words.style.fontSize = `${(tenths / 10) * unit}px`), !tall())
      let [from, to] = [Math.round(10 * low), Math.round(10 * high)]
      while (from < to) {
        const middle = Math.ceil((from + to) / 2)
        if (fits(middle)) from = middle
        else to = middle - 1
      }
      return fits(from)
    }
    const rows = [...words.querySelectorAll("tbody tr")]
    if (!tall() || !rows.length) continue
    const more = words.appendChild(document.createElement("p"))
    more.className = "more"
    let hidden = 0
    while (tall() && rows.length > 1) {
      rows.pop().hidden = true
      more.textContent = `… and ${++hidden} more ${hidden === 1 ? "row, which is" : "rows, which are"} in the file`
    }
  }
}

// Going from slide to slide ------------------------------------------------------------------------------

async function go(to) {
  at = Math.max(0, Math.min(to, slides.length - 1))
  slides.forEach((slide, place) => {
    slide.classList.toggle("at", place === at)
    slide.inert = root.dataset.mode === "present" && place !== at
    if (root.dataset.mode === "present" && Math.abs(place - at) > 1) rooms(slide).forEach(erase)
  })
  root.classList.remove("black")
  try { history.replaceState(null, "", `#${at + 1}`) } catch { /* a page inside another has no address */ }
  if (root.dataset.mode === "read") slides[at]?.scrollIntoView()
  if (root.dataset.mode !== "present" || !slides.length) return
  begun ??= Date.now()
  fit(slides[at])
  await drawSlide(slides[at])
  tellSpeaker()
  const next = slides[at + 1]
  if (next) setTimeout(() => next === slides[at + 1] && root.dataset.mode === "present" && drawSlide(next), 150)
}

function toMode(mode) {
  slides.forEach((slide) => rooms(slide).forEach(erase))
  root.dataset.mode = mode
  seen.disconnect()
  if (mode === "read") {
    for (const room of document.querySelectorAll(".room")) {
      room.style.height = `${Math.min(DECK.figures[room.dataset.figure].height * 1.15, 760)}px`
      seen.observe(room)
    }
  } else for (const room of document.querySelectorAll(".room")) room.style.height = ""
  slides.forEach((slide) => ((slide.inert = false), mode !== "print" && fit(slide)))
  return go(at)
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) drawSlide(target.closest(".slide"))
      else erase(target)
    }
  },
  { rootMargin: "400px" },
)

// Everything drawn as pictures of pages of 1600 × 900; then it can be printed.
async function printable() {
  const back = asPages()
  for (const slide of slides) {
    for (const room of rooms(slide)) {
      const { width, height } = room.getBoundingClientRect()
      const image = new Image()
      image.alt = DECK.figures[room.dataset.figure].alt
      image.src = await picture(room, width, height)
      await image.decode().catch(() => {})
      room.replaceChildren(image)
    }
  }
  return back
}

// All slides as pages, without their figures; what is given shows again what was there before.
function asPages() {
  const { theme, mode } = root.dataset
  root.dataset.theme = "light"
  toMode("print")
  for (const slide of slides) fit(slide)
  return () => ((root.dataset.theme = theme), toMode(mode))
}

async function print() {
  const back = await printable()
  addEventListener("afterprint", back, { once: true })
  window.print()
}

// The browser's own menu waits for no picture: figures are drawn before the event ends.
function beforePrint() {
  if (root.dataset.mode === "print") return
  const back = asPages()
  slides.forEach(drawSlide)
  addEventListener("afterprint", back, { once: true })
}

addEventListener("beforeprint", beforePrint)

// The window of who presents -----------------------------------------------------------------------------

function openSpeaker() {
  speaker = window.open("", "strata-speaker", "width=1100,height=700")
  if (!speaker) return
  speaker.document.title = "Notes"
  const style = speaker.document.createElement("style")
  style.textContent = `* { box-sizing: border-box; } body { margin: 0; padding: 1.2rem; height: 100vh; display: grid;
    grid-template: minmax(0, 1fr) / 3fr 2fr; gap: 1rem 2rem; font: 20px/1.4 Helvetica, Arial, sans-serif;
    background: #14181f; color: #f3f4f6; } h1 { font-size: 1.3rem; margin: 0; } main { overflow: auto; }
    aside { display: flex; flex-direction: column; min-width: 0; } .note { font-size: 1.35rem; } .faint { color: #aab2be; }
    #times { display: flex; gap: 2rem; } #times p { margin: 0; font-size: 1rem; color: #aab2be; } #times b { display: block;
    font: 2rem/1.2 Helvetica, Arial, sans-serif; font-variant-numeric: tabular-nums; color: #f3f4f6; } a { color: #56b4e9; }
    #preview { display: flex; gap: .5rem; align-items: start; min-height: 0; } #preview:not(:empty) { background: #fff; }
    img { flex: 1 1 0; min-width: 0; max-height: 100%; object-fit: contain; }`
  speaker.document.head.replaceChildren(style)
  const part = (name, id) => Object.assign(speaker.document.createElement(name), { id })
  const left = part("main", "now"), right = part("aside", "later")
  left.append(part("h1", "title"), part("p", "place"), part("div", "note"))
  right.append(part("div", "times"), part("p", "next"), part("div", "preview"))
  for (const [id, label] of [["clock", "time of day"], ["elapsed", "since the start"]]) {
    const time = speaker.document.createElement("p")
    time.append(label, part("b", id))
    right.firstChild.append(time)
  }
  speaker.document.body.replaceChildren(left, right)
  speaker.onkeydown = press
  tellSpeaker()
}

async function tellSpeaker() {
  if (!speaker || speaker.closed) return
  const find = (id) => speaker.document.getElementById(id)
  const title = (slide) => slide?.dataset.called ?? ""
  find("title").textContent = title(slides[at])
  find("place").textContent = `${at + 1} / ${slides.length}`
  find("note").className = "note"
  find("note").innerHTML = slides[at].querySelector(".note")?.innerHTML ?? "<p class=faint>No note.</p>"
  const next = slides[at + 1]
  find("next").textContent = next ? `Next: ${title(next)}` : "The end."
  find("preview").replaceChildren()
  const shown = next ? rooms(next) : []
  for (const room of shown) {
    const theme = root.dataset.theme
    root.dataset.theme = "light"
    const drawing = picture(room, shown.length > 1 ? 600 : 900, 520)
    root.dataset.theme = theme
    const image = new speaker.Image()
    image.src = await drawing
    if (slides[at + 1] === next) find("preview").append(image)
  }
}

setInterval(() => {
  if (!speaker || speaker.closed || !begun) return
  const seconds = Math.floor((Date.now() - begun) / 1000)
  const two = (number) => String(number).padStart(2, "0")
  const now = new Date()
  speaker.document.getElementById("clock").textContent = `${two(now.getHours())}:${two(now.getMinutes())}`
  speaker.document.getElementById("elapsed").textContent = `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}, 500)

// Keys ---------------------------------------------------------------------------------------------------

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen()
  else root.requestFullscreen?.().catch(() => {})
}

function toTheme(theme) {
  root.dataset.theme = theme
  slides.forEach((slide) => rooms(slide).forEach(erase))
  if (root.dataset.mode === "read") toMode("read")
  else go(at)
}

// Leave: first what lies over the slide, then the page that this one stands in.
function leave() {
  const help = document.getElementById("help")
  if (!help.hidden) help.hidden = true
  else if (root.classList.contains("black")) root.classList.remove("black")
  else if (root.classList.contains("notes-shown")) root.classList.remove("notes-shown")
  else if (root.dataset.mode === "read") toMode("present")
  else {
    const button = `.st-key-deck-leave-${DECK.slides[at].id} button`
    try { window.parent !== window && window.parent.document.querySelector(button)?.click() } catch { /* alone */ }
  }
}

const DO = {
  next: () => go(at + 1),
  back: () => go(at - 1),
  first: () => go(0),
  last: () => go(slides.length - 1),
  full: fullScreen,
  black: () => root.classList.toggle("black"),
  notes: () => root.classList.toggle("notes-shown"),
  speaker: openSpeaker,
  play: () => slides[at].querySelector(".player")?.play(),
  laser: () => root.classList.toggle("laser"),
  theme: () => toTheme(root.dataset.theme === "dark" ? "light" : "dark"),
  read: () => toMode(root.dataset.mode === "read" ? "present" : "read"),
  pictures: savePictures,
  print,
  help: () => (document.getElementById("help").hidden ^= true),
  leave,
}

const KEYS = {
  ...{ ArrowRight: "next", ArrowDown: "next", PageDown: "next", " ": "next", Enter: "next" },
  ...{ ArrowLeft: "back", ArrowUp: "back", PageUp: "back", Backspace: "back" },
  ...{ Home: "first", End: "last", f: "full", b: "black", ".": "black", n: "notes", s: "speaker", l: "laser", a: "play" },
  ...{ d: "theme", r: "read", p: "print", z: "pictures", "?": "help", Escape: "leave" },
}
const SCROLLS = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", " ", "Home", "End", "Enter", "Backspace"])

function press(event) {
  const prints = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "p"
  if ((event.altKey || event.ctrlKey || event.metaKey) && !prints) return
  if (root.dataset.mode === "read" && SCROLLS.has(event.key)) return
  if (event.target.closest?.("input") && /^Arrow|^Home|^End/.test(event.key)) return
  if (event.target.closest?.("button, a") && [" ", "Enter"].includes(event.key)) return
  const what = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]
  if (!what) return
  event.preventDefault()
  DO[what]()
}

addEventListener("keydown", press)
let still = 0
addEventListener("pointermove", ({ clientX, clientY }) => {
  const laser = document.getElementById("laser")
  laser.style.left = `${clientX}px`
  laser.style.top = `${clientY}px`
  root.classList.add("moving")
  clearTimeout(still)
  still = setTimeout(() => root.classList.remove("moving"), 1800)
})
document.getElementById("keys").addEventListener("click", ({ target }) => {
  const button = target.closest("button")
  if (button) DO[button.dataset.do]()
  button?.blur()
})
let resized = 0
addEventListener("resize", () => {
  clearTimeout(resized)
  resized = setTimeout(() => root.dataset.mode === "present" && toMode("present"), 120)
})
addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1 || 0))

root.dataset.theme ||= matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
if (root.dataset.mode === "save") {
  savePowerPoint().catch((error) => {
    if ("back" in root.dataset) fetch(`${location.href}?problem`, { method: "POST", body: error.message })
    document.getElementById("saving").textContent = `PowerPoint could not be made: ${error.message}`
  })
} else begin()

function begin() {
  root.dataset.mode = "present"
  go((Number(location.hash.slice(1)) || Number(root.dataset.start) || 1) - 1)
  window.focus()
}
