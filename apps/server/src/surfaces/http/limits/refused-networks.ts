import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import {
  ACCEPTED_CREDENTIALS_REMEMBERED_MAX,
  REFUSED_NETWORK_LOOKUPS_PER_SECOND,
  REFUSED_NETWORKS_MAX,
} from '../../../kernel/index.ts'
import { clientNetwork } from './client-address.ts'

interface RefusedNetwork {
  /** Milliseconds of `performance.now()`. */
  readonly until: number
  /** The second of the last look-ups, and how many it had. */
  second: number
  lookups: number
}

/**
 * Networks that used up their limit of refused credentials, in this process. Until the limit's window ends, few of their
 * unknown credentials are looked up in a second, so that guessing costs the database next to nothing. Credentials that
 * this process has accepted work as ever: others may share the network.
 */
export class RefusedNetworks {
  readonly #networks = new Map<string, RefusedNetwork>()
  readonly #accepted = new Set<string>()

  block(request: FastifyRequest, seconds: number): void {
    if (this.#networks.size >= REFUSED_NETWORKS_MAX) this.#networks.clear()
    const network = clientNetwork(request)
    if (this.#find(network) !== undefined) return
    this.#networks.set(network, { until: performance.now() + seconds * 1_000, second: 0, lookups: 0 })
  }

  /** `credential`: what the request presents, as text. */
  accept(credential: string | undefined): void {
    if (credential === undefined) return
    const digest = digestOf(credential)
    // The last used stays longest.
    this.#accepted.delete(digest)
    this.#accepted.add(digest)
    if (this.#accepted.size <= ACCEPTED_CREDENTIALS_REMEMBERED_MAX) return
    const [oldest] = this.#accepted
    this.#accepted.delete(oldest!)
  }

  /** The seconds for which the credential of a request is not looked up; `undefined` if it is, or if there is none. */
  blockedSeconds(request: FastifyRequest, credential: string | undefined): number | undefined {
    if (this.#networks.size === 0 || credential === undefined) return undefined
    const network = this.#find(clientNetwork(request))
    if (network === undefined || this.#accepted.has(digestOf(credential)) || mayLookUp(network)) return undefined
    return Math.max(1, Math.ceil((network.until - performance.now()) / 1_000))
  }

  #find(name: string): RefusedNetwork | undefined {
    const network = this.#networks.get(name)
    if (network === undefined || network.until > performance.now()) return network
    this.#networks.delete(name)
    return undefined
  }
}

function mayLookUp(network: RefusedNetwork): boolean {
  const second = Math.floor(performance.now() / 1_000)
  if (network.second !== second) Object.assign(network, { second, lookups: 0 })
  network.lookups += 1
  return network.lookups <= REFUSED_NETWORK_LOOKUPS_PER_SECOND
}

/** The credential itself is not kept. */
const digestOf = (credential: string): string => createHash('sha256').update(credential).digest('base64url')
