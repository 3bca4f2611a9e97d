import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import {
  type Address,
  type EncodedAccount,
  getAddressDecoder,
  getAddressEncoder,
  lamports,
  type Signature,
} from '@solana/kit'
import type { TransactionError } from './transaction-error.ts'

export type Block = {
  readonly slot: number
  readonly height: number
  readonly hash: string
  readonly parentSlot: number
  readonly parentHash: string
  /** Unix seconds by the chain's clock. */
  readonly time: number
}

/** A transaction that is in a block. */
export type Landed = {
  readonly signature: Signature
  readonly slot: number
  readonly time: number
  readonly err: TransactionError | null
  readonly memo: string | null
  readonly bytes: Uint8Array
  /** JSON text of the `meta` that the RPC returns, without the fields that repeat `err`. */
  readonly meta: string
}

/** The changes of one block. Written atomically: a crash never leaves half a block. */
export type Commit = {
  readonly block: Block
  readonly transactions: readonly (Landed & { readonly mentions: readonly Address[] })[]
  readonly accounts: ReadonlyMap<Address, EncodedAccount | null>
}

/** The chain on disk: everything except programs, which each start reinstalls. */
export type Store = {
  readonly isNew: boolean
  setting(key: string): string | null
  setSetting(key: string, value: string): void
  commit(commit: Commit): void
  accounts(): Iterable<EncodedAccount>
  head(): Block | null
  block(slot: number): Block | null
  blocks(from: number, to: number, limit: number): Block[]
  oldestBlock(): Block | null
  transaction(signature: Signature): Landed | null
  transactionsOf(slot: number): Landed[]
  /** Newest first, older than `before`, newer than `until`; null when one of these is unknown. */
  mentioning(address: Address, limit: number, before?: Signature, until?: Signature): Landed[]
  transactionCount(): number
  close(): void
}

/** Limits of the history: a chain left running must not fill the disk. */
export type StoreRetention = { readonly blocks: number; readonly transactions: number }

const TABLES = `
  create table if not exists settings (key text primary key, value text not null) strict, without rowid;
  create table if not exists accounts (
    address blob primary key, lamports integer not null, owner blob not null, executable integer not null,
    data blob not null
  ) strict, without rowid;
  create table if not exists blocks (
    slot integer primary key, height integer not null, hash text not null, parent_slot integer not null,
    parent_hash text not null, time integer not null
  ) strict;
  create table if not exists transactions (
    signature text primary key, slot integer not null, position integer not null, time integer not null, err text,
    memo text, bytes blob not null, meta text not null
  ) strict;
  create unique index if not exists transactions_by_slot on transactions (slot, position);
  create table if not exists mentions (
    address blob not null, slot integer not null, position integer not null, primary key (address, slot, position)
  ) strict, without rowid;
  create index if not exists mentions_by_slot on mentions (slot);
`
/** How often the history is pruned, in blocks. */
const PRUNE_EVERY = 500

type Row = Record<string, SQLOutputValue>

/** Opens or creates the file. Throws when it is damaged or not a chain. */
export function openStore(path: string, keep: StoreRetention): Store {
  const database = new DatabaseSync(path)
  try {
    // No sync per block: a power cut may lose the last blocks, never their order.
    database.exec('pragma journal_mode = wal; pragma synchronous = normal;')
    const [check] = database.prepare('pragma quick_check(1)').all()
    if (check?.quick_check !== 'ok') throw new Error(`${path} is damaged: ${check?.quick_check}`)
    const isNew = database.prepare("select 1 from sqlite_schema where name = 'settings'").get() === undefined
    const tables = Number(database.prepare('select count(*) as n from sqlite_schema').get()?.n)
    if (isNew && tables > 0) throw new Error(`${path} is not a chain`)
    database.exec(TABLES)
    return storeOn(database, keep, isNew)
  } catch (error) {
    database.close()
    throw error
  }
}

