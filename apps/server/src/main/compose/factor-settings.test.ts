import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { ringOf, systemRandomSource } from '../../kernel/index.ts'
import { factorSettings } from './factor-settings.ts'

const settingsOf = (env: Record<string, string>) => {
  const { sealer: _, ...settings } = factorSettings({
    config: readConfig(env),
    secrets: { encryption: ringOf('0e'.repeat(32)) },
    random: systemRandomSource,
    port: 3000,
  })
  return settings
}

test('passkeys belong to localhost unless the service has a public address', () => {
  const local = { relyingPartyId: 'localhost', origins: ['http://localhost:3000'], stepUpMs: 900_000 }
  expect(settingsOf({})).toEqual(local)
  expect(settingsOf({ PUBLIC_URL: 'http://192.0.2.1:3000' })).toEqual(local)
  expect(settingsOf({ PUBLIC_URL: 'http://[::1]:3000' })).toEqual(local)
})

test('the public address names the domain and the origin', () => {
  expect(settingsOf({ PUBLIC_URL: 'https://weir.acme.example/base' })).toMatchObject({
    relyingPartyId: 'weir.acme.example',
    origins: ['https://weir.acme.example'],
  })
})

test('the settings win over the public address', () => {
  const env = { PUBLIC_URL: 'https://weir.acme.example', WEBAUTHN_RP_ID: 'acme.example' }
  expect(settingsOf(env)).toMatchObject({ relyingPartyId: 'acme.example', origins: ['https://acme.example'] })
  const origins = 'https://app.acme.example, https://acme.example:8443'
  expect(settingsOf({ ...env, WEBAUTHN_ORIGINS: origins, STEP_UP_MINUTES: '5' })).toMatchObject({
    origins: ['https://app.acme.example', 'https://acme.example:8443'],
    stepUpMs: 300_000,
  })
})

test.each([
  ['a domain with a scheme', { WEBAUTHN_RP_ID: 'https://acme.example' }, /WEBAUTHN_RP_ID/],
  ['an address', { WEBAUTHN_RP_ID: '192.0.2.1' }, /WEBAUTHN_RP_ID/],
  [
    'an origin of another domain',
    { WEBAUTHN_RP_ID: 'acme.example', WEBAUTHN_ORIGINS: 'https://evil.example' },
    /ORIGINS/,
  ],
  [
    'a domain that only ends alike',
    { WEBAUTHN_RP_ID: 'acme.example', WEBAUTHN_ORIGINS: 'https://notacme.example' },
    /ORIGINS/,
  ],
  ['plain http', { WEBAUTHN_RP_ID: 'acme.example', WEBAUTHN_ORIGINS: 'http://acme.example' }, /ORIGINS/],
  ['a path', { WEBAUTHN_RP_ID: 'acme.example', WEBAUTHN_ORIGINS: 'https://acme.example/login' }, /ORIGINS/],
  ['no time for a step-up', { STEP_UP_MINUTES: '0' }, /STEP_UP_MINUTES/],
])('refuses %s', (_, env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})
