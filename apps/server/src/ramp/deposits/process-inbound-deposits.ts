import { sql } from 'kysely'
import type { Block, Chain } from '../../chains/index.ts'
import { inTransaction, isInfrastructureFailure } from '../../database/index.ts'
import {
  addMilliseconds,
  assert,
  DEFERRED_BLOCKS_BATCH,
  DEPOSIT_RETRY_MS,
  Failure,
  finishWith,
  secondsBetween,
} from '../../kernel/index.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import type { RampParts } from '../parts.ts'
import { feeTermsOf, splitCents } from '../pricing/fees.ts'
import type { DepositRejection } from '../provider/port.ts'
import { findInboundTransfers, type InboundTransfer } from './find-inbound-transfers.ts'

type DepositParts = Pick<RampParts, 'db' | 'clock' | 'fields' | 'log' | 'provider'>

/**
 * Processes token transfers to deposit addresses in a final block, each exactly once, however often the block is read
 * (contract 11). Does not read the chain. Costs one statement if the block moves tokens but none to our addresses, and
 * none if it moves no tokens.
 *
 * A deposit that fails delays neither the others nor its chain: the block is processed again later.
 */
export async function processInboundDeposits(parts: DepositParts, chain: Chain, block: Block): Promise<void> {
  const failure = await processBlock(parts, chain, block)
  if (failure) await deferBlock(parts, chain.network.blockchain, block.number, failure)
}

/**
 * Processes the blocks again whose deposits failed, a few of those that are due. Error: CHAIN_UNAVAILABLE, also for a block
 * that a node lacks.
 */
export async function retryDeferredDeposits(parts: DepositParts, chain: Chain): Promise<void> {
  const { blockchain } = chain.network
  const due = await parts.db
    .selectFrom('ramp_deferred_blocks')
    .select('block_number')
    .where('blockchain', '=', blockchain)
    .where('next_attempt_at', '<=', parts.clock.now())
    .orderBy('next_attempt_at')
    .limit(DEFERRED_BLOCKS_BATCH)
    .execute()
  for (const { block_number: number } of due) {
    const failure = await processAgain(parts, chain, number)
    if (failure) {
      await deferBlock(parts, blockchain, number, failure)
      continue
    }
    const ended = await parts.db
      .deleteFrom('ramp_deferred_blocks')
      .where('blockchain', '=', blockchain)
      .where('block_number', '=', number)
      .returning(['attempts as failures', 'since'])
      .executeTakeFirst()
    if (!ended) continue
    const { failures, since } = ended
    const seconds = secondsBetween(since, parts.clock.now())
    parts.log.info({ blockchain, blockNumber: number, failures, seconds }, 'processed the deposits of a deferred block')
  }
}

/** Like {@link processBlock}. After an infrastructure failure, the block is tried again after the others. */
async function processAgain(parts: DepositParts, chain: Chain, number: number): Promise<Error | undefined> {
  try {
    const block = await chain.block(number)
    // It was final, so this node lags behind, or has forgotten it; another one may have it.
    if (block?.number !== number)
      throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`block ${number} is not available`) })
    return await processBlock(parts, chain, block)
  } catch (error) {
    // Perhaps only this block cannot be read: the next call begins with another one.
    return finishWith(
      () => Promise.reject(error),
      () =>
        parts.db
          .updateTable('ramp_deferred_blocks')
          .set({ next_attempt_at: addMilliseconds(parts.clock.now(), DEPOSIT_RETRY_MS.first) })
          .where('blockchain', '=', chain.network.blockchain)
          .where('block_number', '=', number)
          .execute(),
    )
  }
}

/** Returns the first failure of a deposit. Throws infrastructure failures. */
async function processBlock(parts: DepositParts, chain: Chain, block: Block): Promise<Error | undefined> {
  const arrivals = findInboundTransfers(chain, block)
  if (arrivals.length === 0) return undefined
  const addresses = [...new Set(arrivals.map(({ to }) => to))]
  const accounts = await parts.db
    .selectFrom('ramp_accounts')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'ramp_accounts.organization_id')
        .onRef('wallets.id', '=', 'ramp_accounts.wallet_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'ramp_accounts.organization_id')
    .selectAll('ramp_accounts')
    .select(['wallets.address as wallet_address', 'organizations.deleted_at as organization_deleted_at'])
    .where('ramp_accounts.blockchain', '=', chain.network.blockchain)
    .where('ramp_accounts.deposit_address', '=', sql<string>`any(${addresses}::text[])`)
    .execute()
  let failure: Error | undefined
  for (const account of accounts) {
    for (const arrival of arrivals.filter(({ to }) => to === account.deposit_address)) {
      try {
        await processDeposit(parts, chain, { block, account, arrival })
      } catch (error) {
        if (isInfrastructureFailure(error)) throw error
        failure ??= error instanceof Error ? error : new Error(String(error))
      }
    }
  }
  return failure
}

