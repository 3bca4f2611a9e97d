// Also tested elsewhere: equality of ledger and chain after every test of the engine
// (testing/ledger/expect-ledger.ts), in random sequences, and under faults and crashes (simulate/checks/chain.ts).
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../../testing/units.ts'
import { silentLog } from '../../../kernel/index.ts'
import { settleBlock } from '../blocks/settle-block.ts'

const use = useEngine()
const openBreaks = () =>
  use.engine.db
    .selectFrom('ledger_breaks')
    .select('amount')
    .where('wallet_id', '=', use.client.wallet.walletId)
    .where('closed_at', 'is', null)
    .execute()

test('money that moves outside Weir is posted as external', async () => {
  await use.client.receive(50n * USDC)
  await use.dev.included(await use.client.spend(200n * USDC))
  await use.engine.settle()
  expect((await use.balances()).available).toBe(850n)
  const entries = await use.engine.db
    .selectFrom('ledger_postings')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_postings.entry_id')
    .select('ledger_entries.kind')
    .where('wallet_id', '=', use.client.wallet.walletId)
    .execute()
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['external_balance']))
})

test('an operation without issued bytes is aborted when the money that it reserved leaves', async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  const operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  await use.dev.included(await use.client.spend(500n * USDC))
  await use.engine.settle()
  expect((await use.client.operation(operation)).state).toBe('ABORTED')
  expect(await use.balances()).toEqual({ available: 500n, reserved: 0n, deployed: 0n })
  expect(await openBreaks()).toEqual([])
})

test('a shortfall that available cannot cover is an open break, which closes when the money returns', async () => {
  await use.client.supply(900n * USDC)
  await use.dev.included(await use.client.spend(300n * USDC))
  await use.engine.settle()
  expect(await use.balances()).toEqual({ available: 0n, reserved: 900n, deployed: 0n })
  expect(await openBreaks()).toEqual([{ amount: 200n * USDC }])
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine)
  await use.client.receive(200n * USDC)
  await use.engine.settle()
  expect(await openBreaks()).toEqual([])
  expect(await use.balances()).toEqual({ available: 0n, reserved: 900n, deployed: 0n })
})

test('a break is logged once when it opens and once when it closes, with its place and no personal data', async () => {
  const { engine, client, dev } = use
  await engine.db
    .updateTable('wallets')
    .set({ label: 'Erika Mustermann', org_metadata: JSON.stringify({ iban: 'DE02' }) })
    .where('id', '=', client.wallet.walletId)
    .execute()
  await client.supply(900n * USDC)
  await dev.included(await client.spend(300n * USDC))
  await dev.mine(5)
  const [warned, informed]: unknown[][] = [[], []]
  const log = {
    ...silentLog,
    warn: (facts: unknown) => void warned!.push(facts),
    info: (facts: unknown, message = '') => void (/\bbreak\b/.test(message) && informed!.push(facts)),
  }
  const settleSince = async (from: number) => {
    const after = await engine.settledBlock()
    const { final } = await engine.chain.heads()
    for (let number = from; number <= final.number; number += 1)
      await settleBlock({ ...engine.parts, log }, engine.chain, (await engine.chain.block(number))!, after)
    return final.number + 1
  }
  const next = await settleSince((await engine.chain.heads()).final.number - 6)
  const { organizationId, walletId, address } = client.wallet
  const place = { organizationId, walletId, blockchain: 'polygon', address, block: expect.any(Number) }
  const where = { ...place, breakId: expect.any(Number), tokenAddress: client.usdcAddress }
  expect(warned).toEqual([where])
  expect(informed).toEqual([])
  await client.receive(200n * USDC)
  await dev.mine(5)
  await settleSince(next)
  expect(warned).toHaveLength(1)
  expect(informed).toEqual([where])
})
