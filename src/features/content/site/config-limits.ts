// What is read to know a site's navigation, of docs.json and all that it refers to. The largest of real sites has 2.4 MB.
export const mostConfigBytes = 5_000_000
// Each value costs some hundred bytes and a microsecond or two, in which nobody else gets a turn.
export const mostConfigValues = 300_000

/** Whether JSON surely has more values than we take, seen without parsing it. Commas in texts count too. */
export function hasTooManyValues(text: string): boolean {
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // , [ {
    if (code === 0x2c || code === 0x5b || code === 0x7b) marks++
  }
  return marks > mostConfigValues
}
