// Writes docs/settings.md from the table that the service reads. A test compares the two.
import { writeFileSync } from 'node:fs'
import { SETTINGS } from '../apps/server/src/config.ts'
import { settingsRows } from './settings-rows.ts'

const file = new URL('../docs/settings.md', import.meta.url)

/** The expected content of docs/settings.md. */
export function settingsDocument(): string {
  const rows = settingsRows(
    Object.values(SETTINGS).map(({ name, defaultValue: byDefault, description: meaning }) => ({
      name,
      byDefault,
      meaning,
    })),
  )
  return `# Settings

<!-- Written by scripts/write-settings-doc.ts from apps/server/src/config/settings.ts. -->

Environment variables of the service. A wrong value ends the start with a line that names it; an empty one counts as unset.
\`npm start -- --help\` prints a short form.

| Name | Default | Meaning |
|---|---|---|
${rows}
`
}

if (import.meta.main) writeFileSync(file, settingsDocument())
