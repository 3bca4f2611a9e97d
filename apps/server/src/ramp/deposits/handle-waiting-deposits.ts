import { sql } from 'kysely'
import type { Chain } from '../../chains/index.ts'
import { holdsLease, inTransaction, isInfrastructureFailure, type Tx } from '../../database/index.ts'
import { assert, DEPOSITS_BATCH, secondsBetween } from '../../kernel/index.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import { feeTermsOf, splitCents } from '../pricing/fees.ts'
import type { DepositRejection, RampProvider } from '../provider/port.ts'
import { nextAttemptAt } from './defer-block.ts'
import { type DepositParts, UNTIL_HANDLED } from './record-inbound-deposits.ts'
import { returnAddressOf } from './return-address.ts'

/**
 * Passes recorded deposits to the banking provider, some of those that are due, the longest waiting first, each exactly
 * once. One that fails delays no other: it is tried again later. Returns whether more may be due.
 */
export async function handleWaitingDeposits(parts: DepositParts, chain: Chain, signal: AbortSignal): Promise<boolean> {
  const { handleDeposit } = parts.provider
  if (!handleDeposit) return false
  const waiting = await readWaiting(parts, chain.network.blockchain)
  for (const deposit of waiting) {
    if (signal.aborted) return true
    try {
      await handle(parts, chain, deposit, handleDeposit)
    } catch (error) {
      if (isInfrastructureFailure(error)) throw error
      await deferDeposit(parts, deposit, error instanceof Error ? error : new Error(String(error)))
    }
  }
  return waiting.length === DEPOSITS_BATCH
}

type WaitingDeposit = Awaited<ReturnType<typeof readWaiting>>[number]

function readWaiting({ db, clock }: DepositParts, blockchain: string) {
  return db
    .selectFrom('ramp_deposits as deposit')
    .innerJoin('ramp_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'deposit.organization_id')
        .onRef('account.id', '=', 'deposit.account_id'),
    )
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'account.organization_id')
        .onRef('wallets.id', '=', 'account.wallet_id'),
    )
    .selectAll('deposit')
    .select([
      'account.provider_reference',
      'account.token_address as account_token',
      'account.customer_id',
      'account.rail',
      'wallets.address as wallet_address',
    ])
    .where('deposit.blockchain', '=', blockchain)
    .where(({ eb, or }) =>
      or([
        eb('deposit.next_attempt_at', '<=', clock.now()),
        eb('deposit.next_attempt_at', '=', sql<Date>`${UNTIL_HANDLED}::timestamptz`),
      ]),
    )
    .orderBy('deposit.next_attempt_at')
    .orderBy('deposit.id')
    .limit(DEPOSITS_BATCH)
    .execute()
}

async function handle(
  parts: DepositParts,
  { network }: Chain,
  deposit: WaitingDeposit,
  handleDeposit: NonNullable<RampProvider['handleDeposit']>,
): Promise<void> {
  const token = network.tokens.find(({ address }) => address === deposit.token_address)
  assert(token, 'an inbound transfer has a configured token')
  const { cents, dust } = splitCents(deposit.amount, token.decimals)
  const terms = await feeTermsOf(parts.db, deposit.organization_id)
  const { decimals: tokenDecimals, symbol: asset } = token
  const quote = await parts.provider.quote({ direction: 'offramp', usdCents: cents, tokenDecimals, terms })
  const returnTo = await returnAddressOf(parts.db, deposit)
  const handled = await inTransaction(parts.db, async (tx) => {
    const isOpen = await lockOpenAccount(tx, deposit)
    const taken = await tx
      .updateTable('ramp_deposits')
      .set({ next_attempt_at: null, error: null })
      .where('organization_id', '=', deposit.organization_id)
      .where('id', '=', deposit.id)
      .where('next_attempt_at', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    // Another process had not noticed that it was replaced.
    if (!taken) return false
    const events = await handleDeposit(tx, {
      depositId: deposit.id,
      organizationId: deposit.organization_id,
      accountId: deposit.account_id,
      accountReference: deposit.provider_reference,
      blockchain: deposit.blockchain,
      txHash: deposit.tx_hash,
      position: deposit.position,
      tokenAddress: deposit.token_address,
      asset,
      tokenDecimals,
      amount: deposit.amount,
      quote,
      dust,
      rail: deposit.rail,
      returnTo,
      rejection: rejectionOf(deposit, isOpen, cents),
    })
    for (const event of events) await applyProviderEvent(parts, tx, event)
    return true
  })
  if (!handled || deposit.attempts === 0) return
  const { id, blockchain, attempts: failures } = deposit
  const seconds = secondsBetween(deposit.detected_at, parts.clock.now())
  parts.log.info({ blockchain, depositId: id, failures, seconds }, 'handled a deposit that had failed')
}

async function deferDeposit({ db, clock, log }: DepositParts, deposit: WaitingDeposit, failure: Error): Promise<void> {
  const { organization_id: organizationId, id, blockchain } = deposit
  const attempts = deposit.attempts + 1
  await db
    .updateTable('ramp_deposits')
    .set({ attempts, next_attempt_at: nextAttemptAt(clock.now(), attempts), error: failure.message })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('next_attempt_at', 'is not', null)
    .where(holdsLease(db))
    .execute()
  if (deposit.error !== failure.message)
    log.error(
      { err: failure, blockchain, organizationId, depositId: id },
      'failed to handle a deposit; it is retried later',
    )
}

/**
 * Whether the account and its organization still exist, as is known only now: a page may have been read a while ago. They
 * cannot end until the transaction does. Locked in the order in which an archiving locks them.
 */
async function lockOpenAccount(tx: Tx, deposit: WaitingDeposit): Promise<boolean> {
  const organization = await tx
    .selectFrom('organizations')
    .select('deleted_at')
    .where('id', '=', deposit.organization_id)
    .forShare()
    .executeTakeFirstOrThrow()
  await tx
    .selectFrom('ramp_customers')
    .select('id')
    .where('organization_id', '=', deposit.organization_id)
    .where('id', '=', deposit.customer_id)
    .forShare()
    .execute()
  const account = await tx
    .selectFrom('ramp_accounts')
    .select('status')
    .where('organization_id', '=', deposit.organization_id)
    .where('id', '=', deposit.account_id)
    .forShare()
    .executeTakeFirstOrThrow()
  return organization.deleted_at === null && account.status !== 'archived'
}

function rejectionOf(deposit: WaitingDeposit, isOpen: boolean, cents: bigint): DepositRejection | null {
  if (!isOpen) return 'account_archived'
  if (deposit.token_address !== deposit.account_token) return 'unsupported_asset'
  return cents === 0n ? 'below_one_cent' : null
}
