import { lookup, Resolver } from 'node:dns/promises'
import { WEBHOOK_DNS_TIMEOUT } from '../../kernel/index.ts'
import { type AddressRules, isHostAllowed } from './address-rules.ts'

/** Resolves a name to all its addresses. */
export type ResolveHost = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/**
 * Queries name servers directly for public names. The system lookup would block one of the few threads of the process
 * while it waits, so one receiver with a dead name server would delay all others. The system lookup is used only for names
 * on the operator's list, and in the sandbox for all names.
 */
export function createHostResolver(rules: AddressRules): ResolveHost {
  const resolver = new Resolver(WEBHOOK_DNS_TIMEOUT)
  return async (host) => {
    if (rules.allowLocal || isHostAllowed(rules, host)) return await lookup(host, { all: true })
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length === 0) throw notFound(host, four.status === 'rejected' ? four.reason : undefined)
    return found
  }
}

/** Distinguishes an unknown name from unavailable name servers, with the error codes of the system lookup. */
function notFound(host: string, cause: NodeJS.ErrnoException | undefined): Error {
  const isUnknown = cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA'
  const error = new Error(`${host} could not be resolved`, { cause })
  return Object.assign(error, { code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN' })
}
