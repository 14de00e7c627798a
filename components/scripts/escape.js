// Escape in the editor of a recipe: it closes an open list of options, and takes back what was written into a field,
// which Streamlit would take up with the field. The next one closes the editor.

function escapeFirst() {
  let first = false // something else is ended before the editor
  let before = null // what a field said before the visitor wrote into it
  const forget = () => (before = null)
  const write = ({ target }) => {
    const written = `:is(.${EDITOR}, ${TEXTS}) :is(input, textarea):not([role="combobox"])`
    if (target.closest(written)) before ??= { target, value: target.value }
  }
  const note = ({ key, target, isComposing }) => {
    const isDraft = target === before?.target && target.value !== before.value
    first = key === "Escape" && (isDraft || (target.ariaExpanded === "true" && target.matches("input")))
    if (key === "Enter" && !isComposing) forget()
    if (!first || !isDraft || isComposing) return // then Escape is for what is being composed
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value").set.call(target, before.value)
    target.dispatchEvent(new Event("input", { bubbles: true }))
    forget()
  }
  const keep = (event) => first && event.stopPropagation()
  document.addEventListener("focusin", forget)
  document.addEventListener("beforeinput", write)
  document.addEventListener("keydown", note, true)
  document.body.addEventListener("keydown", keep)
  return () => {
    document.removeEventListener("focusin", forget)
    document.removeEventListener("beforeinput", write)
    document.removeEventListener("keydown", note, true)
    document.body.removeEventListener("keydown", keep)
  }
}
