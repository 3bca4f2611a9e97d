/** One cell. A leading `=`, `+`, `-` or `@` would be a formula in a spreadsheet, so text that begins so is quoted. */
function cell(value: string): string {
  const isFormula = /^[=+@\t\r]/.test(value) || (value.startsWith('-') && !/^-\d/.test(value))
  const safe = isFormula ? `'${value}` : value
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n')
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
