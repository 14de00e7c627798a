"use strict"
// Figures as pictures to take along: in an archive, and in the place of the empty ones of a PowerPoint file.

const PICTURE = { width: 1600, height: 900 }

// A figure as SVG on white ground, and that as PNG of twice its size.
async function pictures(room, { width, height, whole } = PICTURE) {
  const before = root.dataset.theme
  root.dataset.theme = "light"
  const drawing = picture(room, width, height, whole)
  root.dataset.theme = before
  const address = await drawing
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height })
  const pen = canvas.getContext("2d")
  pen.fillStyle = "#ffffff"
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  const png = await new Promise((done) => canvas.toBlob(done, "image/png"))
  const svg = new TextEncoder().encode(decodeURIComponent(address.slice(address.indexOf(",") + 1)))
  return { svg, png: new Uint8Array(await png.arrayBuffer()) }
}

async function savePictures() {
  const files = [], captions = []
  for (const [place, slide] of slides.entries()) {
    for (const [side, room] of rooms(slide).entries()) {
      const figure = DECK.figures[room.dataset.figure]
      const title = room.dataset.called
      const words = title.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60)
      const name = `${String(place + 1).padStart(3, "0")}${rooms(slide).length > 1 ? "ab"[side] : ""}_${words || "figure"}`
      const { svg, png } = await pictures(room)
      files.push([`${name}.svg`, svg], [`${name}.png`, png])
      const said = new Set([DECK.slides[place].title, title].filter(Boolean))
      captions.push([name, ...said, ...figure.caption].join("\n"))
    }
  }
  files.push(["captions.txt", new TextEncoder().encode(`${captions.join("\n\n")}\n`)])
  const link = linkTo(new Blob(zipped(files), { type: "application/zip" }), "pictures.zip")
  document.body.appendChild(link).click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}

function linkTo(blob, download) {
  return Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download })
}

// The PowerPoint file that came with empty pictures, with the figures in their place.
async function savePowerPoint() {
  const saving = document.getElementById("saving")
  const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
  const packed = bytes(JSON.parse(document.getElementById("powerpoint").textContent))
  const open = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))
  const made = await new Response(open).json()
  const drawn = new Map()
  for (const [number, one] of made.pictures.entries()) {
    saving.textContent = `Drawing figure ${number + 1} of ${made.pictures.length} …`
    drawn.set(one.part, (await pictures(rooms(slides[one.slide])[one.side], one)).png)
  }
  const files = made.parts.map(({ name, text, bytes: other }) => {
    return [name, drawn.get(name) ?? (text === undefined ? bytes(other) : new TextEncoder().encode(text))]
  })
  const file = new Blob(zipped(files), { type: "application/octet-stream" })
  if ("back" in root.dataset) {
    await fetch(location.href, { method: "POST", body: file })
    return
  }
  const link = linkTo(file, root.dataset.file)
  link.textContent = "Save it again"
  saving.replaceChildren("PowerPoint is made. ", link)
  link.click()
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1
  return n
})

function crc(bytes) {
  let sum = ~0
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8)
  return ~sum >>> 0
}

// A ZIP archive of stored files (APPNOTE 6.3, method 0).
function zipped(files) {
  const parts = [], heads = []
  let place = 0, length = 0
  const numbers = (...all) => {
    const view = new DataView(new ArrayBuffer(all.reduce((sum, [size]) => sum + size, 0)))
    let to = 0
    for (const [size, value] of all) {
      if (size === 2) view.setUint16(to, value, true)
      else view.setUint32(to, value, true)
      to += size
    }
    return new Uint8Array(view.buffer)
  }
  for (const [name, bytes] of files) {
    const called = new TextEncoder().encode(name)
    const about = [[2, 20], [2, 0x0800], [2, 0], [2, 0], [2, 33], [4, crc(bytes)], [4, bytes.length], [4, bytes.length],
      [2, called.length], [2, 0]]
    const head = numbers([4, 0x04034b50], ...about)
    parts.push(head, called, bytes)
    const entry = numbers([4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, place])
    heads.push(entry, called)
    place += head.length + called.length + bytes.length
    length += entry.length + called.length
  }
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, place], [2, 0])
  return [...parts, ...heads, end]
}
