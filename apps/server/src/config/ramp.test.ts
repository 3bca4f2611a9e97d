import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'

const live = {
  SERVICE_ENV: 'live',
  DATABASE_URL: 'postgres://weir:hidden@db.example/weir?sslmode=verify-full',
  BASE_RPC_URL: 'https://a.example',
  JWT_SECRET: 'x'.repeat(32),
  API_KEY_PEPPER: 'x'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
}
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
const bridge = {
  ...live,
  RAMP_PROVIDER: 'bridge',
  BRIDGE_API_KEY: 'sk-live-0123456789',
  BRIDGE_WEBHOOK_PUBLIC_KEY: pem,
  BRIDGE_CONTACT_EMAIL: 'kyb@weir.example',
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')
  }
}

test('the sandbox uses its built-in banking partner and live uses none, unless one is chosen', () => {
  expect(readConfig({}).ramp).toEqual({ provider: 'sandbox' })
  expect(readConfig(live).ramp).toEqual({ provider: 'none' })
  expect(readConfig({ RAMP_PROVIDER: 'none' }).ramp).toEqual({ provider: 'none' })
  expect(readConfig(bridge).ramp).toEqual({
    provider: 'bridge',
    apiKey: 'sk-live-0123456789',
    baseUrl: 'https://api.bridge.xyz',
    webhookPublicKey: pem,
    contactEmail: 'kyb@weir.example',
    pollSeconds: 300,
  })
})

test('live refuses the sandbox partner, and Bridge with missing settings, with one line for each', () => {
  expect(problemsOf({ ...live, RAMP_PROVIDER: 'sandbox' }).join()).toContain(
    'RAMP_PROVIDER must be none or bridge when SERVICE_ENV is live',
  )
  const problems = problemsOf({ ...live, RAMP_PROVIDER: 'bridge' }).join('\n')
  for (const name of ['BRIDGE_API_KEY', 'BRIDGE_WEBHOOK_PUBLIC_KEY', 'BRIDGE_CONTACT_EMAIL']) {
    expect(problems.split(`${name} must be set when RAMP_PROVIDER is bridge`)).toHaveLength(2)
  }
})

test('a key on one line is the same key; anything but an RSA public key is refused and never echoed', () => {
  const inOneLine = pem.replaceAll('\n', '\\n')
  expect(readConfig({ ...bridge, BRIDGE_WEBHOOK_PUBLIC_KEY: inOneLine })).toEqual(readConfig(bridge))
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const curve = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
  for (const wrong of [secret, curve, 'hunter2']) {
    const problems = problemsOf({ ...bridge, BRIDGE_WEBHOOK_PUBLIC_KEY: wrong }).join('\n')
    expect(problems).toContain('BRIDGE_WEBHOOK_PUBLIC_KEY must be an RSA public key in PEM')
    expect(problems).not.toContain(wrong.slice(30, 60) || wrong)
  }
})

test('the key is sent unencrypted to this machine only', () => {
  const at = (url: string) => problemsOf({ ...bridge, BRIDGE_BASE_URL: url }).length
  expect(at('http://api.bridge.xyz')).toBe(1)
  expect(at('https://api.sandbox.bridge.xyz/')).toBe(0)
  expect(at('http://127.0.0.1:4000')).toBe(0)
})

test('a mailbox must leave room for a tag', () => {
  const with_ = (address: string) => problemsOf({ ...bridge, BRIDGE_CONTACT_EMAIL: address }).length
  expect(with_('kyb@weir.example')).toBe(0)
  for (const wrong of ['kyb', 'kyb+x@weir.example', 'a@b', `${'k'.repeat(25)}@weir.example`])
    expect(with_(wrong)).toBe(1)
})
