import pg from 'pg'
import { noteConnectFailure } from './connect-failures.ts'
import type { DatabaseServer } from './database-address.ts'

export interface ServerQuery {
  readonly config: pg.ClientConfig
  /** Instead of the server that `config` names. */
  readonly server: DatabaseServer
  /** From connecting to the response. */
  readonly milliseconds: number
  readonly statement: string
}

/** Runs one statement on a connection of its own and ends the connection. Rejects with what went wrong. */
export async function queryServer<Row extends pg.QueryResultRow>(query: ServerQuery): Promise<Row[]> {
  const { config, server, milliseconds, statement } = query
  const client = new pg.Client({ ...config, application_name: 'weir watch' })
  Object.assign(client, { host: server.host, port: server.port })
  const late = setTimeout(
    () => client.connection.stream.destroy(new Error(`no response in ${milliseconds} ms`)),
    milliseconds,
  )
  // The connection attempt or the statement fails with it too.
  client.on('error', () => undefined)
  try {
    await client.connect().catch((error: unknown) => {
      noteConnectFailure(error)
      throw error
    })
    return (await client.query<Row>(statement)).rows
  } finally {
    clearTimeout(late)
    void client.end().catch(() => undefined)
  }
}
