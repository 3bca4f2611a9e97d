import { lookup, Resolver } from 'node:dns/promises'
import { type AddressRules, isHostAllowed } from './address-rules.ts'

/** The addresses of a name, all of them. */
export type ResolveHost = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** Two tries: with the connection, an attempt ends within its 10 seconds. */
const DNS_OPTIONS = { timeout: 2_000, tries: 2 } as const

/**
 * Names of the internet are asked of the name servers directly. The system's own look-up would occupy one of the few
 * threads of the process while it waits: a receiver whose name server is dead would delay all others. It is used for
 * what only the system knows: names of the operator's list, and in sandbox everything.
 */
export function createHostResolver(rules: AddressRules): ResolveHost {
  const resolver = new Resolver(DNS_OPTIONS)
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

/** An unknown name is told apart from name servers that do not answer, in the codes of the system's look-up. */
function notFound(host: string, cause: NodeJS.ErrnoException | undefined): Error {
  const isUnknown = cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA'
  const error = new Error(`${host} could not be resolved`, { cause })
  return Object.assign(error, { code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN' })
}
