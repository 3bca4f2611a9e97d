// Also tested elsewhere: plans with money that is not final yet (watch/finality.test.ts).
import { expect, test } from 'vitest'
import { countStatements } from '../../../../testing/index.ts'
import { airdrop } from '../../../../testing/operations/airdrop.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'

const use = useEngine({ confirmations: 3 })

/** New wallets whose first money, 10 USDC each, is in a block that is not final. */
async function paidTogether(count: number): Promise<TestClient[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => use.engine.client({ usdc: 0n })))
  await use.engine.settle()
  await airdrop(use, { from: use.client, to: clients.map(({ address }) => address), amount: 10n * USDC })
  await use.engine.followOnce()
  return clients
}

async function amountsOf({ wallet }: TestClient) {
  const { db } = use.engine
  const [balance, reservations] = await Promise.all([
    db
      .selectFrom('ledger_balances')
      .select(['available', 'reserved'])
      .where('wallet_id', '=', wallet.walletId)
      .where('token_address', '=', use.client.usdcAddress)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('reservations')
      .select('covered')
      .where('wallet_id', '=', wallet.walletId)
      .orderBy('operation_id')
      .execute(),
  ])
  return { ...balance, covered: reservations.map(({ covered }) => covered) }
}

test('money that becomes final covers what was reserved of it, with as many statements for twenty wallets as for one', async () => {
  const costs: number[] = []
  for (const wallets of [1, 20]) {
    const clients = await paidTogether(wallets)
    for (const client of clients) await client.supply(6n * USDC)
    expect(await amountsOf(clients[0]!)).toEqual({ available: 0n, reserved: 0n, covered: [0n] })
    await use.dev.mine(2)
    costs.push((await countStatements(use.engine.followOnce)).statements)
    for (const client of clients)
      expect(await amountsOf(client)).toEqual({ available: 4n * USDC, reserved: 6n * USDC, covered: [6n * USDC] })
  }
  expect(costs[1]).toBe(costs[0])
})

test('a reservation is covered as far as the money is final, and again when more is', async () => {
  const [client] = await paidTogether(1)
  await airdrop(use, { from: use.client, to: [client!.address], amount: 4n * USDC })
  await use.engine.followOnce()
  await client!.supply(14n * USDC)
  await use.dev.mine(1)
  await use.engine.followOnce()
  expect(await amountsOf(client!)).toEqual({ available: 0n, reserved: 10n * USDC, covered: [10n * USDC] })
  await use.dev.mine(1)
  await use.engine.followOnce()
  expect(await amountsOf(client!)).toEqual({ available: 0n, reserved: 14n * USDC, covered: [14n * USDC] })
})
