/** Rows under a head, in columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  return [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Text from others on one line: control characters could move the cursor or hide what follows. */
export function printable(text: string, most = 200): string {
  const clean = text.replace(/\p{C}+/gu, ' ').trim()
  return clean.length > most ? `${clean.slice(0, most)}…` : clean
}
