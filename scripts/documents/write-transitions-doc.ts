// Writes docs/transitions.md from the tables of states that the service runs on. A test compares the two.
import { writeFileSync } from 'node:fs'
import { AGENT_ACTION, REQUESTED_STATUS } from '../../apps/server/src/agents/action-states.ts'
import type { StateTransition } from '../../apps/server/src/kernel/index.ts'
import { AGENT_WORK } from '../../apps/server/src/operations/lifecycle/states/agent-work-states.ts'
import { TRANSITIONS } from '../../apps/server/src/operations/lifecycle/states/operation-states.ts'
import {
  INITIAL_TRANSACTION_STATES,
  TRANSACTIONS,
} from '../../apps/server/src/operations/lifecycle/states/transaction-states.ts'
import { STORED_SEND_STATE, TREASURY_SEND } from '../../apps/server/src/sandbox/treasury/treasury-send-states.ts'
import { DELIVERY, QUEUED_STATUS } from '../../apps/server/src/webhooks/lifecycle/delivery-states.ts'
import { stateDiagram } from './state-diagrams.ts'

const file = new URL('../../docs/transitions.md', import.meta.url)

export const transitionsDocument = (): string => `# State transitions

<!-- Written by scripts/documents/write-transitions-doc.ts. -->

The service runs on these tables. [Operations](operations.md) says what the states mean.

## What moves an operation from state to state?

*Reservation* is what happens to the reserved amount. The events in *Emits* commit with the change.

${operationTable()}

## What moves a transaction from state to state?

${diagram(INITIAL_TRANSACTION_STATES, TRANSACTIONS.transitions)}

## What moves the work of an agent?

Work is \`waiting\` until the transaction before it is in a block, \`ready\` for a [custody agent](agents-protocol.md), and
\`done\` once it is in a block or its operation has ended.

${diagram(['ready', 'waiting'], AGENT_WORK.transitions)}

## What moves an agent action?

A member requests a wallet, and a custody agent [creates and reports it](agents-protocol.md).

${diagram([REQUESTED_STATUS], AGENT_ACTION.transitions)}

## What moves a webhook delivery?

Each event becomes a delivery for each [webhook](webhooks.md) that subscribes to it.

${diagram([QUEUED_STATUS], DELIVERY.transitions)}

## What moves a payment of the sandbox?

The treasuries of embedded chains store the signed bytes of a payment before they send it, and again until it is in a
block.

${diagram([STORED_SEND_STATE], TREASURY_SEND.transitions)}
`

const diagram = (initial: readonly string[], transitions: readonly StateTransition[]): string =>
  stateDiagram(
    initial,
    transitions.map(({ from, event, to }) => ({ from, to, label: event })),
  )

function operationTable(): string {
  const rows = TRANSITIONS.map(({ from, event, to, reservation, failureReason, emits }) => {
    const cells = [
      code(from),
      code(event),
      code(to),
      reservation,
      code(failureReason),
      (emits ?? []).map(code).join(', '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const head = ['| From | Event | To | Reservation | `failureReason` | Emits |', '|---|---|---|---|---|---|']
  return [...head, ...rows].join('\n')
}

const code = (text: string | undefined): string => (text === undefined ? '' : `\`${text}\``)

if (import.meta.main) writeFileSync(file, transitionsDocument())
