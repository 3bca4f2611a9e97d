import { domainToASCII } from 'node:url'
import { DOMAIN_LENGTH_MAX } from '../../kernel/index.ts'

const DOMAIN_FORMAT = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** Letters, digits and what joins them; conversion to ASCII would cut anything else off, such as a path. */
const DOMAIN_LETTERS = /^[\p{L}\p{N}\p{M}.-]+$/u

/** A domain in the form in which it is stored and compared: ASCII, lower case; `undefined` for anything else. */
export function normalizeDomain(text: string): string | undefined {
  const name = text.trim().replace(/\.$/, '')
  const ascii = DOMAIN_LETTERS.test(name) ? domainToASCII(name).toLowerCase() : ''
  return ascii.length <= DOMAIN_LENGTH_MAX && DOMAIN_FORMAT.test(ascii) ? ascii : undefined
}

/** The domain of an email address, normalized; `undefined` if it has none. */
export function domainOfEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  return at === -1 ? undefined : normalizeDomain(email.slice(at + 1))
}
