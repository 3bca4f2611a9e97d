// Writes the diagram of docs/change-requests.md from the table of states that the service runs on. The text around it is
// written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { CHANGE_REQUEST } from '../../apps/server/src/changes/requests/change-states.ts'
import { stateDiagram, withParts } from './state-diagrams.ts'

const file = new URL('../../docs/change-requests.md', import.meta.url)

const PARTS: Readonly<Record<string, () => string>> = {
  'change request diagram': () =>
    stateDiagram(
      ['requested'],
      CHANGE_REQUEST.transitions.map(({ from, event, to }) => ({ from, to, label: event })),
    ),
}

/** The document with its generated part between the markers. Throws if a marker is missing. */
export const changesDocument = (current: string): string => withParts('docs/change-requests.md', current, PARTS)

if (import.meta.main) writeFileSync(file, changesDocument(readFileSync(file, 'utf8')))
