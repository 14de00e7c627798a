// What has to wait until a run of the script is over, as Streamlit (1.67) would mix it up with that run.

const BEGINS = 500 // milliseconds in which a run of the script begins, if there is one
const LONGEST = 5000 // milliseconds after which nothing waits any more
const SETTLED = 100 // milliseconds without a run of the script after which it is over

// Call back when the run of the script that is about to begin is over, soon where none begins.
function afterRun(callback) {
  const app = document.querySelector('[data-testid="stApp"]')
  const over = () => {
    observer.disconnect()
    callback()
  }
  let waits = setTimeout(over, BEGINS)
  const observer = new MutationObserver(() => {
    clearTimeout(waits)
    waits = setTimeout(over, app.dataset.testScriptState === "notRunning" ? SETTLED : LONGEST)
  })
  observer.observe(app, { attributeFilter: ["data-test-script-state"] })
}

// A link to another page that is followed while a menu is open: Streamlit (1.67) asks for that page and then, as
// the menu closes, for the old one, whose widgets have lost their values by then. So the menu is closed first.
// A link in a menu goes with it, and is followed at once: no such menu has the script run as it closes.
function closeBeforeLeaving() {
  const click = (event) => {
    const link = event.target.closest?.('a[data-testid="stPageLink-NavLink"]')
    const menu = document.querySelector('[data-testid="stPopover"] button[aria-expanded="true"]')
    if (!link || !menu || link.closest('[data-testid="stPopoverBody"]')) return
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    afterRun(() => link.click())
    menu.click()
  }
  window.addEventListener("click", click, true)
  return () => window.removeEventListener("click", click, true)
}

