import { createTurns } from './take-turns.ts'

/**
 * One lock per development chain. Any number of exchanges share it; work that changes the chain underneath (a contract
 * swapped for a moment, the clock) is exclusive, so that nobody reads or mines in between.
 */
export interface ReadWriteLock {
  shared<T>(work: () => Promise<T>): Promise<T>
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** First come, first served: shared work that arrives after waiting exclusive work queues behind it. */
export function createReadWriteLock(): ReadWriteLock {
  const takeTurn = createTurns()
  return {
    shared: (work) => takeTurn('shared', work),
    exclusive: (work) => takeTurn(Symbol('exclusive'), work),
  }
}

/** Mines at intervals and can be paused; pauses nest. */
export interface Heartbeat {
  pause(): Promise<void>
  resume(): void
}

/** A lock whose exclusive work also pauses the heartbeat. */
export function lockWithHeartbeat(gate: ReadWriteLock, heartbeat: Heartbeat): ReadWriteLock {
  return {
    shared: gate.shared,
    exclusive: (work) =>
      gate.exclusive(async () => {
        await heartbeat.pause()
        try {
          return await work()
        } finally {
          heartbeat.resume()
        }
      }),
  }
}
