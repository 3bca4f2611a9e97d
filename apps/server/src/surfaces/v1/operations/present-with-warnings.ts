import { depositWarning, stoppedStrategies } from '../../../breakers/index.ts'
import type { Database, Tx } from '../../../database/index.ts'
import type { Operation } from '../../../operations/index.ts'
import { feeWarning, strategyById } from '../../../venues/index.ts'
import { presentOperation } from './operation-record.ts'

/** A plan with what speaks against it: an open circuit breaker for a supply, and the fee that a vault keeps for both. */
export const presentWithWarnings = (db: Database) => async (operation: Operation, tx?: Tx) => {
  const { organizationId, strategyId, type } = operation
  const isSupply = type === 'SUPPLY'
  const strategy = await strategyById(tx ?? db, strategyId)
  const stopped = isSupply ? (await stoppedStrategies(tx ?? db, organizationId)).get(strategyId) : undefined
  const fee = strategy && feeWarning(strategy, isSupply ? 'entry' : 'exit')
  const warnings = [depositWarning(stopped), fee].filter((text) => text !== undefined)
  return { ...presentOperation(operation), ...(warnings.length > 0 && { warnings }) }
}
