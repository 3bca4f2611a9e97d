import { CONNECTION_WATCH_MS, SILENCE_ROUNDS } from '../../kernel/index.ts'

/** The server was silent for too long while a statement waited for it; whether the statement took effect is unknown. */
class SilentServerError extends Error {
  override readonly name = 'SilentServer'
  /** connection_failure. */
  readonly code = '08006'
}

/** What the server does for a connection. */
export type BackendState = 'idle' | 'executing' | 'awaiting_standby'

/** A connection that is watched while a statement waits for its response. */
export interface WatchedConnection {
  /** Whether a statement waits for its response. */
  readonly isWaiting: boolean
  /** Bytes received so far. */
  readonly bytesRead: number
  /** Milliseconds that a statement may take at most; 0: any time, as long as the server says that it runs. */
  readonly statementTimeoutMs: number
  /**
   * Asks the server over a connection of its own what it does for this one. `undefined`: the server responds, and cannot
   * say. Rejects when the server does not respond within `milliseconds`.
   */
  readState(milliseconds: number): Promise<BackendState | undefined>
  /** Asks the server that accepts writes now which commits wait for a standby. Rejects as above, or when it refuses. */
  readWaits(milliseconds: number): Promise<ReadonlySet<string>>
  /** Ends the connection at once; the waiting statement fails with `error`. */
  abort(error: Error): void
}

interface Silence {
  bytes: number
  rounds: number
  /** Counts the silences of the connection, so that an answer about an earlier one is ignored. */
  term: number
  asking: boolean
  /** The round from which the server is asked again. */
  askAt: number
  /** How often in a row the server did not respond. */
  failures: number
  /** The round from which the server says, in a row, that the commit waits for a standby. */
  awaitsFrom: number | undefined
  /** The server said that no statement runs; its response may still be on its way for one more round. */
  idle: boolean
}

interface Awaiting {
  readonly connection: WatchedConnection
  rounds: number
  asking: boolean
  /** The commits that waited when the server was asked last. */
  waits: ReadonlySet<string> | undefined
}

const QUIET = { rounds: 0, askAt: SILENCE_ROUNDS.probe, failures: 0, idle: false, awaitsFrom: undefined } as const

/**
 * Ends connections whose server fell silent: a frozen or vanished host, or a network that swallows packets. TCP notices
 * that after a quarter of an hour, or never if the kernel of a frozen process still acknowledges. A slow statement
 * continues as long as the server says, over another connection, that it runs.
 *
 * A commit that waits for a standby heeds no time-out, and its server process stays when its connection ends. So after
 * the first one that waits for long, no connection of this process begins another, until none waits.
 *
 * Counts rounds instead of time: after this process was frozen itself, its connections get a whole new term.
 */
export class ConnectionWatch {
  readonly #roundMs: number
  readonly #silences = new Map<WatchedConnection, Silence>()
  #timer: NodeJS.Timeout | undefined
  /** A connection whose commit waited for a standby; it asks which still do. */
  #awaiting: Awaiting | undefined

  constructor(roundMs = CONNECTION_WATCH_MS) {
    this.#roundMs = roundMs
  }

  /** Whether a commit would wait for a standby that is missing. */
  get awaitsStandby(): boolean {
    return this.#awaiting !== undefined
  }

  add(connection: WatchedConnection): void {
    this.#silences.set(connection, { ...QUIET, bytes: connection.bytesRead, term: 0, asking: false })
    this.#timer ??= setInterval(() => this.#examineAll(), this.#roundMs).unref()
  }

  remove(connection: WatchedConnection): void {
    this.#silences.delete(connection)
    this.#rest()
  }

  /** The commit of this connection waits for a standby: no other begins until none does. */
  noteAwaiting(connection: WatchedConnection): void {
    this.#awaiting ??= { connection, rounds: 0, asking: false, waits: undefined }
    this.#timer ??= setInterval(() => this.#examineAll(), this.#roundMs).unref()
  }

  #rest(): void {
    if (this.#silences.size > 0 || this.awaitsStandby) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #examineAll(): void {
    for (const [connection, silence] of this.#silences) this.#examine(connection, silence)
    void this.#askForStandby()
  }

  async #askForStandby(): Promise<void> {
    const awaiting = this.#awaiting
    if (awaiting === undefined || awaiting.asking) return
    awaiting.rounds += 1
    if (awaiting.rounds % SILENCE_ROUNDS.probe !== 0) return
    awaiting.asking = true
    const waits = await awaiting.connection.readWaits(SILENCE_ROUNDS.response * this.#roundMs).catch(() => undefined)
    awaiting.asking = false
    // A server that refuses or does not respond has not said that no commit waits.
    if (waits === undefined) return
    // Each commit waits for a moment. One that waits now, and did at the last question, lacks its standby.
    const isAwaited = [...waits].some((wait) => awaiting.waits?.has(wait) ?? true)
    awaiting.waits = waits
    if (isAwaited) return
    this.#awaiting = undefined
    this.#rest()
  }

  #examine(connection: WatchedConnection, silence: Silence): void {
    const { bytesRead, statementTimeoutMs } = connection
    if (!connection.isWaiting || bytesRead !== silence.bytes) {
      Object.assign(silence, QUIET, { bytes: bytesRead, term: silence.term + 1 })
      return
    }
    silence.rounds += 1
    const limit = Math.ceil(statementTimeoutMs / this.#roundMs) + SILENCE_ROUNDS.grace
    if (silence.idle) this.#end(connection, 'the server no longer executes the statement')
    else if (statementTimeoutMs > 0 && silence.rounds >= limit)
      this.#end(connection, 'the server did not end the statement at its time-out')
    else if (!silence.asking && silence.rounds >= silence.askAt) void this.#ask(connection, silence)
  }

  async #ask(connection: WatchedConnection, silence: Silence): Promise<void> {
    const { term } = silence
    silence.asking = true
    const state = await connection.readState(SILENCE_ROUNDS.response * this.#roundMs).catch((error: Error) => error)
    silence.asking = false
    // A response arrived meanwhile, or the connection ended.
    if (silence.term !== term || !this.#silences.has(connection)) return
    if (!(state instanceof Error)) {
      const awaitsFrom = state === 'awaiting_standby' ? (silence.awaitsFrom ?? silence.rounds) : undefined
      const askAt = silence.rounds + SILENCE_ROUNDS.probe
      Object.assign(silence, { idle: state === 'idle', askAt, failures: 0, awaitsFrom })
      if (awaitsFrom === undefined || silence.rounds - awaitsFrom < SILENCE_ROUNDS.standby) return
      this.noteAwaiting(connection)
      this.#end(connection, 'no standby confirms the commit')
      return
    }
    silence.failures += 1
    if (silence.failures >= SILENCE_ROUNDS.failures)
      this.#end(connection, `the server does not respond: ${state.message}`)
  }

  #end(connection: WatchedConnection, reason: string): void {
    this.remove(connection)
    connection.abort(new SilentServerError(`database connection ended: ${reason}`))
  }
}
