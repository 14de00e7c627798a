// Texts of a figure's points, which come by themselves: by the figure's key, with their name.

const PATIENCE = 5000 // milliseconds for texts that do not come; the figure is drawn without them then
const kept = (window.strataTexts ??= new Map())

// What has come: the figure's key, the name of its texts, and their lists, each in a line of its own.
function keepTexts(sent) {
  const [figure, name] = sent.split("\n", 2)
  if (kept.get(figure)?.name === name) return
  kept.set(figure, { name, lists: JSON.parse(sent.slice(figure.length + name.length + 2)) })
}

// The lists of texts by this name, once they are there; none after some time.
async function textsOf(figure, name) {
  const until = performance.now() + PATIENCE
  while (performance.now() < until) {
    if (kept.get(figure)?.name === name) return kept.get(figure).lists
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return []
}

// Give each trace its texts.
async function withTexts({ data }, figure, name) {
  if (!name) return
  const lists = await textsOf(figure, name)
  for (const trace of data) if (Number.isInteger(trace.text)) trace.text = lists[trace.text]
}
