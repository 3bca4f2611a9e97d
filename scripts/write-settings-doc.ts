// Writes docs/settings.md from the table that the service reads. A test compares the two.
import { writeFileSync } from 'node:fs'
import { SETTINGS } from '../apps/server/src/config.ts'

const file = new URL('../docs/settings.md', import.meta.url)

/** The expected content of docs/settings.md. */
export function settingsDocument(): string {
  const rows = Object.values(SETTINGS).map(({ name, defaultValue, description }) => {
    return `| \`${name}\` | ${defaultValue === undefined ? '' : `\`${defaultValue}\``} | ${description}. |`
  })
  return `# Settings

<!-- Written by scripts/write-settings-doc.ts from apps/server/src/config/settings.ts. -->

Environment variables of the service. A wrong value ends the start with a line that names it; an empty one counts as unset.
\`npm start -- --help\` prints a short form.

| Name | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

if (import.meta.main) writeFileSync(file, settingsDocument())
