import pg from 'pg'
import { activeTracer, LOCK_TIMEOUT_MS, SERVER_CONNECT_TIMEOUT_MS } from '../../kernel/index.ts'
import { statementName } from '../queries/prepared-query.ts'
import { sqlStateOf } from '../queries/sql-state.ts'
import { noteConnectFailure, noteRefusal } from './connect-failures.ts'
import type { ConnectionPlan } from './connection-plan.ts'
import type { SessionFacts } from './session-setup.ts'
import { endsTransaction, isSubmittable, mayChangeRows, mayWrite, textOf } from './statement-kinds.ts'
import type { BackendState, WatchedConnection } from './watch-connections.ts'
import { ReadOnlyServerError } from './writable-server.ts'

/**
 * The COMMIT succeeded, but with a warning: with synchronous replication, PostgreSQL gave up waiting for the standby,
 * and the row may be lost with this server. As after a lost connection, read back before retrying.
 */
export class UncertainCommitError extends Error {
  override readonly name = 'UncertainCommit'
}

/** A write that was refused, and changed nothing, because its commit would wait for a standby that is missing. */
class MissingStandbyError extends Error {
  override readonly name = 'MissingStandby'
  /** cannot_connect_now. */
  readonly code = '57P03'
}

/**
 * Removes the time-outs of a session, on both sides until its connection is released: building an index, or waiting
 * until another process has built it, takes long. The connection still ends when its server falls silent.
 */
export const LIFT_TIMEOUTS =
  'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0'

/** Removes the time-out of the statements of a transaction in the same way: a check of a whole table takes long. */
export const LIFT_STATEMENT_TIMEOUT = 'set local statement_timeout = 0'

/** A server that does not let its users read its place: missing privileges, or functions. */
const WITHOUT_PLACE = new Set(['42501', '42883', '0A000', '55000'])

/** The parts of `pg` that its types leave out. */
interface Internals {
  readyForQuery?: boolean
  connection: pg.Connection & { on(event: 'errorMessage', listener: (error: { code?: string }) => void): void }
}

/**
 * A connection to the server that accepts writes. Its session has the time-outs of {@link sessionSetup}, it ends when
 * its server falls silent, a commit fails when PostgreSQL warns about its durability, none begins while one waits for a
 * missing standby, and it sends the statements of the hot path by name.
 */
export class DurableClient extends pg.Client implements WatchedConnection {
  readonly #plan: ConnectionPlan
  #warning: string | undefined
  #unreplicated: string | undefined
  #pid: number | undefined
  #isUnlimited = false
  #isReadOnly = false

