// Also tested with the real agent: apps/agent/system/sandbox-agents.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useAgentHost } from '../../testing/agents/use-agent-host.ts'
import { failingTransact } from '../../testing/database/failing-transact.ts'
import { identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { until } from '../../testing/until.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { authenticateKey, deleteKey, listKeys } from '../identity/index.ts'
import { createSandboxAgents, startSandboxAgent } from './index.ts'

const parts = useFixture(identityFixture)
const host = useAgentHost()

async function asked(name = 'Agent') {
  const { organizationId, userId } = (await organization(parts)).owner
  return { organizationId, name, createdBy: userId }
}

test('an agent gets a key that can do nothing but an agent’s work, and runs', async () => {
  const agents = host.agents(parts)
  const request = await asked('My agent')
  const started = await startSandboxAgent({ ...parts, agents }, request)
  expect(started).toMatchObject({ name: 'My agent', state: 'starting', restarts: 0 })
  const apiKey = readFileSync(join(host.host.root, host.folders()[0]!, 'api-key'), 'utf8').trim()
  const { organizationId, createdBy } = request
  expect(await authenticateKey(parts, apiKey)).toMatchObject({
    status: 'valid',
    credential: { organizationId, keyId: started.id, permissions: ['agent'] },
  })
  expect((await listKeys(parts, organizationId)).items).toMatchObject([{ name: 'My agent', createdBy }])
  await until(() => agents.list(organizationId)[0]?.state === 'running')
  expect(agents.list(organizationId)).toMatchObject([{ id: started.id, startedAt: parts.clock.now() }])
})

test('an agent that dies is started again, and one of an earlier run of the service goes on', async () => {
  const agents = host.agents(parts)
  const request = await asked()
  const { id } = await startSandboxAgent({ ...parts, agents }, request)
  const [view] = [() => agents.list(request.organizationId)[0]]
  await until(() => view()?.state === 'running')
  const first = host.pid()
  process.kill(first, 'SIGKILL')
  await until(() => view()?.restarts === 1 && view()?.state === 'running')
  const second = host.pid()
  expect(second).not.toBe(first)
  await agents.stop()
  expect(() => process.kill(second, 0)).toThrow('ESRCH')
  const later = host.agents(parts)
  later.resume()
  await until(() => later.list(request.organizationId)[0]?.state === 'running')
  expect(later.list(request.organizationId)).toMatchObject([{ id, name: 'Agent', restarts: 0 }])
})

test('an agent whose key is revoked elsewhere stops, and is not started again', { timeout: 60_000 }, async () => {
  const agents = host.agents(parts)
  const request = await asked()
  const { organizationId } = request
  const { id } = await startSandboxAgent({ ...parts, agents }, request)
  await until(() => agents.list(organizationId)[0]?.state === 'running')
  await deleteKey(parts, organizationId, id)
  await until(() => agents.list(organizationId)[0]?.state === 'stopped')
  const later = host.agents(parts)
  later.resume()
  await until(() => later.list(organizationId)[0]?.state === 'stopped')
})

test('an organization has at most two agents and the service eight; each list has the organization’s own', async () => {
  const agents = host.agents(parts)
  const request = await asked()
  const start = (by = request) => startSandboxAgent({ ...parts, agents }, by)
  const both = [await start(), await start()]
  const refused = (of: string, limit: number) => ({
    code: 'CONFLICT',
    details: { reason: 'too_many_agents', of, limit },
  })
  await expect(start()).rejects.toMatchObject(refused('organization', 2))
  expect(agents.list(request.organizationId).map(({ id }) => id)).toEqual(both.map(({ id }) => id))
  for (let other = 0; other < 6; other += 1) await start(await asked())
  const late = await asked()
  await expect(start(late)).rejects.toMatchObject(refused('service', 8))
  expect(agents.list(late.organizationId)).toEqual([])
})

test('a start that does not commit leaves no folder, takes no place and starts nothing', async () => {
  const agents = host.agents(parts)
  const request = await asked()
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const started = startSandboxAgent({ ...parts, agents }, request, failingTransact(parts.db, 'not recorded'))
    await expect(started).rejects.toThrow('not recorded')
  }
  const unnamed = startSandboxAgent({ ...parts, agents }, { ...request, name: '' })
  await expect(unnamed).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect([host.folders(), agents.list(request.organizationId)]).toEqual([[], []])
})

test('a process that runs no agents says why', async () => {
  const agents = createSandboxAgents(parts, 'This process runs none.')
  const started = startSandboxAgent({ ...parts, agents }, await asked())
  await expect(started).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This process runs none.',
    details: { reason: 'runs_no_agents' },
  })
})
