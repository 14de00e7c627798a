// Keep the texts that an element brings, for the figure that asks for them.
export default ({ data }) => keepTexts(new TextDecoder().decode(data))
