// Also holds: identity/keys/list-agents.ts, watch/list-progress.ts, rebalancing/gas/read-gas.ts and
// operations/settlement/blocks/list-quarantined.ts.

import { expect, test } from 'vitest'
import { useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { inTransaction } from '../../../database/index.ts'
import { generateKey } from '../../../identity/index.ts'
import { recordSettlementFailure } from '../../../operations/settlement/blocks/quarantine.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'
import { organizationHealthRoutes } from './organization-health.ts'

const DAY = 86_400_000
const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  organizationHealthRoutes(app, parts)
})
const health = () => treasury.read('/api/core/organization/health')

test('agents, chains, gas and quarantined wallets are those of the organization', async () => {
  const { engine, staff, core } = treasury
  const { organizationId } = staff
  expect(await health()).toMatchObject({ agents: [], gas: [], quarantined: [] })

  const { client } = await treasury.operationalWallet()
  const { walletId, address } = client.wallet
  const key = await generateKey(core.parts, { organizationId, createdBy: staff.ids.admin, name: 'Agent' })
  const polled = (at: Date) =>
    engine.db.updateTable('api_keys').set({ last_polled_at: at }).where('id', '=', key.id).execute()
  const now = engine.clock.now()
  await polled(now)
  await inTransaction(engine.db, (tx) =>
    recordSettlementFailure(tx, {
      wallet: { organizationId, walletId },
      blockchain: 'polygon',
      error: new Error('of the database'),
      at: now,
    }),
  )
  const found = await health()
  expect(found.agents).toEqual([{ keyId: key.id, keyName: 'Agent', polledAt: now.toISOString() }])
  const wallet = { walletId, address, label: `${address.slice(0, 6)}…${address.slice(-4)}`, blockchain: 'polygon' }
  expect(found.gas).toEqual([{ ...wallet, transactionsLeft: expect.any(Number) }])
  expect(found.quarantined).toMatchObject([{ ...wallet, attempts: 1 }])
  expect(JSON.stringify(found)).not.toContain('of the database')
  const cursors = await engine.db.selectFrom('chain_cursors').select('blockchain').execute()
  expect(found.chains.map(({ blockchain }: { blockchain: string }) => blockchain)).toEqual(
    cursors.map(({ blockchain }) => blockchain).sort(),
  )

  await polled(new Date(now.getTime() - 8 * DAY))
  expect((await health()).agents).toEqual([])
})
