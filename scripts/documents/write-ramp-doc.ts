// Writes the diagrams of docs/ramp.md from the tables of states that the service runs on. The text around them is written
// by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { KYB } from '../../apps/server/src/ramp/customers/kyb-states.ts'
import { RAMP_TRANSACTIONS } from '../../apps/server/src/ramp/transactions/ramp-transaction-states.ts'
import { stateDiagram, withParts } from './state-diagrams.ts'

const file = new URL('../../docs/ramp.md', import.meta.url)

const PARTS: Readonly<Record<string, () => string>> = {
  'verification diagram': () =>
    stateDiagram(
      [],
      KYB.transitions.map(({ from, to, emits }) => ({ from: stateOf(from), to, label: emits ?? '' })),
    ),
  'on-ramp diagram': () => transactionDiagram('onramp'),
  'off-ramp diagram': () => transactionDiagram('offramp'),
}

/** The document with each generated part between its markers. Throws if a marker is missing. */
export const rampDocument = (current: string): string => withParts('docs/ramp.md', current, PARTS)

/** The label of an arrow is the entry in the fiat ledger. */
function transactionDiagram(direction: keyof typeof RAMP_TRANSACTIONS): string {
  const { transitions } = RAMP_TRANSACTIONS[direction]
  return stateDiagram(
    [],
    transitions.map(({ from, to, posts }) => ({ from: stateOf(from), to, label: posts ?? '' })),
  )
}

const stateOf = (state: string): string => (state === 'new' ? '[*]' : state)

if (import.meta.main) writeFileSync(file, rampDocument(readFileSync(file, 'utf8')))
