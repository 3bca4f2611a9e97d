import { csvOf, download } from '../lib/csv.ts'
import type { Column } from './columns.tsx'

/** Saves rows as a CSV file with the columns that have a value for it. */
export function saveCsv<T>(label: string, columns: readonly Column<T>[], rows: readonly T[]): void {
  const shown = columns.filter((column) => column.csv)
  download(
    `${label.toLowerCase().replaceAll(' ', '-')}.csv`,
    csvOf(
      shown.map(({ title }) => title),
      rows.map((row) => shown.map(({ csv }) => String(csv?.(row) ?? ''))),
    ),
  )
}
