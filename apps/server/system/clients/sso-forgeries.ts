import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { ForgingProvider } from '../../testing/stand-ins/forging-provider.ts'
import { CLIENT } from './sso-organization.ts'

export const emailAt = (domain: string) => ({ email: `mallory@${domain}`, email_verified: true })

/** Forged ID tokens for a nonce, by how they differ from a good one. */
export function forgedTokens(hostile: () => ForgingProvider): Record<string, (nonce: string) => Promise<string>> {
  const claims = (nonce: string, more?: JWTPayload) =>
    hostile().claims(nonce, { ...emailAt('theirs.example'), ...more })
  return {
    'signed with a key that the provider does not publish': async (nonce) =>
      hostile().sign(claims(nonce), {}, (await generateKeyPair('RS256')).privateKey),
    'with the id of a key that does not exist': (nonce) => hostile().sign(claims(nonce), { kid: 'other' }),
    'with alg none': async (nonce) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part(claims(nonce))}.`
    },
    'signed with the client secret': (nonce) =>
      new SignJWT(claims(nonce))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(CLIENT.clientSecret)),
    'for another client': (nonce) => hostile().sign(claims(nonce, { aud: 'another' })),
    'for several clients, issued to another': (nonce) =>
      hostile().sign(claims(nonce, { aud: ['weir', 'another'], azp: 'another' })),
    'of another issuer': (nonce) => hostile().sign(claims(nonce, { iss: 'https://id.other.example' })),
    'with the nonce of another sign-in': () => hostile().sign(claims('another')),
    'without a nonce': (nonce) => hostile().sign(without(claims(nonce), 'nonce')),
    'that has expired': (nonce) => hostile().sign(claims(nonce, { exp: 1_700_000_000 })),
    'that never expires': (nonce) => hostile().sign(without(claims(nonce), 'exp')),
    'that is not valid yet': (nonce) => hostile().sign(claims(nonce, { nbf: 9_999_999_999 })),
    'without a subject': (nonce) => hostile().sign(without(claims(nonce), 'sub')),
    'with a subject of 10,000 characters': (nonce) => hostile().sign(claims(nonce, { sub: 'x'.repeat(10_000) })),
    'with a NUL in its subject': (nonce) => hostile().sign(claims(nonce, { sub: 'ada\u0000' })),
    'with half a character in its subject': (nonce) => hostile().sign(claims(nonce, { sub: 'ada\ud800' })),
    'with an empty subject': (nonce) => hostile().sign(claims(nonce, { sub: '' })),
    'that is no token': async () => 'a.b.c',
  }
}

/** Claims of well-signed tokens, and the reason for which they are refused. */
export const LIES: Record<string, [claims: JWTPayload, reason: string]> = {
  'an unverified address': [{ email: 'eve@theirs.example', email_verified: false }, 'email_not_verified'],
  'an address that it does not call verified': [{ email: 'eve@theirs.example' }, 'email_not_verified'],
  'the owner of another tenant': [{ email: 'owner@ours.example', email_verified: true }, 'domain_not_proved'],
  'a member of another tenant, by address and subject': [
    { sub: 'ada', email: 'ada@ours.example', email_verified: true },
    'domain_not_proved',
  ],
  'a subdomain of its own': [emailAt('sub.theirs.example'), 'domain_not_proved'],
  'an address with two @': [{ email: 'ada@ours.example@theirs.example', email_verified: true }, 'email_not_verified'],
  'an address with a line break': [{ email: 'ada\r\n@theirs.example', email_verified: true }, 'email_not_verified'],
  'an address that looks like another': [
    { email: 'a\u200bda@theirs.example', email_verified: true },
    'email_not_verified',
  ],
  'a domain with letters of another script': [
    { email: 'ada@thеirs.example', email_verified: true },
    'domain_not_proved',
  ],
  'a verification in other words': [{ email: 'eve@theirs.example', email_verified: 'yes' }, 'email_not_verified'],
  'a list of addresses': [{ email: ['ada@theirs.example'], email_verified: true } as JWTPayload, 'email_not_verified'],
}

function without(claims: JWTPayload, name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
}

/** Issuers inside a network. */
export const PRIVATE_ISSUERS = [
  'http://169.254.169.254',
  'http://metadata.google.internal.',
  'https://10.0.0.1',
  'http://[::ffff:192.168.0.1]',
  'http://2852039166',
  'http://0x0a.1',
  'https://[fd00::1]',
  'https://user@id.example',
  'gopher://id.example',
]

/** Discovery documents that lead elsewhere or are malformed, by what is wrong with them. */
export function hostileDocuments(issuers: {
  readonly hostile: () => string
  readonly other: () => string
}): Record<string, () => Response> {
  return {
    'redirects to a private address': () =>
      new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }),
    'is that of another issuer': () =>
      Response.json({ issuer: issuers.other(), authorization_endpoint: issuers.other() }),
    'names a script as the page to sign in at': () =>
      Response.json({ issuer: issuers.hostile(), authorization_endpoint: 'javascript:alert(1)' }),
    'is huge': () => new Response('['.repeat(2_000_000), { headers: { 'content-type': 'application/json' } }),
    'is no JSON': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  }
}
