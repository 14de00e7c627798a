// Words of a slide in an element that stays; links open beside the dashboard.

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".words") ?? parentElement.appendChild(document.createElement("div"))
  place.className = "words"
  if (place.made !== data) place.innerHTML = place.made = data
  for (const link of place.querySelectorAll("a")) Object.assign(link, { target: "_blank", rel: "noopener" })
}
