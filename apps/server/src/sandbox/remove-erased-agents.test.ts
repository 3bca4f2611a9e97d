import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useAgentHost } from '../../testing/agents/use-agent-host.ts'
import { identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { until } from '../../testing/until.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { startSandboxAgent, stopSandboxAgent } from './index.ts'

const parts = useFixture(identityFixture)
const host = useAgentHost()

async function owned(agents = host.agents(parts)) {
  const { organizationId, userId } = (await organization(parts)).owner
  const { id } = await startSandboxAgent({ ...parts, agents }, { organizationId, name: 'Agent', createdBy: userId })
  await until(() => agents.list(organizationId)[0]?.state === 'running')
  return { agents, ref: { organizationId, agentId: id } }
}
const erase = (id: number) =>
  parts.db
    .updateTable('organizations')
    .set({ deleted_at: parts.clock.now(), erased_at: parts.clock.now() })
    .where('id', '=', id)
    .execute()

test('the agent of an erased organization loses its process and its folder, and others go on', async () => {
  const { agents, ref } = await owned()
  const pid = host.pid()
  const other = await owned(agents)
  expect(await agents.removeErased()).toBe(0)
  await erase(ref.organizationId)
  expect(await agents.removeErased()).toBe(1)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(agents.list(ref.organizationId)).toEqual([])
  expect(agents.list(other.ref.organizationId)).toMatchObject([{ state: 'running' }])
  expect(host.folders()).toEqual([expect.stringMatching(`^${other.ref.agentId}-`)])
})

test('a stopped agent’s folder goes too, at the start of the service if it was erased before', async () => {
  const { agents, ref } = await owned()
  await stopSandboxAgent({ ...parts, agents }, ref)
  expect(host.folders()).toHaveLength(1)
  await erase(ref.organizationId)
  await agents.stop()
  host.agents(parts).resume()
  await until(() => host.folders().length === 0)
})

test('a folder whose organization this database does not know is of another database, and stays', async () => {
  const { agents } = await owned()
  await agents.stop()
  const record = join(host.host.root, host.folders()[0]!, 'agent.json')
  writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), organizationId: 2 ** 40 }))
  expect(await agents.removeErased()).toBe(0)
  expect(host.folders()).toHaveLength(1)
})
