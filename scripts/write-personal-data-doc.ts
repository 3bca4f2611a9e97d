// Writes the table of columns in docs/personal-data.md from the list that a test compares with the database. The text
// around it is written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { ERASED_COLUMNS, KEPT_COLUMNS, SWEPT_COLUMNS } from '../apps/server/src/database/index.ts'
import { withParts } from './state-diagrams.ts'

const file = new URL('../docs/personal-data.md', import.meta.url)

/** The document with its tables of columns. Throws if a mark is missing. */
export const personalDataDocument = (current: string): string =>
  withParts('docs/personal-data.md', current, {
    erased: () => table(ERASED_COLUMNS, 'What it holds'),
    swept: () => table(SWEPT_COLUMNS, 'What it holds, and until when'),
    kept: () => table(KEPT_COLUMNS, 'What it holds, and why it stays'),
  })

function table(columns: typeof ERASED_COLUMNS, heading: string): string {
  const rows = Object.entries(columns).flatMap(([name, of]) =>
    Object.entries(of).map(([column, holds]) => `| \`${name}.${column}\` | ${holds} |`),
  )
  return [`| Column | ${heading} |`, '|---|---|', ...rows].join('\n')
}

if (import.meta.main) writeFileSync(file, personalDataDocument(readFileSync(file, 'utf8')))
