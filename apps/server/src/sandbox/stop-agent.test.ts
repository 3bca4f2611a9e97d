import { expect, test } from 'vitest'
import { useAgentHost } from '../../testing/agents/use-agent-host.ts'
import { failingTransact } from '../../testing/database/failing-transact.ts'
import { identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { until } from '../../testing/until.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { deleteKey, listKeys } from '../identity/index.ts'
import { startSandboxAgent, stopSandboxAgent } from './index.ts'

const parts = useFixture(identityFixture)
const host = useAgentHost()

async function running() {
  const agents = host.agents(parts)
  const { organizationId, userId } = (await organization(parts)).owner
  const { id } = await startSandboxAgent({ ...parts, agents }, { organizationId, name: 'Agent', createdBy: userId })
  const state = () => agents.list(organizationId)[0]?.state
  await until(() => state() === 'running')
  return { agents, state, ref: { organizationId, agentId: id } }
}

test('a stopped agent has no process, no key and no place, and no later start of the service finds it', async () => {
  const { agents, ref } = await running()
  const pid = host.pid()
  await stopSandboxAgent({ ...parts, agents }, ref)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect((await listKeys(parts, ref.organizationId)).items).toEqual([])
  const later = host.agents(parts)
  later.resume()
  expect([agents.list(ref.organizationId), later.list(ref.organizationId)]).toEqual([[], []])
  expect(host.folders()).toHaveLength(1)
  await expect(stopSandboxAgent({ ...parts, agents }, ref)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('another organization’s agent does not exist, and goes on', async () => {
  const { agents, ref, state } = await running()
  const { organizationId } = (await organization(parts)).owner
  const stopped = stopSandboxAgent({ ...parts, agents }, { ...ref, organizationId })
  await expect(stopped).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(state()).toBe('running')
})

test('an agent whose key cannot be revoked goes on', async () => {
  const { agents, ref, state } = await running()
  const stopped = stopSandboxAgent({ ...parts, agents }, ref, failingTransact(parts.db, 'not recorded'))
  await expect(stopped).rejects.toThrow('not recorded')
  await until(() => state() === 'running')
  expect((await listKeys(parts, ref.organizationId)).items).toHaveLength(1)
})

test('an agent whose key was revoked before leaves the list, and no other key is revoked', async () => {
  const { agents, ref } = await running()
  await deleteKey(parts, ref.organizationId, ref.agentId)
  await stopSandboxAgent({ ...parts, agents }, ref)
  expect(agents.list(ref.organizationId)).toEqual([])
})

test('the key of an earlier database with the same id is not revoked', async () => {
  const { agents, ref } = await running()
  await agents.stop()
  const pepper = { currentId: '1', keys: new Map([['1', 'the pepper of another database']]) }
  const elsewhere = { ...parts, secrets: { ...parts.secrets, pepper } }
  const later = host.agents(elsewhere)
  later.resume()
  await until(() => later.list(ref.organizationId)[0]?.state === 'stopped')
  await stopSandboxAgent({ ...elsewhere, agents: later }, ref)
  expect((await listKeys(parts, ref.organizationId)).items).toHaveLength(1)
})
