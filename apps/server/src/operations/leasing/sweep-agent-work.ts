import { type RawBuilder, sql } from 'kysely'
import { inTransaction, runSweep } from '../../database/index.ts'
import { AGENT_ABANDONED_MS, AGENT_WITHHELD_MS, addMilliseconds, OPERATIONS_SWEEP_BATCH } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import { type AgentWork, issueRecordOf } from '../lifecycle/states/agent-work.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isFinal } from '../lifecycle/states/transaction.ts'
import { lastFailureText } from './agent-reports.ts'
import { endAgentOperation } from './end-agent-operation.ts'

interface SweepRow {
  readonly organization_id: number
  readonly operation_id: number
  readonly transaction_id: number
}

type SweepParts = Pick<Parts, 'db' | 'clock' | 'log'>

/**
 * Ends operations whose bytes are withheld, once that is safe: when they are dead (rule 4). It fails those whose agent
 * reported FAILED, and aborts deployments that a circuit breaker or a limit stopped. On EVM chains unused bytes never die,
 * so there an operation ends after half an hour while its bytes can still land. The next plan takes the same nonce, so at
 * most one of the two lands (rule 2). Returns how many were checked.
 */
export async function failWithheldOperations(parts: SweepParts): Promise<number> {
  const since = addMilliseconds(parts.clock.now(), -AGENT_WITHHELD_MS)
  const withheld = (after: number) => sql<SweepRow>`
    select w.organization_id, w.operation_id, w.transaction_id from agent_work w
    join transactions t on t.organization_id = w.organization_id and t.id = w.transaction_id
    where w.stage = 'withheld' and (not t.can_still_land or (t.nonce is not null and w.withheld_at <= ${since}))
      and w.transaction_id > ${after}
    order by w.transaction_id limit ${OPERATIONS_SWEEP_BATCH}`
  return endOperations(parts, 'agent_failed', withheld)
}

/**
 * Aborts operations that were leased, or partly executed, and that no agent requested again within a day: no agent is
 * running, or the wallet cannot pay. On Solana only once the bytes are dead; on EVM chains the bytes may still land, as
 * above. Returns how many were checked.
 */
export async function abortAbandonedOperations(parts: SweepParts): Promise<number> {
  const since = addMilliseconds(parts.clock.now(), -AGENT_ABANDONED_MS)
  const abandoned = (after: number) => sql<SweepRow>`
    select w.organization_id, w.operation_id, w.transaction_id from agent_work w
    join transactions t on t.organization_id = w.organization_id and t.id = w.transaction_id
    where w.stage in ('leased', 'paused') and w.available_at <= ${since} and w.issued_at is not null
      -- The fate of a submitted transaction is the chain's; a replacement may wait.
      and t.state = 'unsigned' and (not t.can_still_land or t.nonce is not null)
      and w.transaction_id > ${after}
    union all
    select w.organization_id, w.operation_id, w.transaction_id from agent_work w
    join transactions before on before.organization_id = w.organization_id
      and before.operation_id = w.operation_id and before.position = w.position - 1
    where w.stage in ('ready', 'leased', 'paused') and w.issued_at is null and before.finalized_at <= ${since}
      and w.transaction_id > ${after}
    order by transaction_id limit ${OPERATIONS_SWEEP_BATCH}`
  return endOperations(parts, 'aborted', abandoned)
}

/** Ends the operations of these rows. One that fails does not delay the others. */
function endOperations(
  parts: SweepParts,
  event: 'agent_failed' | 'aborted',
  rowsAfter: (transactionId: number) => RawBuilder<SweepRow>,
): Promise<number> {
  return runSweep<SweepRow>(parts, {
    job: event === 'aborted' ? 'end abandoned work of agents' : 'end withheld work of agents',
    pageSize: OPERATIONS_SWEEP_BATCH,
    page: async (after) => (await rowsAfter(after?.transaction_id ?? 0).execute(parts.db)).rows,
    keyOf: ({ operation_id }) => String(operation_id),
    work: (row) => endOperation(parts, row, event),
  })
}

/** Checks again under the lock: an agent may have reported or leased it meanwhile. */
async function endOperation(
  parts: Pick<Parts, 'db' | 'clock'>,
  row: SweepRow,
  event: 'agent_failed' | 'aborted',
): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(
      tx,
      { organizationId: row.organization_id, walletProfileId: null },
      row.operation_id,
    )
    const work = await readAgentWork(tx, row.organization_id, row.transaction_id)
    const stillApplies = event === 'agent_failed' ? work.stage === 'withheld' : isAbandoned(work, operation, at)
    if (operation.state !== 'EXECUTING' || !stillApplies) return
    await endAgentOperation(tx, { operation, ...endOf(work), at })
  })
}

function isAbandoned(work: AgentWork, { transactions }: Operation, at: Date): boolean {
  if (work.stage !== 'ready' && work.stage !== 'leased' && work.stage !== 'paused') return false
  const before = transactions[work.position - 1]
  const predecessorFinal = before && isFinal(before) ? before.finalizedAt : undefined
  const idleSince = issueRecordOf(work) ? work.availableAt : predecessorFinal
  return idleSince !== undefined && idleSince <= addMilliseconds(at, -AGENT_ABANDONED_MS)
}

function endOf(work: AgentWork): { event: 'agent_failed' | 'aborted'; explanation: string } {
  if (work.stage !== 'withheld')
    return { event: 'aborted', explanation: 'No agent executed the transaction within 24 hours.' }
  return work.withheldBy === 'agent'
    ? { event: 'agent_failed', explanation: lastFailureText(work) }
    : { event: 'aborted', explanation: work.reason }
}
