import { type Clock, Failure, validationError } from '../kernel/index.ts'
import { strategyById } from '../venues/index.ts'
import { findOperationalWallet, selectWallets } from '../wallets/index.ts'
import { getActivePolicy } from './active-policy.ts'
import { DECIMAL_PATTERN, type PolicyInput } from './conditions.ts'
import { counterpartiesOf } from './counterparties.ts'
import { decide, type PolicyDecision } from './decide.ts'
import { parsePolicy } from './parse-policy.ts'
import type { ActivePolicy } from './policy.ts'
import type { PolicyParts } from './policy-versions.ts'
import { invalidPolicy } from './update-policy.ts'

/** An operation as far as it is known. What can be looked up from the rest need not be said. */
export interface HypotheticalOperation {
  readonly type?: 'SUPPLY' | 'UNWIND' | undefined
  /** Decimal text. */
  readonly amount?: string | undefined
  readonly walletId?: number | undefined
  readonly opWalletId?: number | undefined
  readonly strategyId?: number | undefined
  readonly custodyProvider?: string | undefined
  readonly counterparties?: readonly string[] | undefined
  /** When it would be planned; now, if not said. */
  readonly at?: Date | undefined
  /** A policy to try out instead of the one in force. */
  readonly policy?: unknown
}

/**
 * What would happen to an operation, and which rule decides (contract 7); changes nothing. Errors: VALIDATION_ERROR,
 * WALLET_NOT_FOUND, STRATEGY_NOT_FOUND.
 */
export async function evaluatePolicy(
  parts: PolicyParts & { readonly clock: Clock },
  organizationId: number,
  supposed: HypotheticalOperation,
): Promise<PolicyDecision> {
  const policy =
    supposed.policy === undefined ? await getActivePolicy(parts.db, organizationId) : candidatePolicy(supposed.policy)
  const { type, custodyProvider, counterparties, at = parts.clock.now() } = supposed
  const wallet = await walletOf(parts, organizationId, supposed)
  const strategy = supposed.strategyId === undefined ? undefined : await strategyById(parts.db, supposed.strategyId)
  if (supposed.strategyId !== undefined && strategy === undefined) throw new Failure('STRATEGY_NOT_FOUND')
  const facts: PolicyInput = {
    type,
    amount: supposed.amount === undefined ? undefined : amountFrom(supposed.amount),
    walletId: wallet?.walletId,
    custodyProvider: custodyProvider ?? wallet?.custodyProvider,
    counterparties: counterparties ?? (strategy && counterpartiesOf(strategy)),
    at,
  }
  return decide(policy, facts)
}

function candidatePolicy(input: unknown): ActivePolicy {
  const read = parsePolicy(input)
  if ('policy' in read) return read.policy
  throw invalidPolicy(read.problems.map(({ path, message }) => ({ path: within(path), message })))
}

function within(path: string): string {
  return path === 'body' ? 'policy' : `policy.${path}`
}

async function walletOf(parts: PolicyParts, organizationId: number, { walletId, opWalletId }: HypotheticalOperation) {
  const named =
    opWalletId === undefined ? undefined : await findOperationalWallet(parts.db, { organizationId, opWalletId })
  if (opWalletId !== undefined && named === undefined) throw new Failure('WALLET_NOT_FOUND')
  if (named !== undefined && walletId !== undefined && named.walletId !== walletId)
    throw validationError('walletId', 'must be the wallet of the operational wallet')
  const id = walletId ?? named?.walletId
  if (id === undefined) return undefined
  const scope = { organizationId, walletProfileId: null }
  const row = await selectWallets(parts.db, scope, { walletId: id }).select('custody_provider').executeTakeFirst()
  if (row === undefined) throw new Failure('WALLET_NOT_FOUND')
  return { walletId: id, custodyProvider: row.custody_provider ?? 'self' }
}

/** A decimal text as fine as it is written. Error: VALIDATION_ERROR. */
function amountFrom(text: string): { baseUnits: bigint; decimals: number } {
  const match = DECIMAL_PATTERN.exec(text)
  const [, whole = '', fraction = ''] = match ?? []
  const baseUnits = match === null ? 0n : BigInt(whole + fraction)
  if (baseUnits === 0n) throw validationError('amount', 'must be a decimal amount above zero, such as "900.00"')
  return { baseUnits, decimals: fraction.length }
}
