import { createPublicKey, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** Turns a setting's text into its value, or throws the rest of a sentence that says what it must be. */
export type Check<T> = (text: string) => T

export function oneOf<const T extends string>(...allowed: readonly T[]): Check<T> {
  return (text) => {
    const found = allowed.find((value) => value === text)
    return found ?? fail(`must be one of ${allowed.join(', ')}`)
  }
}

export function wholeNumber(least: number, most: number): Check<number> {
  return (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : fail(`must be a whole number from ${least} to ${most}`)
  }
}

export function positiveNumber(most: number): Check<number> {
  return (text) => {
    const value = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
    return value > 0 && value <= most ? value : fail(`must be a number above 0 and at most ${most}`)
  }
}

/** A decimal number as whole digits and how many of them stand after the point: money is never a float. */
export const decimalNumber: Check<{ readonly digits: bigint; readonly scale: number }> = (text) => {
  const [, whole, fraction = ''] = /^([0-9]{1,15})(?:\.([0-9]{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) return fail('must be a number from 0, such as 0.01')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

export const flag: Check<boolean> = (text) =>
  text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : fail('must be 0 or 1')

export const hostName: Check<string> = (text) =>
  isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : fail('must be an IP address or host name')

/** Relative folders are meant from where the service is started. */
export const folder: Check<string> = (text) => (text.includes('\0') ? fail('must be a path') : resolve(text))

export function urlOf(...protocols: readonly string[]): Check<string> {
  const form = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url && protocols.includes(url.protocol) && url.hostname !== '' ? text : fail(form)
  }
}

/** Every address that the service gives out is this and a path behind it. */
export const publicUrl: Check<string> = (text) => {
  const url = new URL(urlOf('http:', 'https:')(text))
  return url.search || url.hash || url.username
    ? fail('must be without query, fragment and user')
    : trimSlashes(url.href)
}

/** An API that keys are sent to: encrypted, unless it runs on this machine. */
export const apiUrl: Check<string> = (text) => {
  const url = new URL(publicUrl(text))
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || isHere ? trimSlashes(url.href) : fail('must be a URL that begins with https://')
}

/** An RSA key that proves messages, in PEM; in one line its breaks may be written as `\\n`. */
export const rsaPublicKey: Check<string> = (text) => {
  const pem = text.replaceAll('\\n', '\n').trim()
  const key = publicKeyIn(pem)
  return key?.asymmetricKeyType === 'rsa' ? pem : fail('must be an RSA public key in PEM')
}

function publicKeyIn(pem: string): KeyObject | undefined {
  try {
    return /PRIVATE/.test(pem) ? undefined : createPublicKey(pem)
  } catch {
    return undefined
  }
}

/** One mailbox, to which a tag can be added behind a `+`. */
export const mailbox: Check<string> = (text) =>
  /^[A-Za-z0-9._-]{1,24}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text)
    ? text
    : fail('must be an e-mail address of at most 24 letters, digits, dots, dashes and underscores before the @')

/** Several, separated by commas. */
export const rpcUrls: Check<readonly string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.some((part) => part === '')) fail('must be URLs separated by commas')
  return parts.map(urlOf('http:', 'https:'))
}

/** Random text for signing and hashing: shorter ones could be guessed. */
export const longSecret: Check<string> = (text) => (text.length >= 32 ? text : fail('must have at least 32 characters'))

/** A key of AES-256. */
export const hexKey: Check<string> = (text) =>
  /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : fail('must be 32 bytes, written as 64 hexadecimal digits')

function trimSlashes(text: string): string {
  return text.replace(/\/+$/, '')
}

function fail(sentence: string): never {
  throw new RangeError(sentence)
}
