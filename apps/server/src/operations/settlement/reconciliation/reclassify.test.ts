// Also tested elsewhere: what stays on hold (rebalancing/state/hold-of-late-findings.test.ts), and that the books equal the
// chain in random sequences (simulate/).
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { useReportedHashes } from '../../../../testing/operations/use-reported-hashes.ts'
import { USDC } from '../../../../testing/units.ts'
import type { Operation } from '../../index.ts'
import { listMoneyMovements } from '../../views/list-money-movements.ts'

const { use, recover, cancel, settleUnmatched, approvedPlan } = useReportedHashes()

const ANY = {
  opWallet: undefined,
  tokenAddresses: undefined,
  type: undefined,
  status: undefined,
  from: undefined,
  until: undefined,
}

/** What `GET /api/transactions` lists, in any order, and its sums, in whole tokens. */
async function movements() {
  const page = { limit: 100, offset: 0 }
  const { organizationId } = use.client.scope
  const { moves, all, total } = await listMoneyMovements(use.engine.parts, organizationId, ANY, page)
  const listed = moves.map(({ type, amount }) => `${type} ${amount / USDC}`).toSorted()
  const whole = (sum: bigint) => sum / 10n ** 18n
  expect(total).toBe(listed.length)
  return { listed, inflow: whole(all.inflow), outflow: whole(all.outflow) }
}

/** A supply in a block that is settled without it, with something else in the same blocks. */
async function missedSupply(amount: bigint, meanwhile: (plan: Operation) => Promise<unknown>) {
  const plan = await approvedPlan(amount * USDC)
  const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
  await meanwhile(plan)
  await settleUnmatched(plan)
  return { plan, hash }
}

async function expectEqualToChain(): Promise<void> {
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine)
}

test('a supply that was posted as sent outside is listed once, and changes no available money when it is found', async () => {
  const { plan, hash } = await missedSupply(600n, cancel)
  expect((await use.balances()).available).toBe(400n)
  expect(await movements()).toEqual({ listed: ['INFLOW 1000', 'TRANSFER_OUT 600'], inflow: 1_000n, outflow: 600n })
  await recover(plan, hash)
  const found = { listed: ['INFLOW 1000', 'SUPPLY 600'], inflow: 1_000n, outflow: 600n }
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  expect((await use.balances()).available).toBe(400n)
  expect(await movements()).toEqual(found)
  await expectEqualToChain()
  await use.engine.settle()
  expect(await movements()).toEqual(found)
  await expectEqualToChain()
})

test('a withdrawal that was posted as received from outside is listed once, and is never available twice', async () => {
  await use.client.complete(await use.client.supply(600n * USDC))
  const plan = await use.client.unwind(200n * USDC)
  const hash = await use.dev.included(await use.client.send(plan.transactions[0]!))
  await settleUnmatched(plan)
  expect((await use.balances()).available).toBe(600n)
  await recover(plan, hash)
  expect((await use.balances()).available).toBe(600n)
  await use.engine.settle()
  const listed = ['INFLOW 1000', 'SUPPLY 600', 'UNWIND 200']
  expect(await movements()).toEqual({ listed, inflow: 1_200n, outflow: 600n })
  await expectEqualToChain()
})

test.each([
  ['less', 50n],
  ['as much', 600n],
  ['more', 700n],
])('where %s came meanwhile, only that is listed as from outside', async (_, received) => {
  const { plan, hash } = await missedSupply(600n, () => use.client.receive(received * USDC))
  await recover(plan, hash)
  await use.engine.settle()
  const { inflow, outflow } = await movements()
  expect({ inflow, outflow }).toEqual({ inflow: 1_000n + received, outflow: 600n })
  await expectEqualToChain()
})

test('what a break stood for is not given back', async () => {
  const { plan, hash } = await missedSupply(600n, () => use.client.spend(300n * USDC))
  expect(await use.balances()).toMatchObject({ available: 0n, reserved: 600n })
  await recover(plan, hash)
  expect(await use.balances()).toMatchObject({ available: 100n, reserved: 0n })
  await use.engine.settle()
  const { inflow, outflow } = await movements()
  expect({ inflow, outflow }).toEqual({ inflow: 1_000n, outflow: 900n })
  await expectEqualToChain()
})
