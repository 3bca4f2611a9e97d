import { createPublicKey, type KeyObject } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** Parses a setting's text, or throws the end of a sentence that says what it must be. */
export type SettingParser<T> = (text: string) => T

export function oneOf<const T extends string>(...allowed: readonly T[]): SettingParser<T> {
  return (text) => {
    const found = allowed.find((value) => value === text)
    return found ?? reject(`must be one of ${allowed.join(', ')}`)
  }
}

export function wholeNumber(min: number, max: number): SettingParser<number> {
  return (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : reject(`must be a whole number from ${min} to ${max}`)
  }
}

export function positiveNumber(max: number): SettingParser<number> {
  return (text) => {
    const value = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
    return value > 0 && value <= max ? value : reject(`must be a number above 0 and at most ${max}`)
  }
}

/** A decimal number as its digits and the number of them after the point: money is never a float. */
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

/** Relative paths are resolved against the working directory. */
export const directory: SettingParser<string> = (text) =>
  text.includes('\0') ? reject('must be a path') : resolve(text)

/** A file that this process can read; a relative path is resolved against the working directory. */
export const readableFile: SettingParser<string> = (text) => {
  const path = directory(text)
  try {
    accessSync(path, constants.R_OK)
    return path
  } catch {
    return reject('must be a file that the service can read')
  }
}

/** `off`, `stdout`, or the absolute path of a file. */
export const outputFile: SettingParser<'off' | 'stdout' | { readonly path: string }> = (text) =>
  text === 'off' || text === 'stdout' ? text : { path: directory(text) }

export function urlOf(...protocols: readonly string[]): SettingParser<string> {
  const form = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url && protocols.includes(url.protocol) && url.hostname !== '' ? text : reject(form)
  }
}

/** The base of every URL that the service issues. */
export const publicUrl: SettingParser<string> = (text) => {
  const url = new URL(urlOf('http:', 'https:')(text))
  return url.search || url.hash || url.username
    ? reject('must be without query, fragment and user')
    : trimSlashes(url.href)
}

/** The domain that passkeys belong to; WebAuthn takes no addresses. */
export const domainName: SettingParser<string> = (text) =>
  isIP(text) === 0 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text)
    ? text
    : reject('must be a domain such as acme.example, in lower case')

/** Origins of pages that use passkeys, separated by commas: browsers offer passkeys to https and localhost only. */
export const webOrigins: SettingParser<readonly string[]> = (text) => {
  const origins = text.split(',').map((part) => part.trim())
  const form = 'must be origins such as https://app.acme.example, separated by commas'
  for (const origin of origins) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost')
    if (!isSecure || url?.origin !== origin) reject(form)
  }
  return origins
}

/** An API that receives keys: must be encrypted, unless it runs on this machine. */
export const apiUrl: SettingParser<string> = (text) => {
  const url = new URL(publicUrl(text))
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || isHere ? trimSlashes(url.href) : reject('must be a URL that begins with https://')
}

/** An RSA public key that verifies messages, in PEM; on one line, its line breaks may be written as `\\n`. */
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

/** One mailbox, to which a tag can be appended with `+`. */
export const mailbox: SettingParser<string> = (text) =>
  /^[A-Za-z0-9._-]{1,24}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text)
    ? text
    : reject('must be an email address of at most 24 letters, digits, dots, dashes and underscores before the @')

/** A comma-separated list. */
export const rpcUrls: SettingParser<readonly string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.some((part) => part === '')) reject('must be URLs separated by commas')
  return parts.map(urlOf('http:', 'https:'))
}

/** A comma-separated list of addresses, such as `10.0.0.53` and `[fd00::53]:5353`. */
export const dnsServers: SettingParser<readonly string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim())
  const isServer = (part: string) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(part) ?? []
    return isIP(bracketed ?? plain ?? part) !== 0 && Number(port ?? 53) <= 65_535
  }
  return parts.every(isServer) ? parts : reject('must be IP addresses, each with an optional port, separated by commas')
}

/** Random text for signing and hashing; shorter text could be guessed. */
export const longSecret: SettingParser<string> = (text) =>
  text.length >= 32 ? text : reject('must have at least 32 characters')

/** An AES-256 key. */
export const hexKey: SettingParser<string> = (text) =>
  /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : reject('must be 32 bytes, written as 64 hexadecimal digits')

function trimSlashes(text: string): string {
  return text.replace(/\/+$/, '')
}

function reject(sentence: string): never {
  throw new RangeError(sentence)
}

/** Ids, ARNs or aliases of keys, separated by commas. */
export const keyIds: SettingParser<readonly string[]> = (text) => {
  const ids = text.split(',').map((id) => id.trim())
  const isList = ids.length <= 8 && ids.every((id) => /^[\w:/-]{1,2048}$/.test(id))
  return isList ? ids : reject('must be a key id, an ARN or alias/..., or up to 8 of them separated by commas')
}

/** A short name in a request to an API. */
export const apiName: SettingParser<string> = (text) =>
  /^[\w.-]{1,64}$/.test(text) ? text : reject('must be 1 to 64 letters, digits, dots, dashes and underscores')
