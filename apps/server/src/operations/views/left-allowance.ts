import { Failure } from '../../kernel/index.ts'
import { readAllowance, type SpenderAllowance, strategyById } from '../../venues/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished, UNFINISHED } from '../lifecycle/states/operation-states.ts'

/**
 * The allowance that an ended supply left to its venue: its approval landed, and its deposit did not. The chain says
 * how much of it is left. `null`: nothing; or an unfinished operation of the wallet may need the allowance; or the
 * chain is unavailable. Only such operations cost a statement and a request.
 */
export async function leftAllowance(
  parts: Pick<Parts, 'db' | 'chains'>,
  operation: Operation,
): Promise<SpenderAllowance | null> {
  const { transactions, organizationId, walletId, strategyId } = operation
  const isLeft = transactions.some(({ kind, state }) => kind === 'approve' && state === 'confirmed')
  const main = transactions.at(-1)
  if (!main || isUnfinished(operation.state) || main.state === 'confirmed' || !isLeft) return null
  const [strategy, busy] = await Promise.all([
    strategyById(parts.db, strategyId),
    parts.db
      .selectFrom('operations')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('wallet_id', '=', walletId)
      .where('state', 'in', UNFINISHED)
      .limit(1)
      .executeTakeFirst(),
  ])
  const chain = parts.chains.get(main.blockchain)
  if (busy || !strategy || !chain) return null
  try {
    const allowance = await readAllowance(chain, strategy, main.sender)
    return allowance && allowance.amount > 0n ? allowance : null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return null
  }
}
