// Values in cells, as large as the cells let them be: Plotly itself writes none larger than the type of the figure.

const ACROSS = 0.9 // of a cell that its value takes at most,
const ONE_LINE = 0.85 // of the height of a cell the size of digits alone, which do not fill it,
const LINES = 0.75 // and of several lines
const DIGIT = 0.56 // of its size that a digit is wide,
const LINE_OF_VALUE = 1.3 // and that one of several lines is high
const LEAST_VALUE = 10 // pixels; where there is less room, Plotly finds the size
const LARGEST_VALUE = 24

// Have the values of a drawn figure written in one size, that of the longest one in the smallest cell.
async function enlargeValues(drawing) {
  const { _fullLayout: layout, _fullData: data } = drawing
  const indices = data.flatMap(({ type, texttemplate }, index) => (type === "heatmap" && texttemplate ? [index] : []))
  if (!indices.length) return
  const room = Math.floor(Math.min(LARGEST_VALUE, ...indices.map((index) => roomFor(data[index], layout))))
  const size = room >= LEAST_VALUE ? room : null
  if (data[indices[0]].textfont.size === (size ?? "auto")) return
  await window.Plotly.restyle(drawing, { "textfont.size": size }, indices)
}

// Pixels that type may have in the cells of a heatmap.
function roomFor({ xaxis, yaxis, z, text }, layout) {
  const [across, down] = [xaxis, yaxis].map((id) => layout[`${id[0]}axis${id.slice(1)}`]._length)
  const values = text.flat().map((one) => String(one).split("<br>"))
  const longest = Math.max(1, ...values.flat().map((line) => line.replace(/<[^>]*>/g, "").length))
  const lines = Math.max(1, ...values.map(({ length }) => length))
  const [wide, high] = [across / z[0].length, down / z.length]
  const highest = lines > 1 ? (LINES * high) / (lines * LINE_OF_VALUE) : ONE_LINE * high
  return Math.min((ACROSS * wide) / (longest * DIGIT), highest)
}