function storeOn(database: DatabaseSync, keep: StoreRetention, isNew: boolean): Store {
  const sql = {
    setting: database.prepare('select value from settings where key = ?'),
    setSetting: database.prepare('insert or replace into settings values (?, ?)'),
    putAccount: database.prepare('insert or replace into accounts values (?, ?, ?, ?, ?)'),
    dropAccount: database.prepare('delete from accounts where address = ?'),
    accounts: database.prepare('select * from accounts'),
    addBlock: database.prepare('insert into blocks values (?, ?, ?, ?, ?, ?)'),
    head: database.prepare('select * from blocks order by slot desc limit 1'),
    oldest: database.prepare('select * from blocks order by slot limit 1'),
    block: database.prepare('select * from blocks where slot = ?'),
    blocks: database.prepare('select * from blocks where slot between ? and ? order by slot limit ?'),
    addTransaction: database.prepare('insert into transactions values (?, ?, ?, ?, ?, ?, ?, ?)'),
    addMention: database.prepare('insert or ignore into mentions values (?, ?, ?)'),
    transaction: database.prepare('select * from transactions where signature = ?'),
    transactionsOf: database.prepare('select * from transactions where slot = ? order by position'),
    count: database.prepare('select count(*) as n from transactions'),
    mentioning: database.prepare(`
      select t.* from mentions m join transactions t on t.slot = m.slot and t.position = m.position
      where m.address = ? and (m.slot, m.position) < (?, ?) and (m.slot, m.position) > (?, ?)
      order by m.slot desc, m.position desc limit ?`),
    oldestKept: database.prepare('select slot from transactions order by slot desc, position desc limit 1 offset ?'),
    pruneBlocks: database.prepare('delete from blocks where height <= ?'),
    pruneTransactions: database.prepare('delete from transactions where slot < ?'),
    pruneMentions: database.prepare('delete from mentions where slot < ?'),
  }
  sql.accounts.setReadBigInts(true)

  function write({ block, transactions, accounts }: Commit): void {
    for (const [address, account] of accounts) {
      const key = encodeAddress(address)
      if (account === null) sql.dropAccount.run(key)
      else {
        const { lamports, programAddress, executable, data } = account
        sql.putAccount.run(key, lamports, encodeAddress(programAddress), executable ? 1 : 0, Uint8Array.from(data))
      }
    }
    sql.addBlock.run(block.slot, block.height, block.hash, block.parentSlot, block.parentHash, block.time)
    for (const [position, { signature, slot, time, err, memo, bytes, meta, mentions }] of transactions.entries()) {
      sql.addTransaction.run(
        signature,
        slot,
        position,
        time,
        err === null ? null : JSON.stringify(err),
        memo,
        bytes,
        meta,
      )
      for (const address of mentions) sql.addMention.run(encodeAddress(address), slot, position)
    }
    if (block.height % PRUNE_EVERY === 0) prune(block)
  }

  function prune(head: Block): void {
    sql.pruneBlocks.run(head.height - keep.blocks)
    const oldestKept = sql.oldestKept.get(keep.transactions - 1)
    if (oldestKept === undefined) return
    sql.pruneTransactions.run(oldestKept.slot as number)
    sql.pruneMentions.run(oldestKept.slot as number)
  }

  function position(signature: Signature | undefined, otherwise: number): readonly [number, number] {
    if (signature === undefined) return [otherwise, 0]
    const row = sql.transaction.get(signature)
    // Nothing is older than an unknown bound, as with real nodes.
    return row === undefined ? [otherwise === 0 ? 0 : -1, 0] : [Number(row.slot), Number(row.position)]
  }

  return {
    isNew,
    setting: (key) => (sql.setting.get(key)?.value as string | undefined) ?? null,
    setSetting: (key, value) => void sql.setSetting.run(key, value),
    commit(commit) {
      database.exec('begin immediate')
      try {
        write(commit)
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
    *accounts() {
      for (const row of sql.accounts.iterate()) yield accountOf(row)
    },
    head: () => blockOf(sql.head.get()),
    block: (slot) => blockOf(sql.block.get(slot)),
    blocks: (from, to, limit) => sql.blocks.all(from, to, limit).flatMap((row) => blockOf(row) ?? []),
    oldestBlock: () => blockOf(sql.oldest.get()),
    transaction: (signature) => landedOf(sql.transaction.get(signature)),
    transactionsOf: (slot) => sql.transactionsOf.all(slot).flatMap((row) => landedOf(row) ?? []),
    mentioning(address, limit, before, until) {
      const bounds = [...position(before, Number.MAX_SAFE_INTEGER), ...position(until, 0)]
      return sql.mentioning.all(encodeAddress(address), ...bounds, limit).flatMap((row) => landedOf(row) ?? [])
    },
    transactionCount: () => Number(sql.count.get()?.n),
    close: () => database.close(),
  }
}

function encodeAddress(address: Address): Uint8Array {
  return Uint8Array.from(getAddressEncoder().encode(address))
}

function accountOf(row: Row): EncodedAccount {
  const data = row.data as Uint8Array
  return {
    address: getAddressDecoder().decode(row.address as Uint8Array),
    lamports: lamports(row.lamports as bigint),
    programAddress: getAddressDecoder().decode(row.owner as Uint8Array),
    executable: row.executable === 1n,
    data,
    space: BigInt(data.length),
  }
}

function blockOf(row: Row | undefined): Block | null {
  if (row === undefined) return null
  return {
    slot: Number(row.slot),
    height: Number(row.height),
    hash: String(row.hash),
    parentSlot: Number(row.parent_slot),
    parentHash: String(row.parent_hash),
    time: Number(row.time),
  }
}

function landedOf(row: Row | undefined): Landed | null {
  if (row === undefined) return null
  return {
    signature: String(row.signature) as Signature,
    slot: Number(row.slot),
    time: Number(row.time),
    err: row.err === null ? null : (JSON.parse(String(row.err)) as TransactionError),
    memo: row.memo === null ? null : String(row.memo),
    bytes: row.bytes as Uint8Array,
    meta: String(row.meta),
  }
}
