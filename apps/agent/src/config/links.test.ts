import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'

const LIVE = {
  AGENT_ENV: 'live',
  WEIR_API_KEY: 'svc_live_key',
  WEIR_URL: 'https://weir.example',
  BASE_RPC_URL: 'https://rpc.example',
  SIGNER: 'http',
  SIGNER_URL: 'https://signer.example',
  SIGNER_SECRET: 's'.repeat(32),
}

function problemsOf(settings: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...LIVE, ...settings })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test.each([
  ['WEIR_URL', 'http://weir.example', 'weir.example'],
  ['SIGNER_URL', 'http://10.0.0.7:8080', '10.0.0.7'],
  ['KMS_ENDPOINT', 'http://[fd00::7]', '[fd00::7]'],
  ['BASE_RPC_URL', 'https://a.example, http://b.example', 'b.example'],
])('live refuses plain http in %s, unless the link is private', (name, url, host) => {
  expect(problemsOf({ [name]: url })).toEqual([
    `${name} must use https to reach ${host} when AGENT_ENV is live, or PRIVATE_LINKS must list ${host}`,
  ])
  expect(problemsOf({ [name]: url, PRIVATE_LINKS: `other.example, ${host.replace(/[[\]]/g, '')}` })).toEqual([])
  expect(problemsOf({ [name]: url, PRIVATE_LINKS: 'other.example, 192.0.2.0/24' })).toHaveLength(1)
})

test('loopback needs no entry, and neither does sandbox', () => {
  for (const url of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000', 'http://127.1']) {
    expect(problemsOf({ WEIR_URL: url }), url).toEqual([])
  }
  expect(problemsOf({ AGENT_ENV: 'sandbox', WEIR_URL: 'http://weir.example' })).toEqual([])
})

test('a private network covers its addresses only', () => {
  const PRIVATE_LINKS = '10.0.0.0/8, fd00::/8'
  for (const host of ['10.1.2.3', '[fd00::7]', '[::ffff:10.1.2.3]']) {
    expect(problemsOf({ PRIVATE_LINKS, WEIR_URL: `http://${host}` }), host).toEqual([])
  }
  for (const host of ['11.0.0.1', '[fe80::7]', 'ten.example', 'localhost.example']) {
    expect(problemsOf({ PRIVATE_LINKS, WEIR_URL: `http://${host}` }), host).toHaveLength(1)
  }
  for (const wrong of ['10.0.0.0/33', '10.0.0.0/', 'a b', '/8', '10.0.0.0/8/8', ',']) {
    expect(problemsOf({ PRIVATE_LINKS: wrong })[0], wrong).toContain('PRIVATE_LINKS must be')
  }
})
