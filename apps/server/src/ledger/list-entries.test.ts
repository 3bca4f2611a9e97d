import { expect, test } from 'vitest'
import { useLedger } from '../../testing/ledger/use-ledger.ts'
import { postings } from './entry.ts'
import { listEntries } from './list-entries.ts'

const ledger = useLedger()

test('entries of one wallet are listed newest first with its postings, by page, kind and time', async () => {
  const { organizationId, ids } = await ledger.wallets(2)
  const [walletId, other] = ids as [number, number]
  const stranger = await ledger.wallets(1)
  const postEntry = async (
    of: number,
    kind: 'external_balance' | 'supply',
    amounts: Parameters<typeof postings>[2],
  ) => {
    ledger.clock.advance(1_000)
    const lines = postings(of, '0xUSDC', amounts)
    const owner = of === stranger.ids[0] ? stranger.organizationId : organizationId
    await ledger.post([{ ...ledger.entry(owner, lines), kind, blockNumber: 7 }])
    return ledger.clock.now()
  }
  const first = await postEntry(walletId, 'external_balance', { available: 5n, external: -5n })
  await postEntry(other, 'external_balance', { available: 9n, external: -9n })
  await postEntry(stranger.ids[0]!, 'external_balance', { available: 9n, external: -9n })
  const second = await postEntry(walletId, 'supply', { available: -3n, deployed: 4n, yield: -1n })
  const read = (more: Partial<Parameters<typeof listEntries>[1]> = {}) =>
    listEntries(ledger, { organizationId, walletId, limit: 10, offset: 0, ...more })
  const { entries, total } = await read()
  expect(total).toBe(2)
  expect(entries).toMatchObject([
    {
      kind: 'supply',
      bookedAt: second,
      blockNumber: 7,
      operationId: null,
      txHash: null,
      postings: [
        { tokenAddress: '0xUSDC', account: 'available', amount: -3n },
        { tokenAddress: '0xUSDC', account: 'deployed', amount: 4n },
        { tokenAddress: '0xUSDC', account: 'yield', amount: -1n },
      ],
    },
    { kind: 'external_balance', bookedAt: first, postings: [{ account: 'available', amount: 5n }, { amount: -5n }] },
  ])
  const kindsOf = async (more: Parameters<typeof read>[0]) => {
    const page = await read(more)
    return [page.total, page.entries.map(({ kind }) => kind)]
  }
  expect(await kindsOf({ limit: 1, offset: 1 })).toEqual([2, ['external_balance']])
  expect(await kindsOf({ before: entries[0]!.id })).toEqual([2, ['external_balance']])
  expect(await kindsOf({ kind: 'supply' })).toEqual([1, ['supply']])
  expect(await kindsOf({ from: second })).toEqual([1, ['supply']])
  expect(await kindsOf({ until: second })).toEqual([1, ['external_balance']])
  await ledger.post([
    { ...ledger.entry(organizationId, postings(walletId, '0xUSDT', { available: 1n, external: -1n })), kind: 'fee' },
  ])
  expect(await kindsOf({ tokenAddresses: ['0xUSDT'] })).toEqual([1, ['fee']])
  expect(await kindsOf({ tokenAddresses: ['0xUSDC'] })).toEqual([2, ['supply', 'external_balance']])
  expect(await kindsOf({ organizationId: stranger.organizationId })).toEqual([0, []])
})
