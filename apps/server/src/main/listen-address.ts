import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Config, ConfigError } from '../config.ts'
import { attributeToSetting } from './attribute-to-setting.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** How the service names itself: PUBLIC_URL, else the address it listens on. */
  readonly publicUrl: string
}

/**
 * Where to listen. PORT=0 takes a free port, which has to be known before the first address is given out. A port that is
 * in use is told here, before anything is started or written. Throws a {@link ConfigError} with one line.
 */
export async function resolveListenAddress(config: Config): Promise<ListenAddress> {
  const { host } = config
  const port = await attributeToSetting('PORT', () => tryPort(host, config.port))
  return { host, port, publicUrl: config.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}` }
}

/** Listens there for a moment; the port, which is a free one for 0. */
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
