// Writes the table of columns in docs/personal-data.md from the list that a test compares with the database. The text
// around it is written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { ERASED_COLUMNS, KEPT_COLUMNS, SWEPT_COLUMNS } from '../apps/server/src/database/index.ts'
import { withParts } from './state-diagrams.ts'

const file = new URL('../docs/personal-data.md', import.meta.url)

/** The document with its tables of columns. Throws if a mark is missing. */
export const personalDataDocument = (current: string): string =>
  withParts('docs/personal-data.md', current, {
    erased: () => byTable(ERASED_COLUMNS),
    swept: () => byTable(SWEPT_COLUMNS),
    kept: () => byReason(KEPT_COLUMNS),
  })

/** A row for each table. A column whose name says what it holds has no explanation. */
function byTable(tables: typeof ERASED_COLUMNS): string {
  const rows = Object.entries(tables).map(([name, columns]) => {
    const each = Object.entries(columns).map(([column, holds]) =>
      column.replaceAll('_', ' ') === holds ? `\`${column}\`` : `\`${column}\` (${holds})`,
    )
    return `| \`${name}\` | ${each.join(', ')} |`
  })
  return ['| Table | Columns |', '|---|---|', ...rows].join('\n')
}

/** A row for each reason. */
function byReason(tables: typeof ERASED_COLUMNS): string {
  const all = Object.entries(tables).flatMap(([name, columns]) =>
    Object.entries(columns).map(([column, reason]) => ({ reason, column: `\`${name}.${column}\`` })),
  )
  const reasons = Map.groupBy(all, ({ reason }) => reason)
  const rows = [...reasons].map(([reason, of]) => `| ${reason} | ${of.map(({ column }) => column).join(', ')} |`)
  return ['| What it holds, and why it stays | Columns |', '|---|---|', ...rows].join('\n')
}

if (import.meta.main) writeFileSync(file, personalDataDocument(readFileSync(file, 'utf8')))
