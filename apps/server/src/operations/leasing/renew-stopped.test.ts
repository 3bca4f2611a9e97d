import { expect, test } from 'vitest'
import { createTestAgent } from '../../../testing/agents/test-agent.ts'
import { useRebalancer } from '../../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../../testing/units.ts'
import { NO_LIMITS } from '../../rebalancing/limits/deposit-limits.ts'
import { setDepositLimits } from '../../rebalancing/limits/set-deposit-limits.ts'
import { renewLease } from './renew-lease.ts'

const AAVE = 'aave-v3:polygon:USDC'
const rebalancer = useRebalancer()

test('the lease of a deployment that limits forbid since is not renewed, and is again once they allow it', async () => {
  const { engine } = rebalancer
  await engine.db.updateTable('strategies').set({ status: 'paused' }).execute()
  await engine.db.updateTable('strategies').set({ status: 'active', apy: 0.04 }).where('key', '=', AAVE).execute()
  const use = await rebalancer.monitor(await rebalancer.fundedClient(), 100n * USDC)
  await rebalancer.evaluateAll()
  const { transaction, lease } = await createTestAgent(engine, use.client).pollRequired(600_000)
  const { organizationId } = use.wallet
  const renew = () =>
    renewLease(rebalancer.parts, {
      organizationId,
      transactionId: transaction.transactionId,
      leaseDurationMs: 600_000,
      leaseToken: lease.leaseToken,
    })
  const allow = (allowedStrategies: readonly number[] | null) =>
    setDepositLimits(rebalancer.parts, { organizationId, limits: { ...NO_LIMITS, allowedStrategies } })
  await renew()
  engine.clock.advance(1_000)
  await allow([])
  await expect(renew()).rejects.toMatchObject({ code: 'LEASE_LOST', message: expect.stringContaining('allow-list') })
  await allow(null)
  await renew()
})
