import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** Parses a setting, or throws the rest of a sentence that says what it must be. */
export type Check<T> = (text: string) => T

export const text: Check<string> = (given) => given

export function oneOf<const T extends string>(...allowed: readonly T[]): Check<T> {
  return (given) => allowed.find((value) => value === given) ?? fail(`must be one of ${allowed.join(', ')}`)
}

export function wholeNumber(least: number, most: number): Check<number> {
  return (given) => {
    const value = /^[0-9]{1,15}$/.test(given) ? Number(given) : Number.NaN
    return value >= least && value <= most ? value : fail(`must be a whole number from ${least} to ${most}`)
  }
}

export const hostName: Check<string> = (given) =>
  isIP(given) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(given)
    ? given
    : fail('must be an IP address or host name')

/** Resolves relative folders against the working directory. */
export const folder: Check<string> = (given) => (given.includes('\0') ? fail('must be a path') : resolve(given))

export const existingFile: Check<string> = (given) => {
  const path = folder(given)
  return existsSync(path) ? path : fail('must be a file that exists')
}

/** The trimmed first line: editors end files with a line break. */
export const secretFile: Check<string> = (given) => {
  const content = readFileSync(existingFile(given), 'utf8').trim()
  return content === '' ? fail('must be a file that is not empty') : content
}

/** Without a trailing slash. */
export const webAddress: Check<string> = (given) => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const good = url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== ''
  return good ? given.replace(/\/+$/, '') : fail('must be a URL that begins with http:// or https://')
}

/** Comma-separated. */
export const webAddresses: Check<readonly string[]> = (given) => given.split(',').map((part) => webAddress(part.trim()))

/** Hosts, addresses and networks (CIDR), separated by commas. */
export const links: Check<readonly string[]> = (given) =>
  given.split(',').map((part) => {
    const link = part.trim()
    const [address = '', bits, ...rest] = link.split('/')
    const size = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    const isNetwork = size > 0 && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= size && rest.length === 0
    const isHost = bits === undefined && (size > 0 || hostName(link) === link)
    return isNetwork || isHost ? link : fail('must be hosts, addresses and networks (CIDR), separated by commas')
  })

export const longSecret: Check<string> = (given) =>
  given.length >= 32 ? given : fail('must have at least 32 characters')

function fail(sentence: string): never {
  throw new RangeError(sentence)
}
