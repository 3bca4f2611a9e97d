import type { Hex } from 'viem'
import type { Rpc } from './rpc.ts'

/**
 * Mines an empty block at intervals: time and confirmations advance while nobody transacts. Never mines
 * between pause() and resume().
 */
export type Heartbeat = {
  /** Resolves when no beat is running and none will start. Pauses nest: each needs its own resume(). */
  pause(): Promise<void>
  resume(): void
  /** Stops permanently; resolves after the last beat. */
  stop(): Promise<void>
}

/**
 * After this many beats without a transaction, only every fifth beat mines. What waited for confirmations
 * has them after so many, and every block stays in memory and in the state file forever.
 */
const QUIET_AFTER = 25
const QUIET_DIVISOR = 5

/** `seconds`: time between two beats; 0: no heartbeat. */
export function startHeartbeat(rpc: Rpc, seconds: number, log: (line: string) => void): Heartbeat {
  let pauses = 0
  let stopped = seconds === 0
  let beating: Promise<void> = Promise.resolve()
  let lastMined = -1
  let quiet = 0

  async function beat(): Promise<void> {
    const latest = Number(await rpc.call<Hex>('eth_blockNumber'))
    quiet = latest === lastMined ? quiet + 1 : 0
    if (quiet > QUIET_AFTER && quiet % QUIET_DIVISOR !== 0) return
    // A transaction may get in here; the next beat then sees a block number that it did not mine.
    if (pauses > 0 || stopped) return
    await rpc.call('evm_mine')
    lastMined = latest + 1
  }

  const timer = setInterval(
    () => {
      if (pauses > 0 || stopped) return
      beating = beating.then(beat).catch((error: unknown) => {
        if (!stopped) log(`A heartbeat of ${rpc.url} failed: ${error instanceof Error ? error.message : String(error)}`)
      })
    },
    seconds * 1_000 || 1_000,
  )
  timer.unref()
  if (stopped) clearInterval(timer)

  return {
    async pause() {
      pauses++
      await beating
    },
    resume() {
      if (pauses === 0) throw new Error('The heartbeat is not paused')
      pauses--
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await beating
    },
  }
}
