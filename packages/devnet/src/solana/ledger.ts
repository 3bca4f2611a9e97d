import { createHash, randomBytes } from 'node:crypto'
import { type Address, type EncodedAccount, getBase58Decoder, lamports, type Signature } from '@solana/kit'
import { feeOf } from './fee.ts'
import { stringify } from './rpc/json.ts'
import type { Block, Commit, Store } from './store.ts'
import { tokenBalances } from './token-balances.ts'
import type { TransactionError } from './transaction-error.ts'
import { nativeAccount, type Run, type Vm } from './vm.ts'
import { accountKeys, type Message, type Wire } from './wire.ts'

/** A transaction can land within this many blocks after the one whose hash it names. */
export const BLOCKHASH_LIFE = 150

/** Slots and block heights differ on every real cluster; starting apart exposes code that confuses them. */
const FIRST_SLOT = 1_000

/** Most transactions that can wait for a block; a real leader has its limits too. */
const MAX_PENDING = 10_000

export type SubmitOptions = {
  /** Holds the transaction for this many blocks. */
  readonly delayBlocks?: number
  /** Makes the transaction land as failed. */
  readonly fail?: boolean
}

/**
 * Slots, blocks and blockhashes on top of the virtual machine. A sent transaction waits for the next block; a
 * block is on disk before any client can see it.
 */
export type Ledger = {
  readonly vm: Vm
  readonly store: Store
  readonly genesisHash: string
  head(): Block
  /** The last height at which a transaction with this blockhash can land; null if it is unknown or expired. */
  lastValidHeight(blockhash: string): number | null
  /** Why a new transaction cannot land in the next block; null when it can. */
  problemOf(wire: { readonly message: Message; readonly signature: Signature }): TransactionError | null
  /** Queues the transaction for the next block; false when the queue is full. Queues no transaction twice. */
  submit(wire: Wire, options?: SubmitOptions): boolean
  waiting(): { readonly now: number; readonly later: number }
  /** Produces the next block, `skipSlots` empty slots after the last one. */
  produce(skipSlots?: number): Block
  /** Unix seconds: the time that the next block would have now. */
  time(): number
  /** Sets the clock to `time` from the next block on. Throws when that is in the past. */
  setTime(time: number): void
}

type Pending = { readonly wire: Wire; readonly notBefore: number; readonly fail: boolean }

export type LedgerParts = {
  readonly vm: Vm
  readonly store: Store
  /** Milliseconds since 1970 of the machine. */
  readonly now: () => number
  /** Changes accounts of the virtual machine at the start of a block; `time`: Unix seconds. */
  readonly beforeBlock?: (time: number) => void
}

