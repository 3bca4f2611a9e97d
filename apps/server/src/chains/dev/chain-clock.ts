import { quantity } from '../evm/wire.ts'
import type { DevNode } from './dev-node.ts'
import type { ReadWriteLock } from './read-write-lock.ts'

/** The head of a development chain; `time` by the chain's clock. */
export interface DevHead {
  readonly number: number
  readonly time: Date
}

/** Controls the blocks and time of a development chain. Each call is exclusive, so nothing is mined in between. */
export interface ChainClock {
  mine(blocks: number): Promise<DevHead>
  /** Moves the clock forward by whole seconds and mines one block there. */
  increaseTime(seconds: number): Promise<DevHead>
  /** Mines one block at this time, which must be after the head's. */
  mineAt(time: Date): Promise<DevHead>
  head(): Promise<DevHead>
}

export function createChainClock(node: DevNode, gate: ReadWriteLock): ChainClock {
  async function head(): Promise<DevHead> {
    const block = await node.request<{ number: string; timestamp: string }>('eth_getBlockByNumber', 'latest', false)
    return { number: Number(block.number), time: new Date(Number(block.timestamp) * 1_000) }
  }
  return {
    head,
    mine: (blocks) =>
      gate.exclusive(async () => {
        await node.request('anvil_mine', quantity(blocks))
        return head()
      }),
    increaseTime: (seconds) =>
      gate.exclusive(async () => {
        await node.request('evm_increaseTime', seconds)
        await node.request('evm_mine')
        return head()
      }),
    mineAt: (time) =>
      gate.exclusive(async () => {
        await node.request('evm_setNextBlockTimestamp', Math.floor(time.getTime() / 1_000))
        await node.request('evm_mine')
        return head()
      }),
  }
}
