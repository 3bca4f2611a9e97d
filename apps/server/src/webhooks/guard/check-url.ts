import { isIP } from 'node:net'
import { validationError, WEBHOOK_URL_LENGTH_MAX } from '../../kernel/index.ts'
import { type AddressRules, isAddressAllowed, isHostAllowed } from './address-rules.ts'

/**
 * Checks a webhook URL without DNS: its form, and the address if the host is one. What a name resolves to is checked on
 * every connection, because it can change at any time. Returns the normalized URL, in which decimal, octal and hexadecimal
 * hosts are plain addresses. Error: VALIDATION_ERROR at `url`.
 */
export function checkUrl(rules: AddressRules, text: string): string {
  const problem = urlProblem(rules, text)
  if (problem !== undefined) throw validationError('url', problem)
  return new URL(text).href
}

/** What is wrong with the URL, as the end of a sentence; `undefined` if nothing is. */
export function urlProblem(rules: AddressRules, text: string): string | undefined {
  if (text.length > WEBHOOK_URL_LENGTH_MAX) return `must have at most ${WEBHOOK_URL_LENGTH_MAX} characters`
  if (!URL.canParse(text)) return 'must be an absolute URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(rules.allowLocal && url.protocol === 'http:'))
    return rules.allowLocal ? 'must begin with https:// or http://' : 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must be without user and password'
  const host = hostOf(url)
  if (host === '') return 'must name a host'
  if (isIP(host) !== 0) return isAddressAllowed(rules, host, host) ? undefined : REFUSED
  return !isHostAllowed(rules, host) && isLocalName(host) && !rules.allowLocal ? REFUSED : undefined
}

const REFUSED = 'must not lead to a private, local or reserved address'

/** The host in the form that `net` connects to: IPv6 addresses without brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Names that public DNS cannot resolve: rejecting them at creation reports a mistake early. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return !name.includes('.') || /\.(localhost|local|internal|intranet|lan|home|corp|private|localdomain)$/.test(name)
}
