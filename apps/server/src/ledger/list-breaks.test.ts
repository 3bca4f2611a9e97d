import { expect, test } from 'vitest'
import { useLedger } from '../../testing/use-ledger.ts'
import { inTransaction } from '../database/index.ts'
import { recordBreaks } from './breaks.ts'
import { listBreaks } from './list-breaks.ts'

const ledger = useLedger()

test('the list shows the breaks of one organization, open ones first', async () => {
  const { organizationId, ids } = await ledger.wallets(2)
  const other = await ledger.wallets(1)
  const at = ledger.clock.now()
  const record = (owner: number, walletId: number, amount: bigint) =>
    inTransaction(ledger.db, (tx) =>
      recordBreaks(tx, [
        {
          organizationId: owner,
          walletId,
          tokenAddress: '0xUSDC',
          reason: 'balance',
          amount,
          blockNumber: 1,
          at,
        },
      ]),
    )
  await record(organizationId, ids[0]!, 5n)
  await record(organizationId, ids[1]!, 7n)
  await record(organizationId, ids[1]!, 0n)
  await record(other.organizationId, other.ids[0]!, 9n)
  const page = await listBreaks({ db: ledger.db }, organizationId, { limit: 10, offset: 0 })
  expect(page).toMatchObject({ total: 2, open: 1 })
  expect(page.items).toMatchObject([
    { walletId: ids[0], amount: 5n, closedAt: null },
    { walletId: ids[1], amount: 7n, closedAt: at },
  ])
  expect(await listBreaks({ db: ledger.db }, organizationId, { limit: 1, offset: 2 })).toMatchObject({
    items: [],
    total: 2,
  })
})
