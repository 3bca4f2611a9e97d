import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { GUARDED_RESPONSE_BYTES_MAX, WEBHOOK_KEEP_ALIVE_MS, WEBHOOK_TIMEOUT_MS } from '../../kernel/index.ts'
import { type AddressRules, isAddressAllowed } from './address-rules.ts'
import { createHostResolver, type ResolveHost } from './resolve-host.ts'

/** A connection that the rules forbid. Its message names the address, so it is only logged, never shown to customers. */
export class BlockedAddressError extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * An agent that connects only to allowed destinations. The check covers the exact addresses that the connection then uses:
 * the name is not resolved a second time, so a name that changes between two lookups (DNS rebinding) gains nothing. One
 * forbidden address among several rejects the name. Callers do not follow redirects, so every address is checked here.
 * A connection ends once the server has sent more than any response needs.
 */
export function createGuardedAgent(rules: AddressRules, resolve: ResolveHost = createHostResolver(rules)): Agent {
  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const checked = checkAddresses(rules, host, found)
        if (checked instanceof Error) return callback(checked, [])
        if (options.all)
          return callback(
            null,
            checked.map(({ address, family }) => ({ address, family })),
          )
        return callback(null, checked[0]!.address, checked[0]!.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
  const connect = buildConnector({ lookup, timeout: WEBHOOK_TIMEOUT_MS, allowH2: false, autoSelectFamily: true })
  return new Agent({
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: WEBHOOK_KEEP_ALIVE_MS,
    keepAliveMaxTimeout: WEBHOOK_KEEP_ALIVE_MS,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      const isAllowed = options.protocol === 'https:' || (rules.allowLocal && options.protocol === 'http:')
      // A literal address is connected to without a lookup, so it is checked here.
      if (!isAllowed || (isIP(host) !== 0 && !isAddressAllowed(rules, host, host))) {
        return callback(new BlockedAddressError(`${options.protocol}//${host} is refused`), null)
      }
      connect({ ...options, hostname: host }, (error, socket) => {
        if (error || !socket) return callback(error ?? new Error('there is no socket'), null)
        const reached = socket.remoteAddress
        if (reached === undefined || isAddressAllowed(rules, host, reached))
          return callback(null, limitReceived(socket))
        socket.destroy()
        callback(new BlockedAddressError(`${host} led to ${reached}`), null)
      })
    },
  })
}

/** The server sent more than any response needs. `code` is known to `describeError`. */
class ResponseTooLongError extends Error {
  readonly code = 'RESPONSE_TOO_LONG'

  constructor() {
    super(`the server sent more than ${GUARDED_RESPONSE_BYTES_MAX} bytes for one request`)
  }
}

/**
 * Ends the connection once the server has sent too much since the last request was written. Callers limit the bodies
 * that they read, but a server can also send a status line, interim responses or extensions of chunks without end, and
 * the parser passes none of these on.
 */
function limitReceived<Of extends Socket>(socket: Of): Of {
  let written = socket.bytesWritten
  let [before, received] = [socket.bytesRead, socket.bytesRead]
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten
      before = received
    }
    received = socket.bytesRead
    if (received - before > GUARDED_RESPONSE_BYTES_MAX) socket.destroy(new ResponseTooLongError())
  })
  return socket
}

function checkAddresses(rules: AddressRules, host: string, found: Awaited<ReturnType<ResolveHost>>) {
  if (found.length === 0) return new BlockedAddressError(`${host} has no address`)
  const blocked = found.find(({ address }) => !isAddressAllowed(rules, host, address))
  return blocked ? new BlockedAddressError(`${host} resolves to ${blocked.address}`) : found
}
