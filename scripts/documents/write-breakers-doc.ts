// Writes the diagram of the circuit breakers in docs/risk.md from the table of states that the service runs on. The text
// around it is written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { BREAKER } from '../../apps/server/src/breakers/breaker-states.ts'
import { stateDiagram, withParts } from './state-diagrams.ts'

const file = new URL('../../docs/risk.md', import.meta.url)

const PARTS: Readonly<Record<string, () => string>> = {
  'circuit breaker diagram': () =>
    stateDiagram(
      ['closed'],
      BREAKER.transitions.map(({ from, event, to }) => ({ from, to, label: event })),
    ),
}

/** The document with its generated part between the markers. Throws if a marker is missing. */
export const breakersDocument = (current: string): string => withParts('docs/risk.md', current, PARTS)

if (import.meta.main) writeFileSync(file, breakersDocument(readFileSync(file, 'utf8')))
