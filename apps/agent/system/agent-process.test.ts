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
])('a key %s stops the start with one line that names the setting and the kind of key', async (_which, key, said) => {
  const { code, log } = await runAgentUntilExit(await treasury.agent({ WEIR_API_KEY: await key() }))
  expect(code).toBe(1)
  expect(log).toMatch(/^WEIR_API_KEY \(or WEIR_API_KEY_FILE\) must be an organization key that [^\n]+\n$/)
  expect(log).toContain(said)
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
  const lines = () =>
    agent
      .log()
      .split('\n')
      .filter((line) => line.includes('API_KEY_DISABLED'))
  await until(() => lines().length > 1)
  for (const line of lines()) expect(line).toContain('WEIR_API_KEY')
  expect(await agent.end()).toBe(0)
})

test('the agent waits for a service that is down at its start, and exits if that service refuses its key', async () => {
  let polls = 0
  const service = await startFakeServer(({ url }) => {
    const isPoll = url?.startsWith('/api/agent/') === true
    if (isPoll) polls += 1
    if (!isPoll || polls < 4) throw new Error('it is not there yet')
    return { status: 401, body: JSON.stringify({ code: 'UNAUTHORIZED', message: 'Missing or invalid credentials.' }) }
  })
  const agent = await start({ WEIR_URL: service.url })
  expect(await agent.ended).toBe(1)
  expect(agent.log()).toContain('the service does not respond')
  expect(agent.log()).toMatch(/\nWEIR_API_KEY [^\n]+ must be an organization key that [^\n]+\n$/)
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
