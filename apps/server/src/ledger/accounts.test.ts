// Also tested elsewhere: accounts of new wallets (wallets/register-wallet.test.ts) and of operational wallets
// (wallets/add-operational-wallet.test.ts), and balances in general (post.test.ts).
import { expect, test } from 'vitest'
import { LEDGER_TOKENS, useLedger } from '../../testing/ledger/use-ledger.ts'
import { balancesOf, openAccounts, openMissingAccounts } from './accounts.ts'
import { postings } from './entry.ts'

const ledger = useLedger()

test('an account must be opened before it is posted to, and opening it again keeps its balance', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const walletId = ids[0]!
  const lines = postings(walletId, '0xDAI', { available: 1n, external: -1n })
  await expect(ledger.post([ledger.entry(organizationId, lines)])).rejects.toThrow()
  const written = await ledger.db
    .selectFrom('ledger_postings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute()
  expect(written).toEqual([])
  await openAccounts(ledger.db, { organizationId, walletId }, ['0xDAI'])
  await ledger.post([ledger.entry(organizationId, lines)])
  await openAccounts(ledger.db, { organizationId, walletId }, ['0xDAI', '0xUSDC'])
  const balances = await balancesOf(ledger.db, { organizationId, walletId })
  expect(balances.find(({ tokenAddress }) => tokenAddress === '0xDAI')).toMatchObject({ available: 1n })
})

test('opening the same accounts at once opens each of them once, and no token opens nothing', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const wallet = { organizationId, walletId: ids[0]! }
  await Promise.all(Array.from({ length: 5 }, () => openAccounts(ledger.db, wallet, ['0xDAI', '0xEURC'])))
  await openAccounts(ledger.db, wallet, [])
  const tokens = (await balancesOf(ledger.db, wallet)).map(({ tokenAddress }) => tokenAddress)
  expect(tokens).toEqual([...LEDGER_TOKENS, '0xDAI', '0xEURC'].sort())
})

test('a token that is new to a network gets an account in every wallet of that chain, and balances stay', async () => {
  const [one, two, other] = [await ledger.wallets(1), await ledger.wallets(1), await ledger.wallets(1, 'base')]
  const [first] = one.ids
  const lines = postings(first!, '0xUSDC', { available: 7n, external: -7n })
  await ledger.post([ledger.entry(one.organizationId, lines)])
  const network = {
    blockchain: 'polygon',
    tokens: [...LEDGER_TOKENS, '0xNEW'].map((address) => ({ address })),
  } as const
  await openMissingAccounts(ledger.db, network)
  await openMissingAccounts(ledger.db, network)
  const tokensOf = async (organizationId: number, walletId: number) =>
    (await balancesOf(ledger.db, { organizationId, walletId })).map(({ tokenAddress }) => tokenAddress)
  const all = [...LEDGER_TOKENS, '0xNEW'].sort()
  expect(await tokensOf(one.organizationId, first!)).toEqual(all)
  expect(await tokensOf(two.organizationId, two.ids[0]!)).toEqual(all)
  expect(await tokensOf(other.organizationId, other.ids[0]!), 'a wallet on another chain').toEqual(LEDGER_TOKENS)
  const kept = await balancesOf(ledger.db, { organizationId: one.organizationId, walletId: first! })
  expect(kept.find(({ tokenAddress }) => tokenAddress === '0xUSDC')).toMatchObject({ available: 7n })
})
