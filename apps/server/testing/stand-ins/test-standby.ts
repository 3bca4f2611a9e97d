import pg from 'pg'

/** A standby that confirms everything that its server writes. */
export interface TestStandby {
  close(): Promise<void>
}

/** What node-postgres does not declare of its connection in copy mode. */
interface CopyConnection {
  readonly stream: { destroy(): void }
  once(event: 'replicationStart', heard: () => void): void
  on(event: 'copyData', heard: (message: { readonly chunk: Buffer }) => void): void
  sendCopyFromChunk(chunk: Buffer): void
}

const KEEPALIVE = 'k'.charCodeAt(0)
const LOG_DATA = 'w'.charCodeAt(0)

/** Follows the server as PostgreSQL's own standbys do, and keeps nothing. `name` may be in `synchronous_standby_names`. */
export async function startStandby(url: string, name: string): Promise<TestStandby> {
  const address = new URL(url)
  address.searchParams.set('application_name', name)
  const client = new pg.Client({ connectionString: address.href, replication: 'true' } as pg.ClientConfig)
  await client.connect()
  const { rows } = await client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM')
  const begin = rows[0]!.xlogpos
  const { connection } = client as unknown as { connection: CopyConnection }
  // The server counts on a standby once it has said where it is.
  connection.once('replicationStart', () => connection.sendCopyFromChunk(confirmation(positionOf(begin))))
  connection.on('copyData', ({ chunk }) => {
    if (chunk[0] === KEEPALIVE) connection.sendCopyFromChunk(confirmation(chunk.readBigUInt64BE(1)))
    if (chunk[0] === LOG_DATA)
      connection.sendCopyFromChunk(confirmation(chunk.readBigUInt64BE(1) + BigInt(chunk.length - 25)))
  })
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve)
    // It ends without a farewell, as that of a lost standby.
    client.once('error', () => resolve())
  })
  // Runs until the connection ends.
  const following = client.query(`START_REPLICATION PHYSICAL ${begin}`).catch((error: unknown) => error)
  return {
    async close() {
      connection.stream.destroy()
      await Promise.all([ended, following])
    },
  }
}

/** `0/1A2B`: two numbers of 32 bits. */
function positionOf(text: string): bigint {
  const [high, low] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The message "standby status update": everything up to `position` is written, flushed and applied. */
function confirmation(position: bigint): Buffer {
  const message = Buffer.alloc(34)
  message.write('r')
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(position, at)
  return message
}
