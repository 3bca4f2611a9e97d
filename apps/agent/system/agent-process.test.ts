import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '../../server/testing/until.ts'
import { type AgentProcess, runAgentUntilExit, startAgentProcess } from '../testing/agent-process.ts'
import { startFakeServer } from '../testing/fake-server.ts'
import { startTreasury, type TreasuryFixture } from './treasury.ts'

let treasury: TreasuryFixture
const running: AgentProcess[] = []
beforeAll(async () => {
  treasury = await startTreasury()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((agent) => agent.end()))
})
afterAll(() => treasury.stop())

async function start(more?: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const agent = await startAgentProcess(await treasury.agent(more))
  running.push(agent)
  return agent
}

test('the agent reports its health and stops on a signal', async () => {
  const agent = await start()
  const get = async (path: string) => {
    const response = await fetch(agent.url + path)
    return { status: response.status, text: await response.text() }
  }
  expect(await get('/health')).toMatchObject({ status: 200 })
  await treasury.createWallet('polygon')
  await until(async () => (await get('/metrics')).text.includes('weir_agent_events_total{step="action-reported"} 1'))
  expect(await get('/ready')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
  expect(await get('/nothing')).toMatchObject({ status: 404 })
  expect(await agent.end('SIGINT')).toBe(0)
})

test.each([
  ['that the service does not know', async () => 'svc_sandbox_unknown', '401 UNAUTHORIZED: Missing or invalid'],
  ['of a profile', async () => treasury.system.credentials.profileApiKey, '403 FORBIDDEN: This is a v1-only key'],
])('a key %s is logged once, with the setting and the kind of key, and is tried again', async (_which, key, said) => {
  const agent = await start({ WEIR_API_KEY: await key(), POLL_WAIT_MS: '0' })
  const metrics = async () => (await fetch(`${agent.url}/metrics`)).text()
  const [status, code] = said.split(/[ :]/)
  await until(async () => (await metrics()).match(new RegExp(`polls_total{outcome="${code}"} [3-9]`)) !== null)
  expect(await metrics()).toContain('weir_agent_key_refused 1')
  const ready = await fetch(`${agent.url}/ready`)
  expect({ status: ready.status, text: await ready.text() }).toEqual({ status: 503, text: `{"status":"${code}"}` })
  const lines = agent
    .log()
    .split('\n')
    .filter((line) => line.includes('WEIR_API_KEY (or WEIR_API_KEY_FILE) must be an organization key'))
  expect(lines).toEqual([expect.stringContaining(`${status} ${said.slice(4)}`)])
  expect(await agent.end()).toBe(0)
})

test('a key that is replaced in its file is taken without a start, and its width is checked then', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-key-'))
  const file = join(dir, 'key')
  writeFileSync(file, 'svc_sandbox_unknown')
  const agent = await start({ WEIR_API_KEY: '', WEIR_API_KEY_FILE: file, POLL_WAIT_MS: '0' })
  expect((await fetch(`${agent.url}/ready`)).status).toBe(503)
  writeFileSync(file, `${treasury.system.credentials.organizationApiKey}\n`)
  await until(async () => (await fetch(`${agent.url}/ready`)).status === 200)
  await until(() => agent.log().includes('WEIR_API_KEY can do more than the agent needs'))
  expect(await (await fetch(`${agent.url}/metrics`)).text()).toContain('weir_agent_key_refused 0')
  expect(await agent.end()).toBe(0)
  rmSync(dir, { recursive: true })
})

test('the agent warns at its start of a key that can do more than it needs, and not of an agent’s key', async () => {
  const { organizationApiKey } = treasury.system.credentials
  const wide = await start({ WEIR_API_KEY: organizationApiKey })
  await until(() => wide.log().includes('WEIR_API_KEY can do more than the agent needs'))
  await wide.end()
  const own = await start()
  await own.end()
  expect(own.log()).not.toContain('WEIR_API_KEY')
})

test('a key revoked while the agent runs is reported by /ready and the log, and is tried again', async () => {
  const made = await treasury.people.post<{ data: { id: number; apiKey: string } }>('/api/core/apikeys/generate', {
    name: 'Soon revoked',
  })
  const agent = await start({ WEIR_API_KEY: made.body.data.apiKey, POLL_WAIT_MS: '0' })
  await until(async () => (await fetch(`${agent.url}/ready`)).status === 200)
  await treasury.people.request('DELETE', `/api/core/apikeys/${made.body.data.id}`)
  await until(async () => {
    const response = await fetch(`${agent.url}/ready`)
    return response.status === 503 && (await response.text()) === '{"status":"API_KEY_DISABLED"}'
  })
  await until(() => agent.log().includes('API_KEY_DISABLED'))
  expect(agent.log()).toMatch(/WEIR_API_KEY [^\n]+ API_KEY_DISABLED/)
  expect(await agent.end()).toBe(0)
})

test('the agent waits for a service that is down at its start, and then for it to accept its key', async () => {
  let polls = 0
  const service = await startFakeServer(({ url }) => {
    const isPoll = url?.startsWith('/api/agent/') === true
    if (isPoll) polls += 1
    if (!isPoll || polls < 4) throw new Error('it is not there yet')
    if (polls > 6) return { status: 200, body: JSON.stringify({ data: { action: null, transaction: null } }) }
    return { status: 401, body: JSON.stringify({ code: 'UNAUTHORIZED', message: 'Missing or invalid credentials.' }) }
  })
  const agent = await start({ WEIR_URL: service.url })
  await until(() => agent.log().includes('the service accepts the API key'))
  expect(agent.log()).toContain('the service does not respond')
  expect(agent.log()).toMatch(/WEIR_API_KEY [^\n]+ must be an organization key that /)
  expect(await agent.end()).toBe(0)
  await service.close()
})

test('a passphrase that does not open the keys stops the start with a line that names the setting', async () => {
  await start()
  await treasury.createWallet('polygon')
  const mistyped = await runAgentUntilExit(
    await treasury.agent({ KEYSTORE_PASSPHRASE: 'another passphrase, of the same length' }),
  )
  expect(mistyped).toMatchObject({
    code: 1,
    log: expect.stringMatching(/^KEYSTORE_PASSPHRASE \(or \S+_FILE\) does not open the key of \S+ in \S+\n$/),
  })
})

test('each wrong setting stops the start with a line, and so does a journal that another agent holds', async () => {
  const wrong = await runAgentUntilExit({ AGENT_ENV: 'moon' })
  expect(wrong).toMatchObject({
    code: 1,
    log: expect.stringContaining('AGENT_ENV must be one of sandbox, live, not "moon"\n'),
  })
  const settings = await treasury.agent()
  running.push(await startAgentProcess(settings))
  const second = await runAgentUntilExit(settings)
  expect(second).toMatchObject({
    code: 1,
    log: expect.stringMatching(/^\S+journal.sqlite is held by another agent\n$/),
  })
})
