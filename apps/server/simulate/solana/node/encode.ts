import { base58 } from '@scure/base'
import type { Cluster, ClusterBlock, Landed } from '../world/cluster.ts'
import { MARKETS } from '../world/market.ts'
import { RENT } from '../world/programs.ts'
import type { TokenAccount } from '../world/state.ts'
import { encodeVault } from '../world/vault.ts'
import { encodeFact } from './encode-fact.ts'

/** Encodes nodes' responses as JSON-RPC. */

export function encodeBlock({ blocks }: Cluster, block: ClusterBlock, details: unknown) {
  const { slot, height, hash, time, landed } = block
  const parent = blocks[height - 1]
  return {
    blockHeight: height,
    blockTime: time,
    blockhash: hash,
    parentSlot: parent?.slot ?? slot,
    previousBlockhash: parent?.hash ?? hash,
    ...(details === 'full' && { transactions: landed.map(encodeLanded) }),
    ...(details === 'signatures' && { signatures: landed.map((one) => one.hash) }),
  }
}

export function encodeLanded({ sent, err, logs, units, before, after }: Landed) {
  return {
    transaction: [sent.raw, 'base64'],
    version: 0,
    meta: {
      err,
      computeUnitsConsumed: Number(units),
      fee: Number(sent.fee),
      preBalances: [],
      postBalances: [],
      preTokenBalances: before.flatMap(encodeBalance),
      postTokenBalances: after.flatMap(encodeBalance),
      logMessages: logs,
    },
  }
}

function encodeBalance(account: TokenAccount | undefined, accountIndex: number) {
  if (!account) return []
  const { mint, owner, amount } = account
  return [{ accountIndex, mint, owner, uiTokenAmount: { amount: amount.toString(), decimals: 6 } }]
}

/** One entry in the list of an address's transactions. */
export function encodeMention({ slot, time }: ClusterBlock, { sent, err }: Landed) {
  const memo = sent.memos.map((text) => `[${Buffer.byteLength(text)}] ${text}`).join('; ')
  return { signature: sent.signature, slot, blockTime: time, err, memo: memo === '' ? null : memo }
}

/** A token account, a vault, a fact of risk, or an account with lamports; `null` if it does not exist. */
export function encodeAccount(
  { state, time }: ClusterBlock,
  address: string,
  slice?: { offset: number; length: number },
) {
  const fact = state.facts && encodeFact(state.facts, address, time)
  const account = state.tokens.get(address)
  const vault = state.vaults.get(address)
  if (!account && !vault && !fact && state.native(address) === 0n) return null
  const market = MARKETS.find((candidate) => candidate.vault === address)
  const data = fact ?? (account ? encodeTokenAccount(account) : vault ? encodeVault(market!, vault) : Buffer.alloc(0))
  const bytes = slice ? data.subarray(slice.offset, slice.offset + slice.length) : data
  return { lamports: Number(account ? RENT : state.native(address)), data: [bytes.toString('base64'), 'base64'] }
}

function encodeTokenAccount({ mint, owner, amount }: TokenAccount): Buffer {
  const data = Buffer.alloc(165)
  data.set(base58.decode(mint), 0)
  data.set(base58.decode(owner), 32)
  data.writeBigUInt64LE(amount, 64)
  data[108] = 1
  return data
}
