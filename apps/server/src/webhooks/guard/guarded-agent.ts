import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { WEBHOOK_TIMEOUT_MS } from '../../kernel/index.ts'
import { type AddressRules, isAddressAllowed } from './address-rules.ts'
import { createHostResolver, type ResolveHost } from './resolve-host.ts'

/** A connection that the rules forbid. The address that was meant stays in the log, and out of what customers see. */
export class BlockedAddressError extends Error {
  override readonly name = 'AddressRefused'
}

/** A connection is used again for so long, which is less than most servers keep one; then the name is judged anew. */
const KEEP_ALIVE_MS = 4_000

/**
 * Connects to what the rules leave open, and to nothing else. The judgement is made on the very addresses that the
 * connection is then made to: nobody looks the name up a second time, so that a name which changes its answer between
 * two look-ups (DNS rebinding) gains nothing. One forbidden address among several refuses the name. Redirects are not
 * followed by whoever sends through it, so every address passes here.
 */
export function createGuardedAgent(rules: AddressRules, resolve: ResolveHost = createHostResolver(rules)): Agent {
  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const judged = checkAddresses(rules, host, found)
        if (judged instanceof Error) return callback(judged, [])
        if (options.all)
          return callback(
            null,
            judged.map(({ address, family }) => ({ address, family })),
          )
        return callback(null, judged[0]!.address, judged[0]!.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
  const connect = buildConnector({ lookup, timeout: WEBHOOK_TIMEOUT_MS, allowH2: false, autoSelectFamily: true })
  return new Agent({
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      const isAllowed = options.protocol === 'https:' || (rules.allowLocal && options.protocol === 'http:')
      // An address is connected to without a look-up, so it is judged here.
      if (!isAllowed || (isIP(host) !== 0 && !isAddressAllowed(rules, host, host))) {
        return callback(new BlockedAddressError(`${options.protocol}//${host} is refused`), null)
      }
      connect({ ...options, hostname: host }, (error, socket) => {
        if (error || !socket) return callback(error ?? new Error('there is no socket'), null)
        const reached = socket.remoteAddress
        if (reached === undefined || isAddressAllowed(rules, host, reached)) return callback(null, socket)
        socket.destroy()
        callback(new BlockedAddressError(`${host} led to ${reached}`), null)
      })
    },
  })
}

function checkAddresses(rules: AddressRules, host: string, found: Awaited<ReturnType<ResolveHost>>) {
  if (found.length === 0) return new BlockedAddressError(`${host} has no address`)
  const refused = found.find(({ address }) => !isAddressAllowed(rules, host, address))
  return refused ? new BlockedAddressError(`${host} resolves to ${refused.address}`) : found
}
