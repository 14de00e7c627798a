// Focus that stays where it was: when a widget is made anew, and when the editor or a dialog is closed.

const PATIENCE = 5000 // milliseconds in which focus that was lost is given back
const DIALOG = '[role="dialog"]'

// A widget whose value is part of its key (sets of layers, presets) is another element after each change: focus
// goes to the one that reads the same in the same place. A dialog gives it back to what had opened it, and where
// that was in a menu, which has closed since, to the menu's button.
function keepFocus() {
  let last = null
  let opener = null // of the dialog that is open
  const note = ({ target }) => {
    if (target.closest('[role="option"]')) return // the field that has opened its list keeps the focus
    if (target.closest(DIALOG)) opener ||= last
    else opener = null
    const places = []
    for (let place = target.parentElement; place; place = place.parentElement) {
      places.push(...[...place.classList].filter((name) => name.startsWith("st-key-")))
    }
    last = { target, places, edited: editing(), lost: 0, opener }
  }
  const alike = ({ target, places, edited }) => {
    const edits = places.includes(EDITOR) || target.closest(TEXTS)
    if (edits && !document.getElementsByClassName(EDITOR).length) {
      const [cell] = document.getElementsByClassName(`st-key-cell-${edited?.replace(".", "-")}`)
      return cell?.querySelector("button")
    }
    const inside = places.map((name) => document.getElementsByClassName(name)[0]).find(Boolean)
    const found = [...(inside?.getElementsByTagName(target.tagName) ?? [])].filter(
      (one) => named(one) === named(target) && one.checkVisibility(),
    )
    return named(target) ? found[0] : undefined
  }
  const find = (one) => {
    if (!one.opener) return alike(one)
    if (document.querySelector(DIALOG)) return undefined
    return one.opener.target.isConnected ? one.opener.target : alike(one.opener)
  }
  const restore = () => {
    if (!last || document.activeElement !== document.body || last.target.checkVisibility()) return
    last.lost ||= performance.now()
    if (performance.now() - last.lost > PATIENCE) last = null
    else find(last)?.focus({ preventScroll: true })
  }
  if (document.activeElement !== document.body) note({ target: document.activeElement }) // of who was sooner
  document.addEventListener("focusin", note)
  const stop = onChanges(restore)
  return () => {
    document.removeEventListener("focusin", note)
    stop()
  }
}
