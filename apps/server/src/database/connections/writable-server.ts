import { type DatabaseAddress, type DatabaseServer, describeServer } from './database-address.ts'

/** The server is a standby or read-only. As after a lost connection, a later attempt may find the new primary. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServer'
  /** read_only_sql_transaction, which PostgreSQL raises where a write fails for this reason. */
  readonly code = '25006'

  constructor(server: DatabaseServer) {
    super(`${describeServer(server)} does not accept writes: it is a standby, or read-only`)
  }
}

/** Connects to a server as a new session would, and ends the connection. Throws when that fails or it is read-only. */
export type ServerProbe = (server: DatabaseServer) => Promise<void>

/**
 * The server of DATABASE_URL that accepts writes. With one server there is nothing to find. With several, the servers
 * are tried in their order, and the result is kept until a connection to it fails.
 */
export class WritableServer {
  readonly #address: DatabaseAddress
  readonly #trial: ServerProbe
  #found: Promise<DatabaseServer> | undefined

  constructor(address: DatabaseAddress, trial: ServerProbe) {
    this.#address = address
    this.#trial = trial
  }

  /** Throws an AggregateError with the reason of each server when none of them accepts writes. */
  find(): Promise<DatabaseServer> {
    const [first, second] = this.#address.servers
    if (first !== undefined && second === undefined) return Promise.resolve(first)
    if (this.#found === undefined) {
      const found = this.#tryAll()
      this.#found = found
      found.catch(() => this.#forgetSearch(found))
    }
    return this.#found
  }

  /** A connection to this server failed, or it is read-only now: the next connection searches again. */
  forget(): void {
    this.#found = undefined
  }

  #forgetSearch(search: Promise<DatabaseServer>): void {
    if (this.#found === search) this.#found = undefined
  }

  async #tryAll(): Promise<DatabaseServer> {
    const errors: unknown[] = []
    for (const server of this.#address.servers) {
      try {
        await this.#trial(server)
        return server
      } catch (error) {
        errors.push(error)
      }
    }
    const reasons = errors.map((error) => (error instanceof Error ? error.message : String(error))).join('; ')
    throw new AggregateError(errors, `no server accepts writes: ${reasons}`)
  }
}
