// Have numbers below 0 in what a point of a figure says begin with a minus: Plotly (4.1) writes one along axes, and a
// hyphen here.
function withMinus(drawing) {
  drawing.on("plotly_beforehover", () => {
    const locale = drawing._fullLayout._d3locale
    if (!locale.writesMinus) {
      const { numberFormat } = locale
      locale.numberFormat = (format) => {
        const write = numberFormat(format)
        return (number) => write(number).replace(/^-/, "\u2212")
      }
      locale.writesMinus = true
    }
    return true
  })
}
