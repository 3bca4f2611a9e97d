import { sql } from 'kysely'
import { inTransaction } from '../../database/index.ts'
import { addMilliseconds, Failure, LEASE_RENEWALS_MS } from '../../kernel/index.ts'
import { stopReason } from '../lifecycle/conflicts/stop-reason.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import { readOperation } from '../lifecycle/reads/read-operations.ts'
import type { Lease } from '../lifecycle/states/agent-work.ts'
import { activeLease } from './lease.ts'

export interface RenewLease {
  readonly organizationId: number
  readonly transactionId: number
  readonly leaseDurationMs: number
  readonly leaseToken?: string | undefined
}

/**
 * Extends an active lease to `leaseDurationMs` from now (contract 9), never shortens it, for a day at most since it
 * began: an agent that never signs would otherwise keep the wallet forever. A deployment of Weir's own is not renewed
 * once a breaker or limit stops it: the agent then signs nothing, and bytes are withheld from the next lease on (ADR
 * 124).
 *
 * Errors: TRANSACTION_NOT_FOUND; LEASE_LOST (it lapsed, passed to another agent, ended with a report, or is not renewed).
 */
export async function renewLease(
  parts: Pick<Parts, 'db' | 'clock' | 'limitReason'>,
  input: RenewLease,
): Promise<Lease> {
  const { organizationId, transactionId } = input
  const now = parts.clock.now()
  const work = await readAgentWork(parts.db, organizationId, transactionId)
  const lease = activeLease(work, input.leaseToken, now)
  if (!lease) throw new Failure('LEASE_LOST')
  if (lease.claimedAt <= addMilliseconds(now, -LEASE_RENEWALS_MS))
    throw new Failure('LEASE_LOST', { message: 'The lease began a day ago and is not renewed. Ask for work again.' })
  const leasedUntil = sql<Date>`greatest(leased_until, ${addMilliseconds(now, input.leaseDurationMs)})`
  return await inTransaction(parts.db, async (tx) => {
    const scope = { organizationId, walletProfileId: null }
    const reason = await stopReason(parts, tx, await readOperation(tx, scope, work.operationId))
    if (reason !== undefined) throw new Failure('LEASE_LOST', { message: `The lease is not renewed. ${reason}` })
    const renewed = await tx
      .updateTable('agent_work')
      .set({ leased_until: leasedUntil, available_at: leasedUntil })
      .where('organization_id', '=', organizationId)
      .where('transaction_id', '=', transactionId)
      .where('lease_token', '=', lease.leaseToken)
      .where('stage', '=', 'leased')
      .returning('leased_until')
      .executeTakeFirst()
    if (!renewed?.leased_until) throw new Failure('LEASE_LOST')
    return { ...lease, leasedUntil: renewed.leased_until }
  })
}
