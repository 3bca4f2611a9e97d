/** How the driver reports a session that its server ended. */
const sessionEnded = () =>
  Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })

/** How it reports a server that is not there yet. */
const nobodyListens = () =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED', syscall: 'connect' })

/**
 * The primary fails over to its standby: a session ends, whatever it was doing, and for a while nobody can connect. With
 * synchronous replication the standby has every acknowledged commit; of a commit under way nobody knows whether it
 * happened. The processes live on with all that they remember.
 */
export class Failover {
  #left: number | undefined
  #refusals = 0

  /** Ends the session that reaches the n-th point from here, and then refuses as many connections. */
  begin(points: number, refusals: number): void {
    this.#left = points
    this.#refusals = refusals
  }

  /** Every connection works from here on. */
  end(): void {
    this.#left = undefined
    this.#refusals = 0
  }

  /** Whether the server is about to fail. */
  get isNear(): boolean {
    return this.#left !== undefined && this.#left <= 5
  }

  /** Refuses a connection while the standby takes over. */
  requireServer(): void {
    if (this.#left !== undefined || this.#refusals === 0) return
    this.#refusals -= 1
    throw nobodyListens()
  }

  /** A point before or after a statement or a commit: ends the session here if its time has come. */
  point(): void {
    if (this.#left === undefined) return
    this.#left -= 1
    if (this.#left > 0) return
    this.#left = undefined
    throw sessionEnded()
  }
}
