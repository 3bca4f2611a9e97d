// Writes docs/settings.md from the table that the service reads. A test compares the two.
import { writeFileSync } from 'node:fs'
import { settingSections } from '../../apps/server/src/config/setting-sections.ts'
import { settingsRows } from './settings-rows.ts'

const file = new URL('../../docs/settings.md', import.meta.url)

/** The expected content of docs/settings.md. */
export function settingsDocument(): string {
  const sections = settingSections().map(({ title, settings }) => {
    const rows = settings.map(({ name, defaultValue: byDefault, description: meaning }) => ({
      name,
      byDefault,
      meaning,
    }))
    return `## ${title}\n\n| Name | Default | Meaning |\n|---|---|---|\n${settingsRows(rows)}\n`
  })
  return `# Settings

<!-- Written by scripts/documents/write-settings-doc.ts from apps/server/src/config/settings.ts. -->

Environment variables of the service. A wrong value ends the start with a line that names it; an empty one counts as unset.
\`npm start -- --help\` prints a short form.

${sections.join('\n')}`
}

if (import.meta.main) writeFileSync(file, settingsDocument())
