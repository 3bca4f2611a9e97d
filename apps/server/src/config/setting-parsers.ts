import { createPublicKey, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** Turns a setting's text into its value, or throws the rest of a sentence that says what it must be. */
export type SettingParser<T> = (text: string) => T

export function oneOf<const T extends string>(...allowed: readonly T[]): SettingParser<T> {
  return (text) => {
    const found = allowed.find((value) => value === text)
    return found ?? reject(`must be one of ${allowed.join(', ')}`)
  }
}

export function wholeNumber(least: number, most: number): SettingParser<number> {
  return (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : reject(`must be a whole number from ${least} to ${most}`)
  }
}

export function positiveNumber(most: number): SettingParser<number> {
  return (text) => {
    const value = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
    return value > 0 && value <= most ? value : reject(`must be a number above 0 and at most ${most}`)
  }
}

/** A decimal number as whole digits and how many of them stand after the point: money is never a float. */
export const decimalNumber: SettingParser<{ readonly digits: bigint; readonly scale: number }> = (text) => {
  const [, whole, fraction = ''] = /^([0-9]{1,15})(?:\.([0-9]{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) return reject('must be a number from 0, such as 0.01')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

export const flag: SettingParser<boolean> = (text) =>
  text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : reject('must be 0 or 1')

export const hostName: SettingParser<string> = (text) =>
  isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)
    ? text
    : reject('must be an IP address or host name')

/** Relative folders are meant from where the service is started. */
export const directory: SettingParser<string> = (text) =>
  text.includes('\0') ? reject('must be a path') : resolve(text)

export function urlOf(...protocols: readonly string[]): SettingParser<string> {
  const form = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url && protocols.includes(url.protocol) && url.hostname !== '' ? text : reject(form)
  }
}

/** Every address that the service gives out is this and a path behind it. */
export const publicUrl: SettingParser<string> = (text) => {
  const url = new URL(urlOf('http:', 'https:')(text))
  return url.search || url.hash || url.username
    ? reject('must be without query, fragment and user')
    : trimSlashes(url.href)
}

/** An API that keys are sent to: encrypted, unless it runs on this machine. */
export const apiUrl: SettingParser<string> = (text) => {
  const url = new URL(publicUrl(text))
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || isHere ? trimSlashes(url.href) : reject('must be a URL that begins with https://')
}

/** An RSA key that proves messages, in PEM; in one line its breaks may be written as `\\n`. */
export const rsaPublicKey: SettingParser<string> = (text) => {
  const pem = text.replaceAll('\\n', '\n').trim()
  const key = publicKeyIn(pem)
  return key?.asymmetricKeyType === 'rsa' ? pem : reject('must be an RSA public key in PEM')
}

function publicKeyIn(pem: string): KeyObject | undefined {
  try {
    return /PRIVATE/.test(pem) ? undefined : createPublicKey(pem)
  } catch {
    return undefined
  }
}

/** One mailbox, to which a tag can be added behind a `+`. */
export const mailbox: SettingParser<string> = (text) =>
  /^[A-Za-z0-9._-]{1,24}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text)
    ? text
    : reject('must be an e-mail address of at most 24 letters, digits, dots, dashes and underscores before the @')

/** Several, separated by commas. */
export const rpcUrls: SettingParser<readonly string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.some((part) => part === '')) reject('must be URLs separated by commas')
  return parts.map(urlOf('http:', 'https:'))
}

/** Random text for signing and hashing: shorter ones could be guessed. */
export const longSecret: SettingParser<string> = (text) =>
  text.length >= 32 ? text : reject('must have at least 32 characters')

/** A key of AES-256. */
export const hexKey: SettingParser<string> = (text) =>
  /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : reject('must be 32 bytes, written as 64 hexadecimal digits')

function trimSlashes(text: string): string {
  return text.replace(/\/+$/, '')
}

function reject(sentence: string): never {
  throw new RangeError(sentence)
}
