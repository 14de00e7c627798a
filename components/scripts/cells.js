// A button for each stage of a recipe; the buttons stay, and what differs in them changes.

const rows = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  if (!rows.has(parentElement)) rows.set(parentElement, new Row(parentElement))
  const row = rows.get(parentElement)
  row.choose = (stage) => setTriggerValue("chosen", stage)
  row.show(data)
  // Streamlit calls this too when another call has overtaken this one; the element stays then.
  return () => setTimeout(() => parentElement.isConnected || row.place.remove())
}

class Row {
  constructor(parent) {
    this.place = document.createElement("div")
    this.place.className = "cells"
    this.place.addEventListener("click", ({ target, detail }) => {
      const button = target.closest("button")
      const isSecondOfDouble = detail > 1 // it would close what the first has opened
      if (button && !isSecondOfDouble) this.choose(button.dataset.stage)
    })
    parent.append(this.place)
  }

  show({ side, cells }) {
    while (this.place.children.length < cells.length) this.place.append(empty())
    while (this.place.children.length > cells.length) this.place.lastChild.remove()
    cells.forEach((cell, number) => draw(this.place.children[number], side, cell))
  }
}

function empty() {
  const place = document.createElement("div")
  const button = document.createElement("button")
  button.type = "button"
  button.append(document.createElement("span"))
  place.append(button)
  return place
}

function draw(place, side, { stage, head, text, help, look }) {
  const button = place.firstChild
  set(place, "className", `st-key-cell-${side}-${stage} ${look}`)
  set(button, "title", help)
  set(button, "ariaLabel", `${side.toUpperCase()} ${head}: ${text}`)
  set(button, "ariaExpanded", String(look.split(" ").includes("opened")))
  set(button.firstChild, "textContent", text)
  button.dataset.stage = stage
}

function set(element, name, value) {
  if (element[name] !== value) element[name] = value
}
