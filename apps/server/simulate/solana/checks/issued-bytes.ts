import type { IssuedBytes } from '../../../src/operations/index.ts'
import { TERMINAL } from '../../../src/operations/lifecycle/states/operation-states.ts'
import { checkIssuance } from '../../checks/issuance.ts'
import type { IssuedVersions } from '../../treasury/issued-versions.ts'
import type { SolanaRunState } from '../solana-run-state.ts'
import { MARKETS } from '../world/market.ts'
import { expectBytes, lifeOf } from './plan.ts'

/**
 * Invariants at the moment when an agent is issued bytes on Solana: they do what was approved and keep the buffer, and
 * no bytes issued earlier for this wallet and token can still land, neither of this operation nor of an ended one
 * (rule 1 and 2).
 */
export async function checkIssuedBytes(
  run: SolanaRunState,
  versions: IssuedVersions,
  issued: IssuedBytes,
  to: string,
): Promise<void> {
  const { earlier: before, isNew, version, row, wrong } = await checkIssuance(run, versions, issued, to)
  const { transaction, sender } = version
  const market = MARKETS.find(({ key }) => key === row.strategy)!
  const kind = transaction.kind === 'supply' ? 'supply' : 'unwind'
  expectBytes(run, sender, transaction, { market, kind, amount: row.amount === null ? undefined : BigInt(row.amount) })
  if (!isNew) return
  for (const earlier of before) {
    const why = earlier === version ? undefined : lifeOf(run, earlier.transaction)
    if (why) wrong(`has new bytes, and its earlier ones ${why}`)
  }
  const ended = await endedOperations(run)
  for (const other of versions.all()) {
    const { operationId, strategyId } = other.operation
    if (other.sender !== sender || strategyId !== version.operation.strategyId || !ended.has(operationId)) continue
    const why = lifeOf(run, other.transaction)
    if (why?.startsWith('can land')) wrong(`is issued while operation ${operationId} has ended, whose bytes ${why}`)
  }
  if (kind === 'supply' && run.readsAreExact) {
    const left = run.balanceOf(market.token, sender) - BigInt(row.amount!)
    if (left < BigInt(row.buffer)) wrong(`leaves ${left} where the buffer is ${row.buffer}`)
  }
}

/** Operations that ended without taking effect. */
async function endedOperations({ database }: SolanaRunState): Promise<ReadonlySet<number>> {
  const states = TERMINAL.filter((state) => state !== 'COMPLETED')
  const { rows } = await database.reader.query<{ id: number }>(
    'select id from operations where state = any($1::text[])',
    [states],
  )
  return new Set(rows.map(({ id }) => Number(id)))
}
