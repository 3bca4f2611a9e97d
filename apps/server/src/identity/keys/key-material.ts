import { createHmac } from 'node:crypto'
import { currentKey, type KeyRing, type RandomSource, randomBase62 } from '../../kernel/index.ts'
import type { Environment } from '../shared/parts.ts'

/** 36 base62 characters are 214 bits: too many to guess, so a fast keyed hash is enough. */
const RANDOM_LENGTH = 36
/** How many characters of a key stay visible. */
export const PREVIEW_LENGTH = 4

/** `svc_<environment>_` and at least 32 random base62 characters (contract 3). */
const KEY_FORMAT = /^svc_(sandbox|live)_[0-9A-Za-z]{32,100}$/
/** A secret of a service account: another prefix, so that neither is ever looked up as the other. */
const SECRET_FORMAT = /^sa_(sandbox|live)_[0-9A-Za-z]{32,100}$/

interface Material {
  /** The key or secret itself; it leaves the service once and is never stored. */
  readonly text: string
  readonly hash: Buffer
  /** Prefix and last four characters, enough to recognize it in a list. */
  readonly preview: string
}

interface MaterialParts {
  readonly random: RandomSource
  readonly environment: Environment
  readonly secrets: { readonly pepper: KeyRing }
}

/** A new key for this environment, hashed under the current pepper. */
export const createKeyMaterial = (parts: MaterialParts): Material => createMaterial(parts, 'svc')

/** The same for a secret of a service account. */
export const createAccountSecret = (parts: MaterialParts): Material => createMaterial(parts, 'sa')

function createMaterial({ random, environment, secrets }: MaterialParts, kind: 'svc' | 'sa'): Material {
  const prefix = `${kind}_${environment}_`
  const characters = randomBase62(random, RANDOM_LENGTH)
  const text = prefix + characters
  return { text, hash: hashSecret(secrets.pepper, text), preview: `${prefix}…${characters.slice(-PREVIEW_LENGTH)}` }
}

/** Whether text could be a key of this environment; anything else is unknown without a database lookup. */
export function isKeyForEnvironment(environment: Environment, text: string): boolean {
  return KEY_FORMAT.exec(text)?.[1] === environment
}

/** The environment that text was made for if it looks like a secret of a service account. */
export function environmentOfAccountSecret(text: string): Environment | undefined {
  return SECRET_FORMAT.exec(text)?.[1] as Environment | undefined
}

/**
 * HMAC-SHA-256 with the service's current pepper; keys and refresh tokens are stored only in this form, so someone who
 * can read the database can neither use a row nor test a guess.
 */
export function hashSecret(peppers: KeyRing, text: string): Buffer {
  return hashWith(currentKey(peppers), text)
}

/** The hash under each pepper of the ring, the current one first: a stored hash is one of these. */
export function secretHashes(peppers: KeyRing, text: string): Buffer[] {
  const others = [...peppers.keys].filter(([id]) => id !== peppers.currentId)
  return [hashSecret(peppers, text), ...others.map(([, pepper]) => hashWith(pepper, text))]
}

function hashWith(pepper: string, text: string): Buffer {
  return createHmac('sha256', pepper).update(text).digest()
}
