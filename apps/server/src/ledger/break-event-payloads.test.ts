import { expect, test } from 'vitest'
import { useLedger } from '../../testing/ledger/use-ledger.ts'
import { inTransaction } from '../database/index.ts'
import { breakEventPayloads } from './break-event-payloads.ts'

const ledger = useLedger()

test('the payload of a break event names the wallet, and its profile decides who sees it', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const other = await ledger.wallets(1)
  const data = { breakId: 9, walletId: ids[0]!, tokenAddress: '0xUSDC', amountBaseUnits: '5' }
  const payloads = await inTransaction(ledger.db, (tx) =>
    breakEventPayloads(tx, [
      { id: 1, organizationId, data },
      { id: 2, organizationId: other.organizationId, data },
    ]),
  )
  expect([...payloads.keys()]).toEqual([1])
  expect(payloads.get(1)).toEqual({
    data: { ...data, walletAddress: '0x0', blockchain: 'polygon' },
    walletProfileId: expect.any(Number),
  })
})
