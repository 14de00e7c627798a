// Values in cells, as large as the cells let them be: Plotly itself writes none larger than 10 pixels.

const OF_CELL = [0.9, 0.6] // of a cell that its value takes at most, across and down
const DIGIT = 0.56 // of its size that a digit is wide
const PLOTLYS_LARGEST = 10 // pixels
const LARGEST_VALUE = 24

// Have the values of a drawn figure written in one size, that of the longest one in the smallest cell.
async function enlargeValues(drawing) {
  const { _fullLayout: layout, _fullData: data } = drawing
  const indices = data.flatMap(({ type, texttemplate }, index) => (type === "heatmap" && texttemplate ? [index] : []))
  if (!indices.length) return
  const room = Math.floor(Math.min(LARGEST_VALUE, ...indices.map((index) => roomFor(data[index], layout))))
  const size = room > PLOTLYS_LARGEST ? room : null
  if (data[indices[0]].textfont.size === (size ?? "auto")) return
  await window.Plotly.restyle(drawing, { "textfont.size": size }, indices)
}

// Pixels that type may have in the cells of a heatmap.
function roomFor({ xaxis, yaxis, z, text }, layout) {
  const [across, down] = [xaxis, yaxis].map((id) => layout[`${id[0]}axis${id.slice(1)}`]._length)
  const longest = Math.max(1, ...text.flat().map(({ length }) => length))
  return Math.min((OF_CELL[0] * across) / (z[0].length * longest * DIGIT), (OF_CELL[1] * down) / z.length)
}
