import { sql } from 'kysely'
import { inTransaction } from '../database/index.ts'
import { AGENT_ABANDONED_MS, AGENT_WITHHELD_MS, later } from '../kernel/index.ts'
import { readAgentWork } from './agent-work.ts'
import { endAgentOperation } from './end-agent-operation.ts'
import type { Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { explain } from './report-failed.ts'

/** How many rows one sweep looks at; the next sweep takes the rest. */
const SWEEP = 200

interface Swept {
  readonly organization_id: number
  readonly operation_id: number
  readonly transaction_id: number
}

/**
 * Ends what an agent said FAILED of, once that is safe: when its bytes are dead (money-rules 4). On EVM chains bytes that
 * nobody uses never die; there it ends after half an hour, with its bytes watched: the next plan takes the same nonce,
 * so that at most one of them lands (money-rules 2). Returns how many were looked at.
 */
export async function endWithheld(parts: Pick<Parts, 'db' | 'clock'>): Promise<number> {
  const since = later(parts.clock.now(), -AGENT_WITHHELD_MS)
  const { rows } = await sql<Swept>`
    select w.organization_id, w.operation_id, w.transaction_id from agent_work w
    join transactions t on t.organization_id = w.organization_id and t.id = w.transaction_id
    where w.stage = 'withheld' and (not t.watched or (t.nonce is not null and w.withheld_at <= ${since}))
    order by w.withheld_at limit ${SWEEP}
  `.execute(parts.db)
  for (const row of rows) await end(parts, row, 'agent_failed')
  return rows.length
}

/**
 * Aborts what agents had and nobody asked for again in a day: no agent is working. On Solana only when its bytes are
 * dead; on EVM chains with its bytes watched, as above.
 */
export async function endAbandoned(parts: Pick<Parts, 'db' | 'clock'>): Promise<number> {
  const since = later(parts.clock.now(), -AGENT_ABANDONED_MS)
  const { rows } = await sql<Swept>`
    select w.organization_id, w.operation_id, w.transaction_id from agent_work w
    join transactions t on t.organization_id = w.organization_id and t.id = w.transaction_id
    where w.stage in ('leased', 'paused') and w.available_at <= ${since} and w.handed_out_at is not null
      and (not t.watched or t.nonce is not null)
    order by w.available_at limit ${SWEEP}
  `.execute(parts.db)
  for (const row of rows) await end(parts, row, 'aborted')
  return rows.length
}

/** Judged again under the lock: an agent may have reported meanwhile, or have it again. */
async function end(parts: Pick<Parts, 'db' | 'clock'>, row: Swept, event: 'agent_failed' | 'aborted'): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const operation = await readLocked(
      tx,
      { organizationId: row.organization_id, walletProfileId: null },
      row.operation_id,
    )
    const work = await readAgentWork(tx, row.organization_id, row.transaction_id)
    const isStill =
      event === 'agent_failed'
        ? work.stage === 'withheld'
        : (work.stage === 'leased' || work.stage === 'paused') && work.available_at <= later(at, -AGENT_ABANDONED_MS)
    if (operation.state !== 'EXECUTING' || !isStill) return
    await endAgentOperation(tx, operation, event, event === 'aborted' ? ABANDONED : lastError(work.report), at)
  })
}

const ABANDONED = 'No agent asked for the transaction again within 24 hours.'

function lastError(report: Record<string, unknown> | null): string {
  const reports = (report?.reports ?? []) as { status: string; error: string | null }[]
  return explain(reports.findLast(({ status }) => status === 'FAILED')?.error ?? 'it could not send the transaction.')
}
