// A whole number with an exponent: a browser takes 1e3 for 1000, and Streamlit (1.67) for 1, the digits before the e.
// It is written out before Streamlit reads it, so that what is beyond the bounds is refused as any other number.

const WHOLE = '[data-testid="stNumberInput"] input[step="1"]'

function writeOut() {
  const spell = (event) => {
    const field = event.target
    if (event.type === "keydown" && event.key !== "Enter") return
    if (!field.matches?.(WHOLE) || !/e/i.test(field.value)) return
    const digits = BigInt(Math.trunc(Number(field.value))).toString()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, digits)
    field.dispatchEvent(new InputEvent("input", { bubbles: true }))
  }
  document.addEventListener("keydown", spell, true)
  document.addEventListener("focusout", spell, true)
  return () => {
    document.removeEventListener("keydown", spell, true)
    document.removeEventListener("focusout", spell, true)
  }
}
