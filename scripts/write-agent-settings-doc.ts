// Writes docs/agent-settings.md from the table that the agent itself reads. A test holds the two together.
import { writeFileSync } from 'node:fs'
import { SETTINGS } from '../apps/agent/src/config/settings.ts'

const file = new URL('../docs/agent-settings.md', import.meta.url)

/** The whole document, as it must stand in docs/agent-settings.md. */
export function agentSettingsDocument(): string {
  const rows = Object.values(SETTINGS).map(({ name, fallback, meaning }) => {
    return `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${meaning}. |`
  })
  return `# Settings of the agent

Environment variables of \`weir-agent\`. Each is checked at start: wrong ones end it with one line each. An empty one counts
as unset. Written by \`node scripts/write-agent-settings-doc.ts\` from the table in \`apps/agent/src/config/settings.ts\`.

| Name | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

if (import.meta.main) writeFileSync(file, agentSettingsDocument())
