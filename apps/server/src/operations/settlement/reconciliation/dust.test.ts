// The settlement of transfers in general: reconcile-balances.test.ts.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countStatements } from '../../../../testing/index.ts'
import { expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { airdrop, registerLike } from '../../../../testing/operations/airdrop.ts'
import { useChain } from '../../../../testing/operations/use-chain.ts'

const use = useChain()

test('a block with a thousand transfers of dust costs as many statements as one with ten, and each is posted', async () => {
  const { engine } = use
  const client = await engine.client()
  await engine.settle()
  const costs: number[] = []
  for (const wallets of [10, 1_000]) {
    await airdrop(use, { from: client, to: await registerLike(use, client.wallet, wallets), amount: 1n })
    costs.push((await countStatements(engine.followOnce)).statements)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from wallets w
      join ledger_balances b on b.organization_id = w.organization_id and b.wallet_id = w.id and b.available = 1
      where w.organization_id = ${client.wallet.organizationId} and w.reconciled_block > 1
    `.execute(engine.db)
    expect(rows).toEqual([{ count: wallets === 10 ? 10 : 1_010 }])
  }
  expect(costs[1]).toBe(costs[0])
  await expectValidLedger(engine)
})
