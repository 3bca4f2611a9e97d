import type { Database } from '../src/database/index.ts'
import { until } from '../testing/until.ts'
import type { Journal } from './journal.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

export interface Findings {
  /** Acknowledged writes that the database does not have. */
  readonly lost: readonly string[]
  /** Effects that happened more often than they were acknowledged. */
  readonly twice: readonly string[]
}

/** Compares everything that was acknowledged with the database, and with what the receiver got. The load is drained. */
export async function verify(db: Database, journal: Journal, receiver: WebhookReceiver): Promise<Findings> {
  return {
    lost: [
      ...(await lostWallets(db, journal)),
      ...(await lostOperations(db, journal)),
      ...(await lostSends(db, journal)),
      ...(await missingEvents(journal, receiver)),
    ],
    twice: [
      ...(await doubledOperations(db, journal)),
      ...(await doubledGifts(db, journal)),
      ...doubledEvents(receiver),
    ],
  }
}

async function lostWallets(db: Database, { wallets }: Journal): Promise<string[]> {
  const rows = await db.selectFrom('wallets').select(['id', 'address']).execute()
  const found = new Map(rows.map(({ id, address }) => [id, address]))
  return [...wallets].filter(([id, address]) => found.get(id) !== address).map(([id]) => `wallet ${id}`)
}

async function lostOperations(db: Database, { operations, confirmed }: Journal): Promise<string[]> {
  const rows = await db.selectFrom('operations').select(['id', 'wallet_id', 'state']).execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  const planned = [...operations].filter(([id, { walletId }]) => found.get(id)?.wallet_id !== walletId)
  const undone = [...confirmed].filter((id) => found.get(id)?.state !== 'COMPLETED')
  return [...planned.map(([id]) => `operation ${id}`), ...undone.map((id) => `the completion of operation ${id}`)]
}

async function lostSends(db: Database, { submitted, gifts }: Journal): Promise<string[]> {
  const sent = await db.selectFrom('transaction_hashes').select('tx_hash').execute()
  const given = await db.selectFrom('treasury_sends').select('tx_hash').execute()
  const known = new Set([...sent.map(({ tx_hash }) => tx_hash), ...given.map(({ tx_hash }) => tx_hash)])
  return [...submitted.keys(), ...gifts.keys()].filter((hash) => !known.has(hash)).map((hash) => `transaction ${hash}`)
}

/** Each completion arrives within a while: deliveries are repeated with growing pauses. */
async function missingEvents({ confirmed }: Journal, { completions }: WebhookReceiver): Promise<string[]> {
  const missing = () => [...confirmed].filter((id) => !completions.has(id))
  await until(() => missing().length === 0, 90_000).catch(() => undefined)
  return missing().map((id) => `the event of operation ${id}`)
}

/** A wallet completed as many operations as its caller saw confirmed. */
async function doubledOperations(db: Database, { operations, confirmed }: Journal): Promise<string[]> {
  const rows = await db.selectFrom('operations').select(['id', 'wallet_id']).where('state', '=', 'COMPLETED').execute()
  const callers = new Set([...operations.values()].map(({ walletId }) => walletId))
  return rows
    .filter(({ id, wallet_id }) => callers.has(wallet_id) && !confirmed.has(id))
    .map(({ id }) => `operation ${id}, which nobody asked for`)
}

/** The faucet paid a wallet what it acknowledged to its callers. */
async function doubledGifts(db: Database, { gifts }: Journal): Promise<string[]> {
  const given = new Map<number, bigint>()
  for (const { walletId, amount } of gifts.values()) given.set(walletId, (given.get(walletId) ?? 0n) + amount)
  const rows = await db
    .selectFrom('ledger_balances')
    .select(({ fn }) => ['wallet_id', fn.sum<bigint>('external').as('external')])
    .groupBy('wallet_id')
    .execute()
  return rows
    .filter(({ wallet_id, external }) => given.has(wallet_id) && -external !== given.get(wallet_id))
    .map(({ wallet_id, external }) => `gifts to wallet ${wallet_id}: ${-external} instead of ${given.get(wallet_id)}`)
}

function doubledEvents({ completions, reused }: WebhookReceiver): string[] {
  const doubled = [...completions].filter(([, ids]) => ids.size > 1).map(([id]) => `the event of operation ${id}`)
  return [...doubled, ...[...reused].map((id) => `the id ${id} for two events`)]
}