  constructor(config: pg.ClientConfig & { readonly plan: ConnectionPlan }) {
    super(config)
    this.#plan = config.plan
    this.on('notice', (notice) => {
      if (notice.severity === 'WARNING') this.#warning = notice.message
      if (notice.routine === GIVES_UP_ON_STANDBYS) this.#unreplicated = notice.message
    })
    // Its statements report a broken connection. The pool listens only once it is set up, and without a listener a server
    // that dies before ends this process.
    this.on('error', () => undefined)
    this.once('end', () => this.#plan.watch.remove(this))
    this.#internals.connection.on('errorMessage', ({ code }) => {
      if (code !== '25006' && code !== '57P01' && code !== '57P02') return
      this.#isReadOnly = code === '25006'
      this.#plan.server.forget()
    })
  }

  /** For the pool, when the connection's user is done: ends it when its server refused a write as a standby. */
  onRelease(): void {
    this.#isUnlimited = false
    if (this.#isReadOnly) void this.end().catch(() => undefined)
  }

  get isWaiting(): boolean {
    return this.#internals.readyForQuery === false
  }

  get bytesRead(): number {
    return (this.connection.stream as { bytesRead?: number }).bytesRead ?? 0
  }

  get statementTimeoutMs(): number {
    return this.#isUnlimited ? 0 : this.#plan.statementTimeoutMs
  }

  async readState(milliseconds: number): Promise<BackendState | undefined> {
    const { host, port } = this
    const backends = await this.#plan.readBackends({ host, port }, milliseconds).catch((error: unknown) => {
      // It responds, and refuses one more session: nothing is known of this one.
      if (REFUSES_MORE.has(sqlStateOf(error))) return undefined
      throw error
    })
    if (backends === undefined || this.#pid === undefined) return undefined
    if (!backends.has(this.#pid)) return 'idle'
    return backends.get(this.#pid) === undefined ? 'executing' : 'awaiting_standby'
  }

  async readWaits(milliseconds: number): Promise<ReadonlySet<string>> {
    const backends = await this.#plan.readBackends(await this.#plan.server.find(), milliseconds)
    return new Set([...backends.values()].filter((wait) => wait !== undefined))
  }

  /** For a user that gives up on a statement before the watch does. */
  async noteIfAwaitingStandby(): Promise<void> {
    const state = await this.readState(SERVER_CONNECT_TIMEOUT_MS).catch(() => undefined)
    if (state === 'awaiting_standby') this.#plan.watch.noteAwaiting(this)
  }

  abort(error: Error): void {
    this.#plan.server.forget()
    this.connection.stream.destroy(error)
  }

  // `pg` declares a form with a callback, which its pool uses, and one with a promise.
  override connect = ((callback?: (error: Error | null) => void) => {
    const connected = this.#connect()
    if (callback === undefined) return connected
    connected.then(
      () => process.nextTick(callback, null, this),
      (error) => process.nextTick(callback, error),
    )
  }) as pg.Client['connect']

  async #connect(): Promise<void> {
    try {
      const { host, port } = await this.#plan.server.find()
      Object.assign(this, { host, port })
      await super.connect().catch((error: unknown) => {
        noteRefusal(error)
        throw error
      })
      await this.#setUp()
    } catch (error) {
      noteConnectFailure(error)
      this.#plan.server.forget()
      throw error
    }
    this.#plan.watch.add(this)
  }

  async #setUp(): Promise<void> {
    const late = setTimeout(() => this.abort(new Error('timeout expired')), LOCK_TIMEOUT_MS)
    try {
      const facts = await this.#readFacts()
      if (facts.is_read_only && this.#plan.mustAcceptWrites) throw new ReadOnlyServerError(this)
      const received = (this as unknown as { processID: number }).processID
      this.#pid = facts.pid === received ? facts.pid : undefined
      if (facts.place !== null && !facts.is_read_only) await this.#notePlace(facts.place)
    } catch (error) {
      void this.end().catch(() => undefined)
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  async #readFacts(): Promise<SessionFacts> {
    const [setup, placeless] = this.#plan.setup
    const { rows } = await super.query<SessionFacts>(setup).catch((error: unknown) => {
      if (!WITHOUT_PLACE.has(sqlStateOf(error))) throw error
      return super.query<SessionFacts>(placeless)
    })
    return rows[0]!
  }

  /**
   * Before the first statement on another cluster or timeline, ids of events begin a new range there: a restored
   * database would issue lost ones again.
   */
  async #notePlace(place: string): Promise<void> {
    const { seen, onEpoch, onReturn } = this.#plan
    if (seen.place === place) return
    const from = seen.place
    const isReturn = from !== undefined && isEarlierTimeline(place, from)
    try {
      const { rows } = isReturn
        ? await super.query<{ begun: unknown }>(`select note_return($1, $2) as begun, ${LOCAL}`, [place, from])
        : await super.query<{ begun: unknown }>(`select note_place($1) as begun, ${LOCAL}`, [place])
      // Of the sessions that begin together, one reports it.
      if (isReturn && seen.place === from) onReturn?.({ from, to: place })
      if (!isReturn && rows[0]?.begun != null) onEpoch?.(rows[0].begun)
      seen.place = place
    } catch (error) {
      // Before the migration.
      if (sqlStateOf(error) !== '42883') throw error
    }
  }

  // `pg` declares nine overloads of query; all of them pass through here unchanged. Its pool uses one with a callback.
  override query = ((...args: unknown[]) => {
    if (isSubmittable(args[0])) return Reflect.apply(super.query, this, args)
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as (...outcome: unknown[]) => void) : undefined
    const run = this.#plan.watch.awaitsStandby ? this.#queryWithoutStandby(args) : this.#query(args)
    if (callback === undefined) return run
    run.then(
      (result) => process.nextTick(callback, null, result),
      (error) => process.nextTick(callback, error),
    )
  }) as pg.Client['query']

  #query(args: unknown[]): Promise<unknown> {
    const name = typeof args[0] === 'string' ? statementName(args[0]) : undefined
    if (args[0] === LIFT_TIMEOUTS || args[0] === LIFT_STATEMENT_TIMEOUT) this.#isUnlimited = true
    if (args[0] === 'commit') this.#warning = undefined
    const run = Reflect.apply(super.query, this, name ? [{ name, text: args[0], values: args[1] }] : args)
    if (activeTracer() && typeof args[0] === 'string' && mayChangeRows(args[0])) noteWrite(run)
    return this.#judge(run, args[0] === 'commit')
  }

  async #judge(run: Promise<unknown>, isCommit: boolean): Promise<unknown> {
    try {
      const result = await run
      const warning = this.#unreplicated ?? (isCommit ? this.#warning : undefined)
      if (warning !== undefined) throw new UncertainCommitError(`commit: ${warning}`)
      return result
    } finally {
      this.#unreplicated = undefined
    }
  }

  /** Reads continue; what would write, and wait for a standby that is missing, fails. */
  async #queryWithoutStandby(args: unknown[]): Promise<unknown> {
    const text = textOf(args[0])
    const status = this.getTransactionStatus()
    const wouldWait = status === 'I' ? mayWrite(text) : endsTransaction(text) && (await this.#hasWritten())
    if (!wouldWait) return await this.#query(args)
    if (status !== 'I') await super.query('rollback')
    throw new MissingStandbyError('no standby confirms commits: nothing was written')
  }

  /** Within a transaction. One that failed writes nothing. */
  async #hasWritten(): Promise<boolean> {
    if (this.getTransactionStatus() !== 'T') return false
    const { rows } = await super.query<{ written: boolean }>(
      'select pg_current_xact_id_if_assigned() is not null as written',
    )
    return rows[0]!.written
  }

  get #internals(): Internals {
    return this as unknown as Internals
  }
}

/** The function of PostgreSQL that warns about a commit which is on no standby: its text depends on the server's language. */
const GIVES_UP_ON_STANDBYS = 'SyncRepWaitForLSN'

/** The place of a session is written without standbys, or no session could begin, not even to read. */
const LOCAL = "set_config('synchronous_commit', 'local', true) as durability"

/** A server without a free session. */
const REFUSES_MORE = new Set(['53300', '53400', '57P03'])

/** Tells the trace around the caller when the statement has changed rows. */
function noteWrite(run: unknown): void {
  const note = (result: { readonly rowCount?: number | null }) => {
    if ((result.rowCount ?? 0) > 0) activeTracer()?.noteChange()
  }
  if (run instanceof Promise) run.then(note, () => undefined)
}

/**
 * Whether a place, `cluster/timeline`, is an earlier timeline of the same cluster. Each promotion and each restore begins a
 * later one, so this server was replaced, and still accepts writes.
 */
function isEarlierTimeline(place: string, than: string): boolean {
  const [cluster, timeline = ''] = place.split('/')
  const [otherCluster, otherTimeline = ''] = than.split('/')
  return cluster === otherCluster && timeline < otherTimeline
}
