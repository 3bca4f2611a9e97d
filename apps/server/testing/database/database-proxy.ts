import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/** A TCP proxy between Weir and PostgreSQL whose network the test controls. */
export interface DatabaseProxy {
  /** `host:port`. */
  readonly authority: string
  /** The URL of the database through the proxy. */
  readonly url: string
  /** Connections that were accepted so far. */
  readonly accepted: () => number
  /**
   * Swallows all packets of open connections, in one direction or in both, and with `new` of later ones too: nobody
   * notices on the TCP level.
   */
  swallow(what: { readonly from?: 'server'; readonly new?: boolean }): void
  /** Forwards new connections again; swallowed ones stay lost. */
  heal(): void
  close(): Promise<void>
}

/** `rename`: a database's name and the name of the same length that the server receives instead. */
export async function databaseProxy(databaseUrl: string, rename?: readonly [string, string]): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const lost = { toServer: new Set<Socket>(), toClient: new Set<Socket>(), isNew: false }
  let accepted = 0
  const server = createServer((client) => {
    accepted += 1
    const upstream = dial(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => undefined)
    }
    if (lost.isNew) for (const set of [lost.toServer, lost.toClient]) set.add(client)
    client.on('data', (bytes) => {
      if (!lost.toServer.has(client)) upstream.write(renamed(bytes, rename))
    })
    upstream.on('data', (bytes) => {
      if (!lost.toClient.has(client)) client.write(bytes)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => {
      if (!lost.toClient.has(client)) client.destroy()
    })
  })
  const clients = () => [...open].filter((socket) => socket.localPort === (server.address() as AddressInfo).port)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = new URL(databaseUrl)
  url.host = authority
  return {
    authority,
    url: url.href,
    accepted: () => accepted,
    swallow({ from, new: isNew = false }) {
      lost.isNew = isNew
      for (const client of clients()) {
        lost.toClient.add(client)
        if (from === undefined) lost.toServer.add(client)
      }
    },
    heal() {
      lost.isNew = false
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function renamed(bytes: Buffer, names: readonly [string, string] | undefined): Buffer {
  const at = names === undefined ? -1 : bytes.indexOf(names[0])
  return at === -1
    ? bytes
    : Buffer.concat([bytes.subarray(0, at), Buffer.from(names![1]), bytes.subarray(at + names![0].length)])
}
