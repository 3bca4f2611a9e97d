// Writes the tables and the diagrams of docs/operations.md from the tables of states that the service runs on. The
// text around them is written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { ALLOCATION, OPENING_STATUS } from '../../apps/server/src/allocations/positions/allocation-states.ts'
import type { StateTransition } from '../../apps/server/src/kernel/index.ts'
import { isUnfinished, TRANSITIONS } from '../../apps/server/src/operations/lifecycle/states/operation-states.ts'
import {
  TERMINAL_TRANSACTION_STATES,
  TRANSACTION_STATES,
} from '../../apps/server/src/operations/lifecycle/states/transaction-states.ts'
import { STATUSES, statesOf } from '../../apps/server/src/surfaces/v1/operations/operation-record.ts'
import { stateDiagram, withParts } from './state-diagrams.ts'

const file = new URL('../../docs/operations.md', import.meta.url)

type State = (typeof TRANSITIONS)[number]['from']

const states = [...new Set(TRANSITIONS.flatMap(({ from, to }) => [from, to]))]

const PARTS: Readonly<Record<string, () => string>> = {
  diagram: () => diagram(['PLANNING'], TRANSITIONS),
  states: stateTable,
  'transaction states': transactionStateTable,
  'allocation diagram': () => diagram([OPENING_STATUS], ALLOCATION.transitions),
}

/** The document with each generated part between its markers. Throws if a marker is missing. */
export const operationsDocument = (current: string): string => withParts('docs/operations.md', current, PARTS)

function diagram(initial: readonly string[], transitions: readonly StateTransition[]): string {
  return stateDiagram(
    initial,
    transitions.map(({ from, event, to }) => ({ from, to, label: event })),
  )
}

function stateTable(): string {
  const rows = states.map((state) => `| \`${state}\` | \`${v1Status(state)}\` | ${isUnfinished(state) ? '' : 'yes'} |`)
  return ['| State | On v1 | Ended |', '|---|---|---|', ...rows].join('\n')
}

function transactionStateTable(): string {
  const rows = Object.entries(TRANSACTION_STATES).map(([state, { status, canStillLand, meaning }]) => {
    const isTerminal = TERMINAL_TRANSACTION_STATES.some((terminal) => terminal === state)
    return `| \`${state}\` | ${meaning} | \`${status}\` | ${canStillLand ? 'yes' : ''} | ${isTerminal ? 'yes' : ''} |`
  })
  return ['| State | Meaning | `status` | May still land | Terminal |', '|---|---|---|---|---|', ...rows].join('\n')
}

function v1Status(state: State): string {
  return STATUSES.find((status) => statesOf(status).includes(state)) ?? ''
}

if (import.meta.main) writeFileSync(file, operationsDocument(readFileSync(file, 'utf8')))
