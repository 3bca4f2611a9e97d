import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import { explainListenError } from './listen-problem.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** The base of the service's own URLs: PUBLIC_URL, or the address it listens on. */
  readonly publicUrl: string
}

/**
 * Resolves the address to listen on. With PORT=0 it chooses a free port now, because URLs need the port before the
 * server listens. Reports a host or port that cannot be used before anything is started or written: a ConfigError of
 * one line.
 */
export async function resolveListenAddress(config: Config): Promise<ListenAddress> {
  const { host } = config
  const target = { host, port: config.port, hostSetting: 'HOST', portSetting: 'PORT' }
  const port = await explainListenError(target, () => tryPort(host, config.port))
  const scheme = config.tls ? 'https' : 'http'
  return {
    host,
    port,
    publicUrl: config.publicUrl ?? `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
  }
}

/** Listens for a moment and returns the port; with 0, a free one. */
async function tryPort(host: string, port: number): Promise<number> {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : port
}
