import { type Hex, numberToHex } from 'viem'
import type { Rpc } from './rpc.ts'

type Block = { readonly number: Hex; readonly timestamp: Hex }

export type BlockTime = { readonly number: number /** Unix seconds. */; readonly timestamp: number }

/** Number and time of the newest block. */
async function latestBlock(rpc: Rpc): Promise<BlockTime> {
  return blockTime(await rpc.call<Block>('eth_getBlockByNumber', ['latest', false]))
}

/**
 * Continues the chain's time from its last block. A chain whose time was advanced is ahead of the machine's
 * clock, and anvil forgets the offset when it exits: its next block would be older than its last.
 */
export async function keepClockForward(rpc: Rpc): Promise<void> {
  const [latest, pending] = await rpc.batch([
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_getBlockByNumber', 'pending', false],
  ])
  const behind = blockTime(latest as Block).timestamp - blockTime(pending as Block).timestamp
  if (behind > 0) await rpc.call('evm_increaseTime', [behind])
}

/** Moves the chain's time forward and mines one block at the new time; returns that block. */
export async function increaseTime(rpc: Rpc, seconds: number): Promise<BlockTime> {
  requireWhole('seconds', seconds)
  await rpc.call('evm_increaseTime', [seconds])
  return mine(rpc, 1)
}

/** Mines `blocks` blocks at the current time; returns the last one. */
export async function mine(rpc: Rpc, blocks: number): Promise<BlockTime> {
  requireWhole('blocks', blocks)
  await rpc.call('anvil_mine', [numberToHex(blocks)])
  return latestBlock(rpc)
}

/** Sets the time of the next block (Unix seconds), whatever triggers it; later blocks continue from there. */
export async function setNextBlockTimestamp(rpc: Rpc, timestamp: number): Promise<void> {
  requireWhole('timestamp', timestamp)
  await rpc.call('evm_setNextBlockTimestamp', [timestamp])
}

function blockTime(block: Block): BlockTime {
  return { number: Number(block.number), timestamp: Number(block.timestamp) }
}

function requireWhole(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`${what} must be a whole number from 1, not ${value}`)
  }
}
