import type { IssuedBytes } from '../../src/operations/index.ts'
import type { SimulationRun } from '../simulation-run.ts'
import type { BytesVersion, IssuedVersions } from '../treasury/issued-versions.ts'
import { Violation } from '../violation.ts'
import { LEAVES } from './breakers.ts'
import { LEFT_OUT } from './requests-of-covered-money.ts'

interface Row {
  readonly state: string
  readonly origin: string
  readonly required: number
  readonly approvals: number
  readonly strategy: string
  readonly buffer: string
  readonly amount: string | null
  /** Whether an open circuit breaker withdraws everything. */
  readonly leaves: boolean
  readonly left_out: readonly string[]
  /** Of a deployment of the rebalancer: what ruled it out before its lease began. */
  readonly ruledOut: string | null
}

export interface Issuance {
  /** Bytes of the transaction that were issued earlier. */
  readonly earlier: readonly BytesVersion[]
  readonly version: BytesVersion
  readonly isNew: boolean
  readonly row: Row
  readonly wrong: (what: string) => void
}

/** SQL: what ruled out the operation `o` before $2, if the rebalancer deploys by it; otherwise null. */
const RULED_OUT = `case when o.origin = 'rebalancer' and o.type = 'SUPPLY' then coalesce(
  (select 'a circuit breaker opened' from circuit_breakers b
    where b.organization_id = o.organization_id and b.strategy_id = o.strategy_id
      and b.state in ('open', 'recovering') and b.opened_at < $2 limit 1),
  (select 'its strategy left the allow-list' from deposit_limits l
    where l.organization_id = o.organization_id and l.updated_at < $2
      and jsonb_typeof(l.limits -> 'allowedStrategies') = 'array'
      and not l.limits -> 'allowedStrategies' @> to_jsonb(o.strategy_id))) end`

/**
 * Invariants at the moment when an agent is issued bytes, on every chain: nobody else holds them, their operation has all
 * required approvals, and no circuit breaker or allow-list rules it out since (rule 4 and 10). Records that they are issued.
 */
export async function checkIssuance(
  run: SimulationRun,
  versions: IssuedVersions,
  issued: IssuedBytes,
  to: string,
): Promise<Issuance> {
  const { operation, transaction, lease } = issued
  const { operationId } = operation
  const wrong = (what: string) => {
    throw new Violation(
      `transaction ${transaction.transactionId} of operation ${operationId}, issued to ${to}, ${what}`,
    )
  }
  const earlier = [...versions.of(transaction.transactionId)]
  const holder = earlier.find(({ leasedUntil }) => leasedUntil > run.clock.now())
  if (holder) wrong(`is leased to ${holder.last} until ${holder.leasedUntil.toISOString()}`)
  const isNew = earlier.every(({ bytes }) => bytes !== transaction.unsignedBytes)
  const version = versions.add(issued, to)
  const { rows } = await run.database.reader.query<Row>(
    `select o.state, o.origin, o.required_approvals as required, s.key as strategy, ow.buffer_amount::text as buffer,
        o.amount::text as amount, ${LEAVES} as leaves, ${LEFT_OUT} as left_out, ${RULED_OUT} as "ruledOut", (select count(*) from operation_approvals a
          where a.operation_id = o.id and a.decision = 'approve'
          and (o.requested_by_type is distinct from 'user' or a.user_id <> o.requested_by_id))::int as approvals
      from operations o join strategies s on s.id = o.strategy_id
        join operational_wallets ow on ow.id = o.op_wallet_id where o.id = $1`,
    [operationId, lease.claimedAt],
  )
  const row = rows[0]!
  // The last transaction of an operation may be replaced while it is confirming.
  const isReplacement = row.state === 'CONFIRMING' && earlier.length > 0
  if (row.state !== 'EXECUTING' && !isReplacement) wrong(`belongs to an operation that is ${row.state}`)
  if (row.approvals < row.required) wrong(`has ${row.approvals} of ${row.required} approvals`)
  if (row.ruledOut !== null) wrong(`deploys although ${row.ruledOut}`)
  return { earlier, version, isNew, row, wrong }
}
