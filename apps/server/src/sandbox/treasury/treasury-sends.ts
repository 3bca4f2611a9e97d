import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { type Clock, Failure } from '../../kernel/index.ts'
import { discardDeposits } from '../../ramp/index.ts'
import type { SandboxChain } from '../parts.ts'
import { STORED_SEND_STATE, TREASURY_SEND, type TreasurySendEvent } from './treasury-send-states.ts'

/** A payment whose signed bytes are committed. */
export interface TreasurySend {
  readonly purpose: TreasuryPurpose
  readonly nonce: number
  readonly hash: string
  readonly raw: string
}

export type TreasuryPurpose = 'faucet' | 'gas' | 'delivery' | 'deposit' | 'return' | 'return_gas'

/**
 * Lets one caller at a time, across all processes, assign nonces of this treasury until its transaction ends (rule 5).
 * Error: CHAIN_UNAVAILABLE while the cursor names an earlier chain of this name, whose sends are about to be deleted.
 */
export async function lockTreasury(tx: Tx, chain: SandboxChain): Promise<void> {
  const { blockchain } = chain.network
  await sql`select pg_advisory_xact_lock(hashtextextended(${`weir treasury ${blockchain}`}, 0))`.execute(tx)
  if (!(await matchesGenesis(tx, chain))) {
    throw new Failure('CHAIN_UNAVAILABLE', {
      message: `The embedded chain ${blockchain} is being set up. Try again in a moment.`,
    })
  }
}

/** False while the cursor names an earlier chain: its sends would be valid here too, and must not be repeated. */
export async function matchesGenesis(db: Database | Tx, { network, genesisHash }: SandboxChain): Promise<boolean> {
  const cursor = await db
    .selectFrom('chain_cursors')
    .select('genesis_hash')
    .where('blockchain', '=', network.blockchain)
    .executeTakeFirst()
  return cursor === undefined || cursor.genesis_hash === genesisHash
}

/**
 * The next nonce of a sender (default: the treasury): one after the highest stored, or the node's count if that is
 * higher.
 */
export async function nextNonce(
  tx: Tx,
  { network, treasury }: SandboxChain,
  pendingNonce: number,
  sender = treasury.address,
): Promise<number> {
  const { highest } = await tx
    .selectFrom('treasury_sends')
    .select((of) => of.fn.max('nonce').as('highest'))
    .where('blockchain', '=', network.blockchain)
    .where('sender', '=', sender)
    .executeTakeFirstOrThrow()
  return Math.max(pendingNonce, (highest ?? -1) + 1)
}

interface NewTreasurySend {
  readonly organizationId: number
  readonly sender: string
  readonly nonce: number
  readonly purpose: TreasuryPurpose
  readonly to: string
  readonly token: string | 'native'
  readonly amount: bigint
  readonly raw: string
  readonly hash: string
}

/** Commits signed bytes with the caller's transaction, before anything is sent (rule 5). */
export async function storeSend(tx: Tx, { network }: SandboxChain, send: NewTreasurySend, clock: Clock): Promise<void> {
  await tx
    .insertInto('treasury_sends')
    .values({
      organization_id: send.organizationId,
      blockchain: network.blockchain,
      sender: send.sender,
      nonce: send.nonce,
      purpose: send.purpose,
      recipient: send.to,
      token_address: send.token === 'native' ? null : send.token,
      amount: send.amount,
      raw: send.raw,
      tx_hash: send.hash,
      state: STORED_SEND_STATE,
      created_at: clock.now(),
    })
    .execute()
}

/** Whether an address has never received gas on this chain. */
export async function hasNeverReceivedGas(
  db: Database | Tx,
  { network }: SandboxChain,
  recipient: string,
): Promise<boolean> {
  const earlier = await db
    .selectFrom('treasury_sends')
    .select('id')
    .where('blockchain', '=', network.blockchain)
    .where('recipient', '=', recipient)
    .where('purpose', '=', 'gas')
    .limit(1)
    .executeTakeFirst()
  return earlier === undefined
}

/** Applies what the chain says about a payment; `blockNumber`: the block that it is in. */
export async function advanceSend(
  db: Database,
  hash: string,
  { event, blockNumber }: { readonly event: TreasurySendEvent; readonly blockNumber?: number },
): Promise<void> {
  const { to } = TREASURY_SEND.find(STORED_SEND_STATE, event)!
  await db
    .updateTable('treasury_sends')
    .set({ state: to, ...(blockNumber !== undefined && { block_number: blockNumber }) })
    .where('tx_hash', '=', hash)
    .where('state', 'in', TREASURY_SEND.statesBefore(event))
    .execute()
}

/**
 * Deletes the sends of a chain that started without its history, and what the ramp knows of its deposits. The follower's
 * cursor must still name the earlier chain, because that refuses new sends; otherwise a send to the new chain could be
 * deleted. May run again: the sends go last, because they name the deposits.
 */
export async function deleteTreasurySends({ db }: { readonly db: Database }, blockchain: string): Promise<void> {
  const deposits = await db
    .selectFrom('treasury_sends')
    .select('tx_hash')
    .where('blockchain', '=', blockchain)
    .where('purpose', '=', 'deposit')
    .execute()
  const simulated = deposits.map(({ tx_hash: hash }) => hash)
  await discardDeposits({ db }, blockchain, simulated)
  await db.deleteFrom('treasury_sends').where('blockchain', '=', blockchain).execute()
}
