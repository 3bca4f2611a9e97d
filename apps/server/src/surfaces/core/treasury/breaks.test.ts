import { beforeEach, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { documentedRequest } from '../../../../testing/source/documented-request.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { inTransaction } from '../../../database/index.ts'
import { recordBreaks } from '../../../ledger/index.ts'
import { breakRoutes } from './breaks.ts'

const treasury = useTreasury(breakRoutes)
let client: TestClient
let breakId: number
beforeEach(async () => {
  const { engine, staff } = treasury
  client = await engine.client({ organizationId: staff.organizationId, usdc: 10n * USDC })
  await measure(5n)
  const { breaks } = await treasury.read('/api/core/breaks?status=open')
  breakId = breaks[0].id
})

const measure = (amount: bigint, tokenAddress = '0xUSDC') =>
  inTransaction(treasury.engine.db, (tx) =>
    recordBreaks(tx, [
      {
        organizationId: treasury.staff.organizationId,
        walletId: client.wallet.walletId,
        tokenAddress,
        reason: 'balance',
        amount,
        blockNumber: 12,
        at: treasury.engine.clock.now(),
      },
    ]),
  )
const accept = (body: object, token = treasury.staff.tokens.admin) =>
  treasury.send('POST', `/api/core/breaks/${breakId}/accept`, body, { token })

test('a break is listed, read, and accepted by an admin with a reason; the audit log has the amount', async () => {
  const open = { id: breakId, status: 'open', amountBaseUnits: '5', blockNumber: 12, acceptedAt: null }
  expect(await treasury.read(`/api/core/breaks/${breakId}`)).toMatchObject(open)
  expect(await accept({ reason: 'Known.' }, treasury.staff.tokens.approver)).toMatchObject(refusal(403, 'FORBIDDEN'))
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(1_001) }])
    expect(await accept(body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect((await accept({ reason: 'A fee, booked by hand.' })).body.data).toMatchObject({
    id: breakId,
    status: 'accepted',
    acceptedReason: 'A fee, booked by hand.',
  })
  expect(await accept({ reason: 'Again.' })).toMatchObject(refusal(409, 'CONFLICT'))
  expect(await treasury.read('/api/core/breaks?status=accepted')).toMatchObject({ breaks: [{ id: breakId }] })
  const [entry] = await treasury.audited('acceptBreak')
  expect(entry!.details).toEqual({ amountBaseUnits: '5' })
})

test('the request of docs/operating.md accepts a break', async () => {
  const { method, path, body } = documentedRequest('docs/operating.md', '/api/core/breaks/$ID/accept')
  const url = path.replace('$ID', String(breakId))
  const accepted = await treasury.send(method as 'POST', url, body as object, { token: treasury.staff.tokens.admin })
  expect(accepted.body.data).toMatchObject({ id: breakId, status: 'accepted' })
})

test('a break names its wallet and its token; of a token that is no longer configured it names only the address', async () => {
  await measure(1_500_000n, client.usdcAddress)
  const { breaks } = await treasury.read('/api/core/breaks')
  const walletLabel = `${client.address.slice(0, 6)}…${client.address.slice(-4)}`
  expect(breaks).toMatchObject([
    { amountBaseUnits: '1500000', token: 'USDC', tokenDecimals: 6, walletLabel },
    { id: breakId, tokenAddress: '0xUSDC', token: null, tokenDecimals: null, walletLabel },
  ])
})

test('an unknown break is NOT_FOUND', async () => {
  breakId = 2 ** 40
  expect(await treasury.request(`/api/core/breaks/${breakId}`)).toMatchObject(refusal(404, 'NOT_FOUND'))
  expect(await accept({ reason: 'Known.' })).toMatchObject(refusal(404, 'NOT_FOUND'))
})

test('the list is filtered by chain and by wallet; a chain that does not exist is refused at its field', async () => {
  const found = async (query: string) =>
    (await treasury.read(`/api/core/breaks?${query}`)).breaks.map(({ id }: { id: number }) => id)
  expect(await found('blockchain=POLYGON')).toEqual([breakId])
  expect(await found('blockchain=solana')).toEqual([])
  expect(await found(`q=${client.address.slice(0, 10).toUpperCase()}`)).toEqual([breakId])
  expect(await found('q=nothing')).toEqual([])
  for (const [query, field] of [
    ['blockchain=arbitrum', 'blockchain'],
    ['q=', 'q'],
  ] as const) {
    const refused = await treasury.request(`/api/core/breaks?${query}`)
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { issues: [{ path: field }] } },
    })
  }
})
