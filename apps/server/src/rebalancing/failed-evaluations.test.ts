import { expect, test } from 'vitest'
import { breakRows } from '../../testing/database/break-rows.ts'
import { loggedLines } from '../../testing/logged-lines.ts'
import { useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

const rebalancer = useRebalancer()

test('a wallet whose evaluation fails in every pass is logged once, and once when it succeeds again', async () => {
  const { log, lines, take } = loggedLines()
  const use = await rebalancer.monitor(await rebalancer.fundedClient(), 100n * USDC)
  const { organizationId, opWalletId } = use.wallet
  const repair = await breakRows(rebalancer.engine.db, {
    table: 'operations',
    when: `new.organization_id = ${organizationId}`,
  })
  const pass = async () => {
    while ((await evaluateDueWallets({ ...rebalancer.parts, log })) > 0);
    rebalancer.engine.clock.advance(86_400_000)
  }
  for (let passes = 0; passes < 3; passes += 1) await pass()
  expect(lines).toMatchObject([{ organizationId, opWalletId, msg: 'failed to evaluate an operational wallet' }])
  take()
  await repair()
  await pass()
  expect(lines).toMatchObject([
    { organizationId, opWalletId, failures: 3, msg: 'an operational wallet can be evaluated again' },
  ])
})

test('a wallet whose result cannot be stored holds up no other wallet of its page', async () => {
  const [bad, good] = [
    await rebalancer.monitor(await rebalancer.fundedClient(), 100n * USDC),
    await rebalancer.monitor(await rebalancer.fundedClient(), 100n * USDC),
  ]
  const { db } = rebalancer.engine
  const noteOf = async ({ wallet }: typeof bad) =>
    (
      await db
        .selectFrom('operational_wallets')
        .select('last_evaluation as note')
        .where('id', '=', wallet.opWalletId)
        .executeTakeFirstOrThrow()
    ).note
  const when = `new.id = ${bad.wallet.opWalletId} and new.last_evaluation is not null`
  const repair = await breakRows(db, { table: 'operational_wallets', when })
  await evaluateDueWallets(rebalancer.parts)
  expect([await noteOf(bad), await noteOf(good)]).toEqual([null, expect.anything()])
  await repair()
})
