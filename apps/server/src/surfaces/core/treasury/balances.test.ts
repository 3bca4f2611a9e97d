import { expect, test } from 'vitest'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { inTransaction } from '../../../database/index.ts'
import { postings } from '../../../ledger/index.ts'
import { post } from '../../../ledger/post.ts'
import { balanceRoutes } from './balances.ts'

const treasury = useTreasury(balanceRoutes)

test('the balances as of a moment are exact, and one as of the future is refused', async () => {
  const { engine, staff } = treasury
  const read = (at: Date) => treasury.read(`/api/core/balances?at=${at.toISOString()}`)
  const client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const { walletId, address } = client.wallet
  engine.clock.advance(1_000)
  const before = engine.clock.now()
  const tokenAddress = engine.chain.network.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  await inTransaction(engine.db, (tx) =>
    post(tx, [
      {
        organizationId: staff.organizationId,
        kind: 'supply',
        source: `test:${walletId}`,
        at: before,
        postings: postings(walletId, tokenAddress, { available: -400n * USDC, deployed: 400n * USDC + 1n, yield: -1n }),
      },
    ]),
  )
  engine.clock.advance(1)
  const then = { totalBalance: '1000.00', availableBalance: '1000.00', deployedBalance: '0.00', yieldEarned: '0.00' }
  expect(await read(before)).toMatchObject({
    at: before.toISOString(),
    summary: { ...then, byToken: [{ token: 'USDC', wallets: 1, ...then }] },
    wallets: [{ walletId, address, label: null, token: 'USDC', ...then, netInflow: '1000.00' }],
    pagination: { total: 1 },
  })
  const now = { availableBalance: '600.00', deployedBalance: '400.000001', yieldEarned: '0.000001' }
  expect(await read(engine.clock.now())).toMatchObject({
    summary: { totalBalance: '1000.000001', ...now },
    wallets: [{ ...now, netInflow: '1000.00' }],
  })
  const future = new Date(engine.clock.now().getTime() + 1).toISOString()
  expect(await treasury.request(`/api/core/balances?at=${future}`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})
