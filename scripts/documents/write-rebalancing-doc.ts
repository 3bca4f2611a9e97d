// Writes the diagram of awaited withdrawals in docs/rebalancing.md from the table of states that the service runs on. The
// text around it is written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { AWAITED, OPENING_AWAITED_STATE } from '../../apps/server/src/rebalancing/awaited/awaited-states.ts'
import { stateDiagram, withParts } from './state-diagrams.ts'

const file = new URL('../../docs/rebalancing.md', import.meta.url)

const PARTS: Readonly<Record<string, () => string>> = {
  'awaited withdrawal diagram': () =>
    stateDiagram(
      [OPENING_AWAITED_STATE],
      AWAITED.transitions.map(({ from, event, to }) => ({ from, to, label: event })),
    ),
}

/** The document with its generated part between the markers. Throws if a marker is missing. */
export const rebalancingDocument = (current: string): string => withParts('docs/rebalancing.md', current, PARTS)

if (import.meta.main) writeFileSync(file, rebalancingDocument(readFileSync(file, 'utf8')))