/** Records that a block is to be processed again, with a longer delay after each failure. */
async function deferBlock(
  { db, clock, log }: DepositParts,
  blockchain: string,
  blockNumber: number,
  failure: Error,
): Promise<void> {
  const at = clock.now()
  const known = await db
    .selectFrom('ramp_deferred_blocks')
    .select(['attempts', 'error'])
    .where('blockchain', '=', blockchain)
    .where('block_number', '=', blockNumber)
    .executeTakeFirst()
  const attempts = (known?.attempts ?? 0) + 1
  const delay = Math.min(DEPOSIT_RETRY_MS.first * 2 ** (attempts - 1), DEPOSIT_RETRY_MS.max)
  const latest = { attempts, next_attempt_at: addMilliseconds(at, delay), error: failure.message }
  await db
    .insertInto('ramp_deferred_blocks')
    .values({ blockchain, block_number: blockNumber, since: at, ...latest })
    .onConflict((conflict) => conflict.columns(['blockchain', 'block_number']).doUpdateSet(latest))
    .execute()
  if (known?.error !== failure.message)
    log.error({ err: failure, blockchain, blockNumber }, 'failed to process a deposit; its block is retried later')
}

interface DepositAccount {
  readonly organization_id: number
  readonly id: number
  readonly provider_reference: string
  readonly token_address: string
  readonly status: 'active' | 'archived'
  readonly rail: 'ach' | 'fedwire' | 'swift'
  readonly wallet_address: string
  readonly organization_deleted_at: Date | null
}

interface ArrivedDeposit {
  readonly block: Block
  readonly account: DepositAccount
  readonly arrival: InboundTransfer
}

async function processDeposit(
  parts: DepositParts,
  { network }: Chain,
  { block, account, arrival }: ArrivedDeposit,
): Promise<void> {
  const { blockchain } = network
  const token = network.tokens.find(({ address }) => address === arrival.tokenAddress)
  assert(token, 'an inbound transfer has a configured token')
  const { cents, dust } = splitCents(arrival.amount, token.decimals)
  const terms = await feeTermsOf(parts.db, account.organization_id)
  const quote = await parts.provider.quote({
    direction: 'offramp',
    usdCents: cents,
    tokenDecimals: token.decimals,
    terms,
  })
  await inTransaction(parts.db, async (tx) => {
    const inserted = await tx
      .insertInto('ramp_deposits')
      .values({
        organization_id: account.organization_id,
        account_id: account.id,
        blockchain,
        tx_hash: arrival.txHash,
        position: arrival.position,
        token_address: arrival.tokenAddress,
        sender: arrival.from ?? null,
        amount: arrival.amount,
        block_number: block.number,
        detected_at: parts.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['blockchain', 'tx_hash', 'position']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!inserted) return
    const events = await parts.provider.handleDeposit(tx, {
      depositId: inserted.id,
      organizationId: account.organization_id,
      accountId: account.id,
      accountReference: account.provider_reference,
      blockchain,
      txHash: arrival.txHash,
      position: arrival.position,
      tokenAddress: arrival.tokenAddress,
      asset: token.symbol,
      tokenDecimals: token.decimals,
      amount: arrival.amount,
      quote,
      dust,
      rail: account.rail,
      returnTo: arrival.from ?? account.wallet_address,
      rejection: rejectionOf(account, arrival, cents),
    })
    for (const event of events) await applyProviderEvent(parts, tx, event)
  })
}

function rejectionOf(
  account: DepositAccount,
  { tokenAddress }: InboundTransfer,
  cents: bigint,
): DepositRejection | null {
  if (account.status === 'archived' || account.organization_deleted_at) return 'account_archived'
  if (tokenAddress !== account.token_address) return 'unsupported_asset'
  return cents === 0n ? 'below_one_cent' : null
}
