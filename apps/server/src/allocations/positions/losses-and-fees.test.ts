// `position.test.ts` tests what is a loss and what is a fee.
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { USDC } from '../../../testing/units.ts'
import { until } from '../../../testing/until.ts'

const LENDING = 'erc4626:polygon:USDC:lending-markets'
const use = useEngine()

/** What was posted and emitted as a loss or a fee, with its amount in base units. */
async function posted() {
  const { engine, client } = use
  const { organizationId } = client.wallet
  const entries = await engine.db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_postings', 'ledger_postings.entry_id', 'ledger_entries.id')
    .select(['ledger_entries.kind', 'ledger_postings.amount'])
    .where('ledger_entries.organization_id', '=', organizationId)
    .where('ledger_entries.kind', 'in', ['loss', 'fee'])
    .where('ledger_postings.account', '=', 'yield')
    .orderBy('ledger_entries.id')
    .execute()
  const events = (await emittedEvents(engine.db, organizationId, 'allocation')).filter(({ data }) => 'amount' in data)
  expect(events.map(({ event, data }) => [event, data.amount])).toEqual(
    entries.map(({ kind, amount }) => [`allocation.${kind}_booked`, String(amount)]),
  )
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine, [client.wallet.walletId])
  return entries.map(({ kind, amount }) => ({ kind, amount }))
}

const lose = (basisPoints: number) => use.dev.setStrategyState(LENDING, { lossBasisPoints: basisPoints })

test('a share price that fell is posted as a loss with an event, at a movement or at the end of the day', async () => {
  const { client, engine, dev } = use
  await client.complete(await client.supply(600n * USDC, LENDING))
  expect(await posted()).toEqual([])
  await lose(300)
  await client.complete(await client.unwind(100n * USDC, LENDING))
  const [first] = await posted()
  expect(first).toMatchObject({ kind: 'loss' })
  expect(Number(first!.amount) / Number(USDC)).toBeCloseTo(18, 1)
  await lose(100)
  await dev.rpc('evm_increaseTime', 2 * 86_400)
  await engine.settle()
  const [, second] = await posted()
  expect(second).toMatchObject({ kind: 'loss' })
  expect(Number(second!.amount) / Number(USDC)).toBeCloseTo(4.8, 0)
  await lose(0)
  await client.complete(await client.unwind('full', LENDING))
  expect(await posted(), 'a loss made good is yield').toHaveLength(2)
})

test('the value that a deposit lacks in its own block is posted as a fee with an event', async () => {
  const { client, engine, dev } = use
  const plan = await client.supply(600n * USDC, LENDING)
  await client.submit(plan, await client.sign(plan.transactions[0]!))
  await engine.settle()
  await dev.mineAtOnce(false)
  const hash = await client.send(plan.transactions[1]!)
  const lost = lose(100)
  await until(async () => Number((await dev.rpc<{ pending: string }>('txpool_status')).pending) >= 2)
  await dev.rpc('evm_mine')
  await dev.mineAtOnce(true)
  await lost
  await dev.included(hash)
  await engine.settle()
  const [fee] = await posted()
  expect(fee).toMatchObject({ kind: 'fee' })
  expect(Number(fee!.amount)).toBeGreaterThan(1_000)
  await lose(0)
})
