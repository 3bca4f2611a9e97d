import { styleText } from 'node:util'

export type Say = (line: string) => void

/** A line of a tour begins with what it is about, in a column of this width. */
const SUBJECT = 12

export const about = (subject: string, line: string): string => `${subject.padEnd(SUBJECT)} ${line}`.trimEnd()

/** Opens a part of the summary; in a terminal it stands out. */
export const heading = (subject: string, line: string): string => `\n${styleText('bold', about(subject, line))}`

/** A rate as Weir reports it on v1: 0.0349 is "3.49%". */
export const percent = (rate: number): string => `${(rate * 100).toFixed(2)}%`

/**
 * Rows in columns as wide as their widest cells; the first column is the subject's. The first `names` columns are text,
 * the others numbers.
 */
export function columns(rows: readonly (readonly string[])[], names: number): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(at === 0 ? SUBJECT - 1 : 0, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, at) => (at < names ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]! + 1)))
      .join('  ')
      .trimEnd(),
  )
}
