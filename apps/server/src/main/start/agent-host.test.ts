import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { agentHost } from './agent-host.ts'

const CHAINS = { DATABASE_URL: 'postgres://127.0.0.1/weir' }
const at = (settings: Record<string, string> = {}, host = '127.0.0.1') =>
  agentHost(readConfig({ DATA_DIR: '/data', ...settings }), { host, port: 3000 })

test('a sandbox with its own chains runs the agent of this installation, which reaches it on this machine', () => {
  const host = at()
  expect(host).toMatchObject({ root: '/data/agents', url: 'http://127.0.0.1:3000' })
  expect(existsSync((host as { program: string }).program)).toBe(true)
  expect((host as { program: string }).program).toMatch(/apps\/agent\/src\/main\.ts$/)
  const urls = ['0.0.0.0', '::', '::1', 'localhost'].map((name) => (at({}, name) as { url: string }).url)
  expect(urls).toEqual(['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://[::1]:3000', 'http://localhost:3000'])
})

test('a process that lacks a chain, or serves a part, runs none', () => {
  const sentence = expect.stringContaining('Agents run only in a process with ROLE=all that embeds all chains')
  expect(at({ POLYGON_RPC_URL: 'http://127.0.0.1:8545' })).toEqual(sentence)
  expect(at({ ...CHAINS, CHAINS_FILE: '/data/chains.json' })).toEqual(sentence)
  expect(at({ ...CHAINS, CHAINS_FILE: '/data/chains.json', ROLE: 'api' })).toEqual(sentence)
})

test('a service that no program on this machine reaches by plain HTTP runs none', () => {
  const sentence = expect.stringContaining('Agents reach the service by plain HTTP on this machine')
  expect(at({ TLS_CERT_FILE: import.meta.filename, TLS_KEY_FILE: import.meta.filename })).toEqual(sentence)
  expect(at({}, '192.0.2.7')).toEqual(sentence)
  expect(at({}, 'weir.example')).toEqual(sentence)
})

test('live runs none, and neither does an installation without the agent', () => {
  const config = { ...readConfig({}), environment: 'live' as const }
  expect(agentHost(config, { host: '127.0.0.1', port: 3000 })).toMatch(/^A live service runs no agents/)
  expect(agentHost(readConfig({}), { host: '127.0.0.1', port: 3000 }, '/nowhere/main.js')).toMatch(
    /^This installation lacks the agent program/,
  )
})
