import { accept, type Clock, Failure, type Money, type Parsed, validationError } from '../kernel/index.ts'
import { strategyById } from '../venues/index.ts'
import { findOperationalWallet, selectWallets } from '../wallets/index.ts'
import { getActivePolicy } from './active-policy.ts'
import type { PolicyInput } from './conditions.ts'
import { counterpartiesOf } from './counterparties.ts'
import { decide, type PolicyDecision } from './decide.ts'
import { parsePolicy } from './parse-policy.ts'
import type { ActivePolicy } from './policy.ts'
import type { PolicyParts } from './policy-versions.ts'
import { invalidPolicy } from './update-policy.ts'

/** An operation as far as it is known. Facts that follow from others may be omitted. */
export interface HypotheticalOperation {
  readonly type?: 'SUPPLY' | 'UNWIND' | undefined
  readonly amount?: Parsed<Money> | undefined
  readonly walletId?: number | undefined
  readonly opWalletId?: number | undefined
  readonly strategyId?: number | undefined
  readonly custodyProvider?: string | undefined
  readonly counterparties?: readonly string[] | undefined
  /** When it would be planned; default now. */
  readonly at?: Date | undefined
  /** A policy to try out instead of the active one. */
  readonly policy?: unknown
}

/**
 * What would happen to an operation, and which rule decides (contract 7). Changes nothing. Errors: VALIDATION_ERROR,
 * WALLET_NOT_FOUND, STRATEGY_NOT_FOUND.
 */
export async function evaluatePolicy(
  parts: PolicyParts & { readonly clock: Clock },
  organizationId: number,
  hypothetical: HypotheticalOperation,
): Promise<PolicyDecision> {
  const policy =
    hypothetical.policy === undefined
      ? await getActivePolicy(parts.db, organizationId)
      : candidatePolicy(hypothetical.policy)
  const { type, custodyProvider, counterparties, at = parts.clock.now() } = hypothetical
  const wallet = await walletOf(parts, organizationId, hypothetical)
  const strategy =
    hypothetical.strategyId === undefined ? undefined : await strategyById(parts.db, hypothetical.strategyId)
  if (hypothetical.strategyId !== undefined && strategy === undefined) throw new Failure('STRATEGY_NOT_FOUND')
  const input: PolicyInput = {
    type,
    amount: hypothetical.amount === undefined ? undefined : accept(hypothetical.amount),
    walletId: wallet?.walletId,
    custodyProvider: custodyProvider ?? wallet?.custodyProvider,
    counterparties: counterparties ?? (strategy && counterpartiesOf(strategy)),
    at,
  }
  return decide(policy, input)
}

/** A policy to try out. VALIDATION_ERROR names every invalid path below `policy`. */
export function candidatePolicy(input: unknown): ActivePolicy {
  const parsed = parsePolicy(input)
  if ('policy' in parsed) return parsed.policy
  throw invalidPolicy(parsed.problems.map(({ path, message }) => ({ path: within(path), message })))
}

function within(path: string): string {
  return path === 'body' ? 'policy' : `policy.${path}`
}

async function walletOf(parts: PolicyParts, organizationId: number, { walletId, opWalletId }: HypotheticalOperation) {
  const operationalWallet =
    opWalletId === undefined ? undefined : await findOperationalWallet(parts.db, { organizationId, opWalletId })
  if (opWalletId !== undefined && operationalWallet === undefined) throw new Failure('WALLET_NOT_FOUND')
  if (operationalWallet !== undefined && walletId !== undefined && operationalWallet.walletId !== walletId)
    throw validationError('walletId', 'must be the wallet of the operational wallet')
  const id = walletId ?? operationalWallet?.walletId
  if (id === undefined) return undefined
  const scope = { organizationId, walletProfileId: null }
  const row = await selectWallets(parts.db, scope, { walletId: id }).select('custody_provider').executeTakeFirst()
  if (row === undefined) throw new Failure('WALLET_NOT_FOUND')
  return { walletId: id, custodyProvider: row.custody_provider ?? 'self' }
}
