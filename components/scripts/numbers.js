// A whole number with an exponent: a browser takes 1e3 for 1000, and Streamlit (1.67) for 1, the digits before the e.
// It is written out before Streamlit reads it, so that what is beyond the bounds is refused as any other number.
// A fraction, of which Streamlit would take the digits before the point, is refused in the browser's way.

const NUMBER = '[data-testid="stNumberInput"] input[type="number"]'

function isWhole(field) {
  return field.matches?.(NUMBER) && Number.isInteger(Number(field.step || "any"))
}

function nearest(field, number) {
  const [least, most] = [field.min || -Infinity, field.max || Infinity].map(Number)
  return Math.min(Math.max(Math.round(number), least), most)
}

function writeOut() {
  const read = (event) => {
    const field = event.target
    if ((event.type === "keydown" && event.key !== "Enter") || !isWhole(field) || field.value === "") return
    const number = Number(field.value)
    if (!Number.isInteger(number)) {
      event.stopImmediatePropagation()
      field.setCustomValidity(`A whole number is needed, as ${nearest(field, number)}.`)
      field.reportValidity()
    } else if (/e/i.test(field.value)) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, BigInt(number).toString())
      field.dispatchEvent(new InputEvent("input", { bubbles: true }))
    }
  }
  const forget = (event) => isWhole(event.target) && event.target.setCustomValidity("")
  document.addEventListener("keydown", read, true)
  document.addEventListener("focusout", read, true)
  document.addEventListener("input", forget, true)
  return () => {
    document.removeEventListener("keydown", read, true)
    document.removeEventListener("focusout", read, true)
    document.removeEventListener("input", forget, true)
  }
}
