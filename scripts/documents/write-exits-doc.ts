// Writes the diagram of exits in docs/exits.md from the table of states that the service runs on. The text around it is
// written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { EXIT, OPENING_EXIT_STATE } from '../../apps/server/src/allocations/exits/exit-states.ts'
import { stateDiagram, withParts } from './state-diagrams.ts'

const file = new URL('../../docs/exits.md', import.meta.url)

const PARTS: Readonly<Record<string, () => string>> = {
  'exit diagram': () =>
    stateDiagram(
      [OPENING_EXIT_STATE],
      EXIT.transitions.map(({ from, event, to }) => ({ from, to, label: event })),
    ),
}

/** The document with its generated part between the markers. Throws if a marker is missing. */
export const exitsDocument = (current: string): string => withParts('docs/exits.md', current, PARTS)

if (import.meta.main) writeFileSync(file, exitsDocument(readFileSync(file, 'utf8')))
