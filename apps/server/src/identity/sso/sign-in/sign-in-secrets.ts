import { createHmac } from 'node:crypto'
import { type RandomSource, randomBase62 } from '../../../kernel/index.ts'
import type { SignInSecrets } from './oidc-client.ts'

/** 43 base62 characters are 256 bits: too many to guess, so a fast hash is enough. */
const LENGTH = 43

/** A state, the secret of a browser, or a one-time code. */
export function createToken(random: RandomSource): string {
  return randomBase62(random, LENGTH)
}

/** Derived from the secret in the browser's cookie, so that the database holds neither. */
export function signInSecrets(browser: string): SignInSecrets {
  const derive = (purpose: string) => createHmac('sha256', browser).update(`weir sso ${purpose}`).digest('base64url')
  return { nonce: derive('nonce'), verifier: derive('verifier') }
}
