"use strict";
// A slide from a figure: its title above, its caption below, nothing over anything else. A figure of so many rows that
// its type could not be read on a slide is a picture as high as it needs.

const SLIDE = { width: 1600, height: 900, edge: 40, gap: 14, scale: 4 / 3, smallest: 0.6, least: 360 }; // scales; least height of a figure
const SHARPEST = 2, LONGEST = 16000; // pixels of a PNG for one of the slide, and along an edge, which browsers can draw
const TITLE = { size: 34, line: 43, most: 4, weight: 600, color: FIGURE.text };
const CAPTION = { size: 17, line: 24, weight: 400, color: FIGURE.faint };
const FAMILY = "Helvetica, Arial, 'Liberation Sans', sans-serif";
const SVG = "http://www.w3.org/2000/svg";

function pen(font) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${font.weight} ${font.size}px ${FAMILY}`;
  return (text) => context.measureText(text).width;
}

// Lines no wider than the room, as the text is drawn; a word that is wider is broken.
function wrapped(text, font, room) {
  const wide = pen(font), lines = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line ? `${line} ${word}` : word;
    if (wide(longer) <= room) { line = longer; continue; }
    if (line) lines.push(line);
    line = "";
    for (const character of word) {
      if (line && wide(line + character) > room) { lines.push(line); line = ""; }
      line += character;
    }
  }
  return line ? [...lines, line] : lines;
}

// At most so many lines; the last one then tells how many others there are.
function cut(lines, most, rest) {
  if (lines.length <= most) return lines;
  const shown = lines.slice(0, most - 1);
  return [...shown, rest(lines.length - shown.length)];
}

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent.appendChild(made);
}

function write(lines, font, top, parent) {
  lines.forEach((line, i) => {
    const place = { x: SLIDE.edge, y: top + i * font.line + font.size, fill: font.color };
    const type = { "font-family": FAMILY, "font-size": font.size, "font-weight": font.weight };
    element("text", { ...place, ...type }, parent).textContent = line;
  });
}

// Where the plots of one direction ("x", "y") begin and end, as shares of the room between the margins.
function domains(full, direction) {
  const axis = new RegExp(`^${direction}axis\\d*$`);
  return Object.keys(full).filter((name) => axis.test(name)).map((name) => full[name].domain);
}

// The figure at a size, with margins as wide as its labels need. Plotly finds them while it draws, and makes
// squares of a matrix before it knows them: in one go they come out too small, drawn again they are right.
async function relaid(size) {
  await Plotly.relayout("figure", { ...size, autosize: false });
  await Plotly.relayout("figure", size);
  return document.getElementById("figure")._fullLayout;
}

// The layout at a size, lower where squares that fill its width leave room below them: the name of a panel
// stands under the whole room.
async function laidOut(room) {
  const squares = Object.values(DRAWN.layout).some((axis) => axis?.scaleanchor);
  let size = room, full = await relaid(size);
  const below = squares ? Math.min(...domains(full, "y").map(([bottom]) => bottom)) * full._size.h : 0;
  if (below > 8) {
    size = { ...room, height: Math.round(room.height - below) };
    full = await relaid(size);
  }
  const { l, r, t, b } = full._size;
  const layout = { ...DRAWN.layout, ...size, autosize: false, margin: { l, r, t, b, autoexpand: false } };
  const bar = layout.coloraxis?.colorbar;
  if (squares && bar && bar.x === undefined && bar.orientation !== "h") { // beside the squares, not at the slide's edge
    const end = Math.max(...domains(full, "x").map(([, right]) => right));
    layout.coloraxis = { ...layout.coloraxis, colorbar: { ...bar, x: end + 0.02 } };
  }
  return layout;
}

async function slide() {
  const room = SLIDE.width - 2 * SLIDE.edge;
  const title = cut(wrapped(FIGURE.title, TITLE, room), TITLE.most, () => "…");
  const top = SLIDE.edge + title.length * TITLE.line + SLIDE.gap;
  const left = SLIDE.height - SLIDE.edge - SLIDE.gap - top - SLIDE.least;
  const lines = FIGURE.caption.flatMap((line) => wrapped(line, CAPTION, room));
  const short = cut(lines, Math.floor(left / CAPTION.line), (more) => `… and ${more} more lines, which CSV and HTML have`);
  const under = (said) => SLIDE.gap + said.length * CAPTION.line + SLIDE.edge;
  const fits = (SLIDE.height - top - under(short)) / FIGURE.height;
  const isLong = fits < SLIDE.smallest;
  const caption = isLong ? lines : short;
  const scale = isLong ? 1 : Math.min(SLIDE.scale, fits);
  const height = isLong ? FIGURE.height : SLIDE.height - top - under(caption);
  const page = { width: SLIDE.width, height: Math.ceil(top + height + under(caption)) };
  const bottom = page.height - SLIDE.edge - caption.length * CAPTION.line;
  const layout = await laidOut({ width: Math.round(room / scale), height: Math.round(height / scale) });
  const size = { width: layout.width, height: layout.height };
  const drawing = { data: DRAWN.data, layout, config: { staticPlot: true } };
  const drawn = await Plotly.toImage(drawing, { format: "svg", imageDataOnly: true, ...size });
  const figure = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  const whole = document.createElementNS(SVG, "svg");
  whole.setAttribute("xmlns", SVG);
  for (const [key, value] of Object.entries({ ...page, viewBox: `0 0 ${page.width} ${page.height}` })) whole.setAttribute(key, value);
  element("rect", { ...page, fill: "#ffffff" }, whole);
  write(title, TITLE, SLIDE.edge, whole);
  const box = { x: SLIDE.edge, y: top, width: room, height: size.height * scale, viewBox: `0 0 ${size.width} ${size.height}` };
  for (const [key, value] of Object.entries(box)) figure.setAttribute(key, value);
  whole.appendChild(document.importNode(figure, true));
  write(caption, CAPTION, bottom, whole);
  return new XMLSerializer().serializeToString(whole);
}

async function png(svg) {
  const picture = new Image(), canvas = document.createElement("canvas");
  picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml;charset=utf-8" }));
  await picture.decode();
  const sharp = Math.min(SHARPEST, LONGEST / picture.height);
  canvas.width = Math.round(sharp * picture.width);
  canvas.height = Math.round(sharp * picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(picture.src);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

async function save(kind) {
  const svg = await slide();
  const blob = kind === "png" ? await png(svg) : new Blob([svg], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = FIGURE.files[kind];
  document.body.appendChild(link).click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  back();
}

async function copy(button) {
  const area = document.createElement("textarea");
  area.value = FIGURE.table;
  document.body.appendChild(area).select();
  let copied = document.execCommand("copy");
  area.remove();
  if (!copied) {
    copied = await navigator.clipboard.writeText(FIGURE.table).then(() => true, () => false);
  }
  button.textContent = copied ? "Copied" : "The browser refuses";
  back();
}

// The keyboard belongs to the page again: Esc closes the menu, and the next click is the page's.
function back() {
  document.activeElement?.blur();
  try { window.parent.focus(); } catch { /* a page of another origin keeps it */ }
}

addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  try {
    const page = window.parent.document;
    window.parent.focus();
    page.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", keyCode: 27, bubbles: true }));
  } catch { back(); }
});
