import { request } from 'node:http'
import { DEV_NODE_TIMEOUT_MS, Failure } from '../../kernel/index.ts'
import type { RunExclusive } from '../run-exclusive.ts'
import { type ChainsControl, type ControlCall, encode, PATHS, resultOf, SECRET_HEADER } from './chains-control.ts'
import type { ChainsFile } from './chains-file.ts'

/** The connection to chains that another process serves. */
export interface ChainsLink {
  readonly control: ChainsControl
  /** Runs work under a lock that it shares with all processes that share the chains. */
  readonly runExclusive: RunExclusive
  /** Sends a request of a Chain port to a path of the served chains. */
  readonly send: (path: string, init: RequestInit, headers?: Readonly<Record<string, string>>) => Promise<Response>
}

export function createChainsLink({ url, secret }: Pick<ChainsFile, 'url' | 'secret'>): ChainsLink {
  const own = { [SECRET_HEADER]: secret }

  const send: ChainsLink['send'] = (path, init, headers = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      redirect: 'error',
      headers: { ...(init.headers as Record<string, string>), ...headers, ...own },
    })

  async function call(method: ControlCall['method'], args: readonly unknown[]): Promise<unknown> {
    let body: Uint8Array
    try {
      const signal = AbortSignal.timeout(DEV_NODE_TIMEOUT_MS)
      const response = await send(PATHS.control, { method: 'POST', body: encode({ method, args }), signal })
      if (!response.ok) throw new Error(`${url} returned HTTP ${response.status}`)
      body = new Uint8Array(await response.arrayBuffer())
    } catch (error) {
      throw unavailable(error)
    }
    return resultOf(body)
  }

  const control = new Proxy({} as ChainsControl, {
    get:
      (_target, method) =>
      (...args: readonly unknown[]) =>
        call(method as ControlCall['method'], args),
  })

  return {
    control,
    send,
    async runExclusive(work) {
      const leave = await takeTurn(`${url}${PATHS.exclusive}`, own)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function unavailable(cause: unknown): Failure {
  return new Failure('CHAIN_UNAVAILABLE', { message: 'The embedded chains are not responding.', cause })
}

/** Waits for a turn without a limit of time, and returns what ends it. The connection is the turn. */
function takeTurn(url: string, headers: Readonly<Record<string, string>>): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume()
      // Breaks when the chains stop; what the holder does then fails.
      response.on('error', () => undefined)
      if (response.statusCode === 200) return resolve(() => asking.destroy())
      asking.destroy()
      reject(unavailable(new Error(`${url} returned HTTP ${response.statusCode}`)))
    })
    asking.on('error', (error) => reject(unavailable(error)))
    asking.end()
  })
}
