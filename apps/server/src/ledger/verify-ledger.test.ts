import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { LEDGER_TOKENS, useLedger } from '../../testing/ledger/use-ledger.ts'
import { postings } from './index.ts'
import { verifyLedger } from './verify-ledger.ts'

const ledger = useLedger()

test('a ledger that only Weir wrote is whole, and each rule finds rows that somebody changed', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const amounts = { external: -70n, available: 70n }
  await ledger.post([ledger.entry(organizationId, postings(ids[0]!, LEDGER_TOKENS[0]!, amounts))])
  expect(await verifyLedger(ledger.db)).toEqual([])

  const change = async (statement: string) => {
    await sql.raw(`alter table ledger_postings disable trigger user; ${statement}`).execute(ledger.db)
    return (await verifyLedger(ledger.db)).map(({ what, count }) => [what.split(' ').slice(0, 3).join(' '), count])
  }
  expect(await change("update ledger_postings set amount = 71 where account = 'available'")).toEqual([
    ['an entry that', 1],
    ['balances that are', 1],
  ])
  expect(await change("update ledger_postings set amount = 70 where account = 'available'")).toEqual([])
  expect(await change('update ledger_balances set available = 71, external = -71')).toEqual([['balances that are', 2]])
})

test('accounts without the rows that they stand for are noticed, as in a copy that lost another table', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const amounts = { external: -100n, available: 60n, reserved: 10n, deployed: 25n, exiting: 10n, yield: -5n }
  await ledger.post([ledger.entry(organizationId, postings(ids[0]!, LEDGER_TOKENS[0]!, amounts))])
  const found = (await verifyLedger(ledger.db)).map(({ what }) => what)
  for (const account of ['deployed', 'exiting', 'yield', 'reserved'])
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^an? ${account} account that is not`)))
})