export function openLedger({ vm, store, now, beforeBlock = () => undefined }: LedgerParts): Ledger {
  for (const account of store.accounts()) vm.put(account)
  if (store.isNew) {
    store.setSetting('genesisHash', base58(randomBytes(32)))
    store.setSetting('clockOffset', '0')
  }
  const genesisHash = store.setting('genesisHash')
  if (genesisHash === null) throw new Error('the chain has no genesis hash')
  let clockOffset = Number(store.setting('clockOffset'))
  let head = store.head() ?? firstBlock(genesisHash, Math.floor(now() / 1_000))
  const recent = new Map<string, number>([[head.hash, head.height]])
  for (const block of store.blocks(head.slot - 100 * BLOCKHASH_LIFE, head.slot, Number.MAX_SAFE_INTEGER)) {
    if (head.height - block.height < BLOCKHASH_LIFE) recent.set(block.hash, block.height)
  }
  let pending = new Map<Signature, Pending>()
  vm.setTime(head.slot, head.time)
  if (store.head() === null) store.commit({ block: head, transactions: [], accounts: new Map() })

  const time = () => Math.max(head.time, Math.floor(now() / 1_000) + clockOffset)

  function lastValidHeight(blockhash: string): number | null {
    const born = recent.get(blockhash)
    return born === undefined || head.height >= born + BLOCKHASH_LIFE ? null : born + BLOCKHASH_LIFE
  }

  function problemOf({ message, signature }: Pick<Wire, 'message' | 'signature'>): TransactionError | null {
    if (store.transaction(signature) !== null) return 'AlreadyProcessed'
    return lastValidHeight(message.lifetimeToken) === null ? 'BlockhashNotFound' : null
  }

  function produce(skipSlots = 0): Block {
    const slot = head.slot + 1 + skipSlots
    const block = { slot, height: head.height + 1, parentSlot: head.slot, parentHash: head.hash, time: time() }
    vm.setTime(slot, block.time)
    beforeBlock(block.time)
    const accounts = new Map<Address, EncodedAccount | null>()
    const transactions: Commit['transactions'][number][] = []
    const held = new Map<Signature, Pending>()
    for (const [signature, entry] of pending) {
      // Its blockhash may have expired while it was held; then it just vanishes, as on a real cluster.
      if (entry.notBefore > block.height) held.set(signature, entry)
      else if (problemOf(entry.wire) === null) {
        const landed = include(entry, slot, block.time)
        if (landed === null) continue
        transactions.push(landed)
        for (const { address, writable } of accountKeys(entry.wire.message)) {
          if (writable) accounts.set(address, vm.account(address))
        }
      }
    }
    const done = {
      ...block,
      hash: hashOf(
        block,
        transactions.map(({ signature }) => signature),
      ),
    }
    store.commit({ block: done, transactions, accounts })
    pending = held
    head = done
    recent.set(done.hash, done.height)
    for (const [hash, height] of recent) {
      if (height > head.height - BLOCKHASH_LIFE) break
      recent.delete(hash)
    }
    return done
  }

  /** Null when it cannot pay its fee: such a transaction never gets into a block. */
  function include({ wire, fail }: Pending, slot: number, blockTime: number): Commit['transactions'][number] | null {
    const addresses = wire.message.staticAccounts
    const payer = addresses[0]
    if (payer === undefined) return null
    const balances = () => addresses.map((address) => vm.account(address)?.lamports ?? 0n)
    const preBalances = balances()
    const preTokenBalances = tokenBalances(vm, addresses)
    const fee = feeOf(wire.message)
    const run = fail ? takeFee(payer, fee, wire) : vm.execute(wire)
    const postBalances = balances()
    if (run.err !== null && postBalances[0] === preBalances[0]) return null
    const meta = stringify({
      err: run.err,
      status: run.err === null ? { Ok: null } : { Err: run.err },
      fee,
      preBalances,
      postBalances,
      preTokenBalances,
      postTokenBalances: tokenBalances(vm, addresses),
      innerInstructions: run.inner,
      logMessages: run.logs,
      loadedAddresses: { writable: [], readonly: [] },
      computeUnitsConsumed: run.units,
      rewards: [],
      ...(run.returnData === null ? {} : { returnData: run.returnData }),
    })
    const { signature, memo, bytes } = wire
    return { signature, slot, time: blockTime, err: run.err, memo, bytes, meta, mentions: addresses }
  }

  function takeFee(payer: Address, fee: bigint, wire: Wire): Run {
    const account = vm.account(payer) ?? nativeAccount(payer, 0n)
    if (account.lamports >= fee) vm.put({ ...account, lamports: lamports(account.lamports - fee) })
    const index = wire.message.instructions.length - 1
    return {
      err: { InstructionError: [index, 'ProgramFailedToComplete'] },
      logs: ['Program log: made to fail by the development chain'],
      units: 0n,
      inner: [],
      returnData: null,
    }
  }

  return {
    vm,
    store,
    genesisHash,
    head: () => head,
    lastValidHeight,
    problemOf,
    submit(wire, { delayBlocks = 0, fail = false } = {}) {
      if (pending.has(wire.signature)) return true
      if (pending.size >= MAX_PENDING) return false
      pending.set(wire.signature, { wire, notBefore: head.height + delayBlocks, fail })
      return true
    },
    waiting() {
      const now = [...pending.values()].filter(({ notBefore }) => notBefore <= head.height + 1).length
      return { now, later: pending.size - now }
    },
    produce,
    time,
    setTime(target) {
      if (target < time()) throw new Error(`the chain's clock is already at ${time()}`)
      clockOffset = target - Math.floor(now() / 1_000)
      store.setSetting('clockOffset', String(clockOffset))
    },
  }
}

function firstBlock(genesisHash: string, time: number): Block {
  const block = { slot: FIRST_SLOT, height: 0, parentSlot: FIRST_SLOT - 1, parentHash: genesisHash, time }
  return { ...block, hash: hashOf(block, []) }
}

function hashOf(block: Omit<Block, 'hash'>, signatures: readonly Signature[]): string {
  const text = JSON.stringify([block.parentHash, block.slot, block.time, signatures])
  return base58(createHash('sha256').update(text).digest())
}

function base58(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes)
}
