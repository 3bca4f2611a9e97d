/** What a spreadsheet runs as a formula, even behind spaces and in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** A negative number or rate, and nothing after it: `-2+cmd|'…'!A1` is a formula too. */
const NEGATIVE = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?%?$/

/** One cell. People choose names, so a text that a spreadsheet would run gets an apostrophe. */
function cell(value: string): string {
  const safe = FORMULA.test(value) && !NEGATIVE.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Lines of a file, each with its end. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Saves a file that consists of these parts. */
export function download(name: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
