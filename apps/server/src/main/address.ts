import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'

export interface Address {
  readonly host: string
  readonly port: number
  /** How the service names itself: PUBLIC_URL, else the address it listens on. */
  readonly publicUrl: string
}

/** Where to listen. PORT=0 takes a free port, which has to be known before the first address is given out. */
export async function addressOf(config: Config): Promise<Address> {
  const { host } = config
  const port = config.port === 0 ? await freePort(host) : config.port
  return { host, port, publicUrl: config.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}` }
}

async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
