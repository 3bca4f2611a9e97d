// Writes docs/agent-settings.md from the table that the agent reads. A test compares the two.
import { writeFileSync } from 'node:fs'
import { SETTINGS } from '../../apps/agent/src/config/settings.ts'
import { settingsRows } from './settings-rows.ts'

const file = new URL('../../docs/agent-settings.md', import.meta.url)

/** The expected content of docs/agent-settings.md. */
export function agentSettingsDocument(): string {
  const rows = settingsRows(
    Object.values(SETTINGS).map(({ name, fallback: byDefault, meaning }) => ({ name, byDefault, meaning })),
  )
  return `# Settings of the agent

<!-- Written by scripts/documents/write-agent-settings-doc.ts from apps/agent/src/config/settings.ts. -->

Environment variables of \`weir-agent\`. Wrong values end the start with a line each; an empty one counts as unset.

| Name | Default | Meaning |
|---|---|---|
${rows}
`
}

if (import.meta.main) writeFileSync(file, agentSettingsDocument())
