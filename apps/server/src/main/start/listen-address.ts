import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Config, ConfigError } from '../../config.ts'
import { attributeToSetting } from './attribute-to-setting.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** The base of the service's own URLs: PUBLIC_URL, or the address it listens on. */
  readonly publicUrl: string
}

/**
 * Resolves the address to listen on. With PORT=0 it chooses a free port now, because URLs need the port before the
 * server listens. Reports a port in use before anything is started or written. Throws a {@link ConfigError} with one
 * line.
 */
export async function resolveListenAddress(config: Config): Promise<ListenAddress> {
  const { host } = config
  const port = await attributeToSetting('PORT', () => tryPort(host, config.port))
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
  try {
    await once(probe, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new ConfigError([`PORT: ${port} on ${host} is in use; choose another with PORT`], { cause: error })
  }
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : port
}
