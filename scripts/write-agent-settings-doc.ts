// Writes docs/agent-settings.md from the table that the agent reads. A test compares the two.
import { writeFileSync } from 'node:fs'
import { SETTINGS } from '../apps/agent/src/config/settings.ts'

const file = new URL('../docs/agent-settings.md', import.meta.url)

/** The expected content of docs/agent-settings.md. */
export function agentSettingsDocument(): string {
  const rows = Object.values(SETTINGS).map(({ name, fallback, meaning }) => {
    return `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${meaning}. |`
  })
  return `# Settings of the agent

<!-- Written by scripts/write-agent-settings-doc.ts from apps/agent/src/config/settings.ts. -->

Environment variables of \`weir-agent\`. Wrong values end the start with a line each; an empty one counts as unset.

| Name | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

if (import.meta.main) writeFileSync(file, agentSettingsDocument())
