import type { Heartbeat } from '../../chains/index.ts'
import { createRunExclusive } from '../run-exclusive.ts'

/** The lock of calls that move the clocks, over all processes that share the chains. */
export interface ExclusiveLock {
  /** Calls `granted` when this holder has the lock, which it keeps until `over` resolves. */
  take(over: Promise<void>, granted: () => void): Promise<void>
  /** Pauses a chain's heartbeat until the lock is released. Throws while nobody holds it. */
  pause(heartbeat: Heartbeat): Promise<void>
}

/** A holder that dies releases the lock: its connection closes, and the heartbeats that it paused continue. */
export function createExclusiveLock(): ExclusiveLock {
  const runExclusive = createRunExclusive()
  let paused: Heartbeat[] | undefined

  return {
    take: (over, granted) =>
      runExclusive(async () => {
        paused = []
        granted()
        await over
        const held = paused
        paused = undefined
        for (const heartbeat of held) heartbeat.resume()
      }),
    async pause(heartbeat) {
      const held = paused
      if (held === undefined) throw new Error('Only the holder of the exclusive lock can pause a chain')
      await heartbeat.pause()
      // The lock may have been released while the last beat ran.
      if (held === paused) held.push(heartbeat)
      else heartbeat.resume()
    },
  }
}
