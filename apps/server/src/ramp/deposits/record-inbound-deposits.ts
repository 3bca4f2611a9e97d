import { sql } from 'kysely'
import type { Block, Chain } from '../../chains/index.ts'
import { holdsLease, isInfrastructureFailure } from '../../database/index.ts'
import type { RampParts } from '../parts.ts'
import { deferBlock } from './defer-block.ts'
import { findInboundTransfers, type InboundTransfer } from './find-inbound-transfers.ts'

export type DepositParts = Pick<RampParts, 'db' | 'clock' | 'fields' | 'log' | 'provider'>

/**
 * Records the token transfers to deposit addresses in a final block, each exactly once, however often the block is read
 * (contract 11). Does not read the chain. Anyone can send dust to a deposit address, so the statements do not grow with
 * the transfers: none if the block moves no tokens, one if it moves none to our addresses, otherwise two.
 *
 * Deposits that cannot be recorded delay neither those of other accounts nor their chain: the block is recorded again
 * later. Returns whether deposits wait for {@link handleWaitingDeposits}.
 */
export async function recordInboundDeposits(parts: DepositParts, chain: Chain, block: Block): Promise<boolean> {
  const { recorded, failure } = await recordBlock(parts, chain, block)
  if (failure) await deferBlock(parts, chain.network.blockchain, block.number, failure)
  return recorded > 0 && parts.provider.handleDeposit !== undefined
}

/** When deposits are tried that wait until a provider handles them: not counted as late, and due once one does. */
export const UNTIL_HANDLED = 'infinity'

export interface RecordedBlock {
  readonly recorded: number
  /** Of the first account whose deposits could not be recorded. */
  readonly failure: Error | undefined
}

/** Throws infrastructure failures. */
export async function recordBlock(parts: DepositParts, chain: Chain, block: Block): Promise<RecordedBlock> {
  const arrivals = findInboundTransfers(chain, block)
  if (arrivals.length === 0) return { recorded: 0, failure: undefined }
  const addresses = [...new Set(arrivals.map(({ to }) => to))]
  const { blockchain } = chain.network
  const accounts = await parts.db
    .selectFrom('ramp_accounts')
    .select(['organization_id', 'id', 'deposit_address'])
    .where('blockchain', '=', blockchain)
    .where('deposit_address', '=', sql<string>`any(${addresses}::text[])`)
    .execute()
  const byAddress = new Map(accounts.map((account) => [account.deposit_address, account]))
  const deposits = arrivals.flatMap((arrival): ArrivedDeposit[] => {
    const account = byAddress.get(arrival.to)
    return account ? [{ ...arrival, organizationId: account.organization_id, accountId: account.id }] : []
  })
  if (deposits.length === 0) return { recorded: 0, failure: undefined }
  const insert = (some: readonly ArrivedDeposit[]) => insertDeposits(parts, { blockchain, block, deposits: some })
  try {
    return { recorded: await insert(deposits), failure: undefined }
  } catch (error) {
    if (isInfrastructureFailure(error)) throw error
  }
  // The rows of one account hold up no other account's.
  let recorded = 0
  let failure: Error | undefined
  for (const { id } of accounts) {
    try {
      recorded += await insert(deposits.filter(({ accountId }) => accountId === id))
    } catch (error) {
      if (isInfrastructureFailure(error)) throw error
      failure ??= error instanceof Error ? error : new Error(String(error))
    }
  }
  return { recorded, failure }
}

interface ArrivedDeposit extends InboundTransfer {
  readonly organizationId: number
  readonly accountId: number
}

interface DepositsOfBlock {
  readonly blockchain: string
  readonly block: Block
  readonly deposits: readonly ArrivedDeposit[]
}

/** Returns how many were not known. One statement, with a parameter for each column. */
async function insertDeposits(
  { db, clock, provider }: DepositParts,
  { blockchain, block, deposits }: DepositsOfBlock,
): Promise<number> {
  const now = clock.now()
  const attempt = provider.handleDeposit ? now : UNTIL_HANDLED
  // A provider that watches its addresses itself needs nothing else.
  const nextAttemptAt = provider.watchesAddresses ? null : attempt
  const { numAffectedRows } = await sql`
    insert into ramp_deposits (organization_id, account_id, blockchain, tx_hash, position, token_address, sender, amount,
      block_number, detected_at, next_attempt_at)
    select organization_id, account_id, ${blockchain}, tx_hash, position, token_address, sender, amount,
      ${block.number}::bigint, ${now}::timestamptz, ${nextAttemptAt}::timestamptz
    from unnest(
      ${deposits.map(({ organizationId }) => organizationId)}::bigint[],
      ${deposits.map(({ accountId }) => accountId)}::bigint[],
      ${deposits.map(({ txHash }) => txHash)}::text[],
      ${deposits.map(({ position }) => position)}::int[],
      ${deposits.map(({ tokenAddress }) => tokenAddress)}::text[],
      ${deposits.map(({ from }) => from ?? null)}::text[],
      ${deposits.map(({ amount }) => String(amount))}::numeric[]
    ) with ordinality as arrived(organization_id, account_id, tx_hash, position, token_address, sender, amount, nth)
    where ${holdsLease(db)}
    order by nth
    on conflict (blockchain, tx_hash, position) do nothing
  `.execute(db)
  return Number(numAffectedRows ?? 0n)
}
