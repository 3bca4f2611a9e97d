import pg from 'pg'
import { statementName } from './prepared-query.ts'

/**
 * The COMMIT succeeded, but with a warning: with synchronous replication, PostgreSQL gave up waiting for the standby,
 * and the row may be lost with this server. As after a lost connection, read back before retrying.
 */
export class UncertainCommitError extends Error {
  override readonly name = 'UncertainCommit'
}

/**
 * A connection whose COMMIT fails when PostgreSQL warns about its durability, and which sends the statements of the hot
 * path by name.
 */
export class DurableClient extends pg.Client {
  #warning: string | undefined

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('notice', (notice) => {
      if (notice.severity === 'WARNING') this.#warning = notice.message
    })
  }

  // `pg` declares nine overloads of query; all of them pass through here unchanged.
  override query = ((...args: unknown[]) => {
    const name = typeof args[0] === 'string' ? statementName(args[0]) : undefined
    const run = Reflect.apply(super.query, this, name ? [{ name, text: args[0], values: args[1] }] : args)
    return args[0] === 'commit' ? this.#judge(run) : run
  }) as pg.Client['query']

  async #judge(run: Promise<unknown>): Promise<unknown> {
    this.#warning = undefined
    const result = await run
    if (this.#warning !== undefined) throw new UncertainCommitError(`commit: ${this.#warning}`)
    return result
  }
}
