import { expect, test } from 'vitest'
import { createOperationalWallet, planExplicitMove } from '../../../../testing/rebalancing/operational-wallets.ts'
import { coreSurfaceServer } from '../../../../testing/surfaces/core-surface-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { requestWallet } from '../../../agents/index.ts'
import { deleteKey, generateKey } from '../../../identity/index.ts'
import { agentActionRoutes } from './actions.ts'
import { agentTransactionRoutes } from './transactions.ts'

const treasury = useTreasury((app, parts) => {
  agentTransactionRoutes(app, parts)
  agentActionRoutes(app, parts)
})

/** Something for an agent to do. */
async function offerWork(kind: 'transactions' | 'actions'): Promise<void> {
  const { engine, core, staff } = treasury
  const { organizationId } = staff
  if (kind === 'actions') {
    await requestWallet(core.parts, { organizationId, blockchain: 'polygon', label: 'Hot' })
    return
  }
  const client = await engine.client({ organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const wallet = await createOperationalWallet(engine, client)
  await planExplicitMove(engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
}

/** A poll that waits, on a server of its own, by a key of its own. */
async function waitingPoll(path: 'transactions' | 'actions') {
  const arrived = Promise.withResolvers<void>()
  const server = await coreSurfaceServer(treasury.engine, (app, parts) => {
    app.addHook('preHandler', async () => arrived.resolve())
    agentTransactionRoutes(app, parts)
    agentActionRoutes(app, parts)
  })
  const own = await generateKey(server.parts, { organizationId: treasury.staff.organizationId, name: 'Agent' })
  const poll = server.call('POST', `/api/agent/${path}/poll`, { key: own.apiKey, body: { waitMs: 30_000 } })
  await arrived.promise
  return { server, key: own, poll }
}

test('a waiting poll ends at once when the service stops', async () => {
  const { server, poll } = await waitingPoll('transactions')
  await server.close()
  expect((await poll).body.data.transaction).toBeNull()
})

test.each(['transactions', 'actions'] as const)(
  'a waiting poll of %s whose key is deleted takes nothing',
  async (path) => {
    const { organizationId } = treasury.staff
    const { server, key: gone, poll: waiting } = await waitingPoll(path)
    await deleteKey(server.parts, organizationId, gone.id)
    await offerWork(path)
    expect(await waiting).toMatchObject(refusal(403, 'API_KEY_DISABLED'))
    const other = await generateKey(server.parts, { organizationId, name: 'Other agent' })
    const { data } = (await server.call('POST', `/api/agent/${path}/poll`, { key: other.apiKey, body: {} })).body
    expect(path === 'transactions' ? data.transaction : data.action).not.toBeNull()
    await server.close()
  },
)
