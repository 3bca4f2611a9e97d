/** One cell. A leading `=`, `+`, `-` or `@` would be a formula in a spreadsheet, so text that begins so is quoted. */
function cell(value: string): string {
  const isFormula = /^[=+@\t\r]/.test(value) || (value.startsWith('-') && !/^-\d/.test(value))
  const safe = isFormula ? `'${value}` : value
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
