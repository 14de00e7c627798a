// Tooltips go when the mouse presses what they explain, and stay away until it is elsewhere: they would lie over
// what the press has changed. Keys end that too. A finger has no other way to a figure's numbers than a press.

const PRESSED = "data-pressed"
const ELSEWHERE = 8 // pixels from the press, in a figure, where one element takes all presses

function hidePressed() {
  const root = document.documentElement
  let place = null
  let button = null
  const press = ({ pointerType, target, clientX, clientY }) => {
    if (pointerType !== "mouse") return
    place = { x: clientX, y: clientY }
    button = target.closest?.("button, a, label") ?? null
    root.setAttribute(PRESSED, "")
  }
  const end = () => {
    place = null
    root.removeAttribute(PRESSED)
  }
  const move = ({ target, clientX, clientY }) => {
    if (!place || button?.contains(target)) return
    if (Math.hypot(clientX - place.x, clientY - place.y) >= ELSEWHERE) end()
  }
  document.addEventListener("pointerdown", press, true)
  document.addEventListener("pointermove", move, true)
  document.addEventListener("keydown", end, true)
  return () => {
    document.removeEventListener("pointerdown", press, true)
    document.removeEventListener("pointermove", move, true)
    document.removeEventListener("keydown", end, true)
    end()
  }
}
