// Writes docs/settings.md from the table that the service itself reads. A test holds the two together.
import { writeFileSync } from 'node:fs'
import { SETTINGS } from '../apps/server/src/config.ts'

const file = new URL('../docs/settings.md', import.meta.url)

/** The whole document, as it must stand in docs/settings.md. */
export function settingsDocument(): string {
  const rows = Object.values(SETTINGS).map(({ name, defaultValue, description }) => {
    return `| \`${name}\` | ${defaultValue === undefined ? '' : `\`${defaultValue}\``} | ${description}. |`
  })
  return `# Settings

Environment variables. Each is checked at start: a wrong one ends the service with a line that names it. An empty one
counts as unset. \`npm start -- --help\` prints them in short. Written by \`node scripts/write-settings-doc.ts\` from the
table in \`apps/server/src/config/settings.ts\`.

| Name | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

if (import.meta.main) writeFileSync(file, settingsDocument())
