import { expect, test } from 'vitest'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { ledgerEntryRoutes } from './ledger-entries.ts'

const treasury = useTreasury(ledgerEntryRoutes)

interface Posting {
  readonly account: string
  readonly amount: string
  readonly amountBaseUnits: string
}

test('a deposit and a supply are listed with operation, hash and amounts, which sum to the balances', async () => {
  const { engine, staff } = treasury
  const client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const { operationId } = await client.complete(await client.supply(400n * USDC))
  const path = `/api/core/ledger-entries?walletId=${client.wallet.walletId}`
  const { entries, pagination } = await treasury.read(path)
  expect(pagination).toEqual({ total: entries.length, limit: 50, offset: 0, hasMore: false })
  const deposit = entries.at(-1)
  expect(deposit).toEqual({
    id: expect.any(Number),
    kind: 'external_balance',
    operationId: null,
    blockNumber: expect.any(Number),
    txHash: null,
    bookedAt: expect.any(String),
    postings: [
      {
        account: 'available',
        token: 'USDC',
        tokenAddress: client.usdcAddress,
        amount: '1000.00',
        amountBaseUnits: '1000000000',
      },
      {
        account: 'external',
        token: 'USDC',
        tokenAddress: client.usdcAddress,
        amount: '-1000.00',
        amountBaseUnits: '-1000000000',
      },
    ],
  })
  const { entries: supplies } = await treasury.read(`${path}&kind=SUPPLY`)
  expect(supplies).toMatchObject([{ kind: 'supply', operationId }])
  const hashes = await engine.db
    .selectFrom('transactions')
    .select('tx_hash')
    .where('organization_id', '=', staff.organizationId)
    .where('operation_id', '=', operationId)
    .orderBy('position', 'desc')
    .execute()
  expect(supplies[0].txHash).toBe(hashes[0]!.tx_hash)
  const sums = Map.groupBy(
    entries.flatMap((entry: { postings: Posting[] }) => entry.postings) as Posting[],
    ({ account }) => account,
  )
  const { available, deployed } = await engine.db
    .selectFrom('ledger_balances')
    .select(['available', 'deployed'])
    .where('organization_id', '=', staff.organizationId)
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', client.usdcAddress)
    .executeTakeFirstOrThrow()
  const sumOf = (account: string) =>
    (sums.get(account) ?? []).reduce((sum, { amountBaseUnits }) => sum + BigInt(amountBaseUnits), 0n)
  expect([sumOf('available'), sumOf('deployed')]).toEqual([available, deployed])
  expect(available).toBe(600n * USDC)

  const [newest, next] = entries
  const page = await treasury.read(`${path}&limit=1&before=${newest.id}`)
  expect(page).toMatchObject({ entries: [{ id: next.id }], pagination: { total: entries.length } })
})

test('only entries of one token are listed on request', async () => {
  const { engine, staff } = treasury
  const client = await engine.client({ organizationId: staff.organizationId, usdc: USDC })
  await engine.settle()
  const path = `/api/core/ledger-entries?walletId=${client.wallet.walletId}`
  expect((await treasury.read(`${path}&token=usdc`)).pagination.total).toBe(1)
  expect((await treasury.read(`${path}&token=USDT`)).entries).toEqual([])
  expect(await treasury.request(`${path}&token=DOGE`)).toMatchObject(refusal(404, 'TOKEN_NOT_FOUND'))
})

test('a filter that does not exist and a wallet of another organization are refused', async () => {
  const { engine, staff } = treasury
  const own = await engine.client({ organizationId: staff.organizationId, usdc: USDC })
  const path = `/api/core/ledger-entries?walletId=${own.wallet.walletId}`
  expect(await treasury.request('/api/core/ledger-entries')).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  for (const query of ['kind=gift', 'from=yesterday', 'limit=101'])
    expect(await treasury.request(`${path}&${query}`), query).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  const stranger = await engine.client({ usdc: USDC })
  const theirs = `/api/core/ledger-entries?walletId=${stranger.wallet.walletId}`
  expect(await treasury.request(theirs)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
})
