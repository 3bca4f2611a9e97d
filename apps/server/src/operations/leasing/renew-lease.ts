import { addMilliseconds, Failure } from '../../kernel/index.ts'
import type { Lease } from '../lifecycle/agent-work.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { readAgentWork } from '../lifecycle/read-agent-work.ts'
import { activeLease } from './lease.ts'

export interface RenewLease {
  readonly organizationId: number
  readonly transactionId: number
  readonly leaseDurationMs: number
  readonly leaseToken?: string | undefined
}

/**
 * Extends an active lease to `leaseDurationMs` from now (contract 9). Errors: TRANSACTION_NOT_FOUND; LEASE_LOST (it
 * lapsed, passed to another agent, or ended with a report).
 */
export async function renewLease(parts: Pick<Parts, 'db' | 'clock'>, input: RenewLease): Promise<Lease> {
  const { organizationId, transactionId } = input
  const now = parts.clock.now()
  const work = await readAgentWork(parts.db, organizationId, transactionId)
  const lease = activeLease(work, input.leaseToken, now)
  if (!lease) throw new Failure('LEASE_LOST')
  const leasedUntil = addMilliseconds(now, input.leaseDurationMs)
  const renewed = await parts.db
    .updateTable('agent_work')
    .set({ leased_until: leasedUntil, available_at: leasedUntil })
    .where('organization_id', '=', organizationId)
    .where('transaction_id', '=', transactionId)
    .where('lease_token', '=', lease.leaseToken)
    .where('stage', '=', 'leased')
    .returning('transaction_id')
    .executeTakeFirst()
  if (!renewed) throw new Failure('LEASE_LOST')
  return { ...lease, leasedUntil }
}
