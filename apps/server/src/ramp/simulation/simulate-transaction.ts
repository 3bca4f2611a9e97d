import { extendTransact, type RampDirection, type Transact, transactOn } from '../../database/index.ts'
import type { Actor } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import { findAccount, oldestAccount, type RampAccount } from '../accounts/account.ts'
import { findRecipient } from '../customers/customer.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import type { RampParts } from '../parts.ts'
import { feeTermsOf } from '../pricing/fees.ts'
import type { Scenario, StartedSimulation } from '../provider/port.ts'

export interface SimulateTransactionInput {
  readonly organizationId: number
  readonly direction: RampDirection
  /** Null: any account of the organization or of its recipients. */
  readonly recipientId: number | null
  /** Undefined: the oldest. */
  readonly accountId: number | undefined
  readonly usdCents: bigint
  readonly scenario: Scenario
  readonly delayMs: number
  readonly createdBy?: Actor
}

export interface RampSimulation {
  readonly simulationId: string
}

/**
 * Starts a simulated payment or token deposit, which then continues in the background; sandbox only (spec 4.7,
 * contract 11).
 *
 * Errors: SANDBOX_ONLY, RECIPIENT_NOT_FOUND, ACCOUNT_NOT_FOUND, RECIPIENT_ARCHIVED, VALIDATION_ERROR (a chain that is not
 * embedded), SIMULATION_FAILED, CHAIN_UNAVAILABLE.
 */
export async function simulateTransaction(
  parts: RampParts,
  input: SimulateTransactionInput,
  transact: Transact<RampSimulation> = transactOn(parts.db),
): Promise<RampSimulation> {
  const { simulator } = parts.provider
  if (!simulator) throw new Failure('SANDBOX_ONLY')
  const account = await accountOf(parts, input)
  const { decimals } = tokenOf(parts, account)
  const { organizationId, direction, usdCents, scenario, delayMs, createdBy } = input
  const terms = await feeTermsOf(parts.db, organizationId)
  const simulated = {
    organizationId,
    accountId: account.accountId,
    accountReference: account.providerReference,
    blockchain: account.wallet.blockchain,
    tokenAddress: account.tokenAddress,
    asset: account.asset,
    tokenDecimals: decimals,
    rail: account.rail,
    walletAddress: account.wallet.address,
    depositAddress: account.depositAddress,
    quote: await parts.provider.quote({ direction, usdCents, tokenDecimals: decimals, terms }),
    scenario,
    delayMs,
    ...(createdBy && { createdBy }),
  }
  const withEvents = extendTransact(transact, async (tx, { simulationId, events }: StartedSimulation) => {
    for (const event of events) await applyProviderEvent(parts, tx, event)
    return { simulationId }
  })
  const { simulationId } = await simulator[direction === 'onramp' ? 'payIn' : 'deposit'](simulated, withEvents)
  return { simulationId }
}

async function accountOf(parts: RampParts, input: SimulateTransactionInput): Promise<RampAccount> {
  const { organizationId, recipientId, accountId, direction } = input
  if (recipientId !== null) {
    const recipient = await findRecipient(parts, organizationId, recipientId)
    if (recipient.archivedAt) throw new Failure('RECIPIENT_ARCHIVED')
  }
  const customerId = recipientId ?? undefined
  if (accountId === undefined) {
    const oldest = await oldestAccount(parts, organizationId, { customerId, direction })
    if (!oldest) throw new Failure('ACCOUNT_NOT_FOUND')
    return oldest
  }
  const account = await findAccount(parts, organizationId, accountId, direction)
  if (customerId !== undefined && account.customerId !== customerId) throw new Failure('ACCOUNT_NOT_FOUND')
  if (account.status === 'archived') throw new Failure('RECIPIENT_ARCHIVED')
  return account
}

/** The token of an account. Error: CHAIN_UNAVAILABLE. */
function tokenOf({ chains }: RampParts, { wallet, tokenAddress }: RampAccount) {
  const token = chains.get(wallet.blockchain)?.network.tokens.find(({ address }) => address === tokenAddress)
  if (!token) {
    throw new Failure('CHAIN_UNAVAILABLE', { message: `${wallet.blockchain} is not configured at the moment.` })
  }
  return token
}
