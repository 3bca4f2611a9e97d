import { beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { refusal, useV1 } from '../../../../testing/surfaces/use-v1.ts'
import { USDC } from '../../../../testing/units.ts'

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'
const NOBODY = '0x00000000000000000000000000000000000000aa'

const v1 = useV1()
let client: TestClient
beforeAll(async () => {
  client = await v1.engine.client()
  await v1.engine.settle()
  await client.complete(await client.supply(100n * USDC, AAVE))
  await client.complete(await client.supply(900n * USDC, VAULT))
})

const idOf = (key: string) => v1.engine.strategy(key).id

describe('by strategy', () => {
  test('returns the record of the list, by id, by address, or by both', async () => {
    const { body } = await v1.server.get(client, `/v1/allocations?walletId=${client.wallet.walletId}`)
    for (const key of [AAVE, VAULT]) {
      const listed = body.allocations.find(({ strategyId }: { strategyId: number }) => strategyId === idOf(key))
      for (const query of [
        `walletId=${client.wallet.walletId}`,
        `walletAddress=${client.address.toLowerCase()}`,
        `walletAddress=${client.address}&walletId=${client.wallet.walletId}`,
      ]) {
        const answer = await v1.server.get(client, `/v1/allocations/strategy/${idOf(key)}?${query}`)
        expect(answer).toMatchObject({ status: 200, body: listed })
        expect(answer.headers).not.toHaveProperty('deprecation')
      }
    }
  })

  test('returns ALLOCATION_NOT_FOUND for a closed position and for one that never existed', async () => {
    const other = await v1.engine.client()
    await v1.engine.settle()
    const url = `/v1/allocations/strategy/${idOf(AAVE)}?walletId=${other.wallet.walletId}`
    expect(await v1.server.get(other, url)).toMatchObject(refusal(404, 'ALLOCATION_NOT_FOUND'))
    await other.complete(await other.supply(10n * USDC))
    expect((await v1.server.get(other, url)).status).toBe(200)
    await other.complete(await other.unwind('full'))
    expect(await v1.server.get(other, url)).toMatchObject(refusal(404, 'ALLOCATION_NOT_FOUND'))
  })

  test('treats another organization’s wallet as unknown', async () => {
    const other = await v1.engine.client({ usdc: 0n })
    const url = `/v1/allocations/strategy/${idOf(AAVE)}?walletId=${client.wallet.walletId}`
    expect(await v1.server.get(other, url)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    const profile = { ...client, scope: { ...client.scope, walletProfileId: client.wallet.walletProfileId + 1_000 } }
    expect(await v1.server.get(profile, url)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect((await v1.server.get({ ...client, readsOnly: true }, url)).status).toBe(200)
  })
})

describe('by venue', () => {
  test('returns the largest allocation there, with the deprecation header', async () => {
    const { body } = await v1.server.get(
      client,
      `/v1/allocations/strategy/${idOf(VAULT)}?walletId=${client.wallet.walletId}`,
    )
    const answer = await v1.server.get(client, `/v1/allocations/${body.venueId}?walletAddress=${client.address}`)
    expect(answer).toMatchObject({ status: 200, body })
    expect(answer.headers.deprecation).toMatch(/^@\d+$/)
    const document = v1.server.app.swagger() as unknown as { paths: Record<string, { get: { deprecated?: boolean } }> }
    expect(document.paths['/v1/allocations/{venueId}']!.get.deprecated).toBe(true)
  })

  test('returns the larger of several at one venue, whichever is newer', async () => {
    // Two strategies of one venue: USDC and USDT at the lending market.
    const other = await v1.engine.client()
    await v1.dev.fund(other.address, v1.engine.strategy('aave-v3:polygon:USDT').tokenAddress, 1_000n * USDC)
    await v1.engine.settle()
    await other.complete(await other.supply(500n * USDC, AAVE))
    await other.complete(await other.supply(20n * USDC, 'aave-v3:polygon:USDT'))
    const { body } = await v1.server.get(other, `/v1/allocations?walletId=${other.wallet.walletId}`)
    expect(body.allocations.map(({ venueId }: { venueId: number }) => venueId)).toEqual(
      Array(2).fill(body.allocations[0].venueId),
    )
    const url = `/v1/allocations/${body.allocations[0].venueId}?walletId=${other.wallet.walletId}`
    expect((await v1.server.get(other, url)).body).toMatchObject({ token: 'USDC' })
    await other.complete(await other.supply(900n * USDC, 'aave-v3:polygon:USDT'))
    expect((await v1.server.get(other, url)).body).toMatchObject({ token: 'USDT' })
  })

  test('returns ALLOCATION_NOT_FOUND where there is none', async () => {
    const other = await v1.engine.client({ usdc: 0n })
    const { body } = await v1.server.get(client, `/v1/allocations?walletId=${client.wallet.walletId}`)
    const url = `/v1/allocations/${body.allocations[0].venueId}?walletId=${other.wallet.walletId}`
    expect(await v1.server.get(other, url)).toMatchObject(refusal(404, 'ALLOCATION_NOT_FOUND'))
  })
})

describe.each([
  ['strategy/', 'STRATEGY_NOT_FOUND'],
  ['', 'VENUE_NOT_FOUND'],
])('the wallet of /v1/allocations/%s…', (path, missing) => {
  const ask = (query: string, id: number | string = 999_999) =>
    v1.server.get(client, `/v1/allocations/${path}${id}${query}`)

  test('is checked before the strategy or venue', async () => {
    expect(await ask('?walletAddress=nonsense')).toMatchObject(refusal(400, 'INVALID_ADDRESS'))
    expect(await ask(`?walletAddress=${NOBODY}`)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect(await ask('?walletId=999999')).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect(await ask(`?walletAddress=${client.address}`)).toMatchObject(refusal(404, missing))
  })

  test('is required, and id and address must agree', async () => {
    const known = path === '' ? 1 : idOf(AAVE)
    const both = `?walletId=${client.wallet.walletId}&walletAddress=${NOBODY}`
    for (const [query, field] of [
      ['', 'walletAddress'],
      [both, 'walletAddress'],
      ['?walletId=first', 'walletId'],
    ] as const) {
      const { status, body } = await ask(query, known)
      expect([status, body.code, body.details?.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', field])
    }
    expect(await ask(`?walletId=${client.wallet.walletId}`, 'first')).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })

  test('on another chain is a mismatch when named by id, and unknown when named by address', async () => {
    const { db } = v1.engine
    const { id: walletId } = await db
      .insertInto('wallets')
      .values({
        organization_id: client.scope.organizationId,
        wallet_profile_id: client.wallet.walletProfileId,
        blockchain: 'base',
        address: NOBODY.replace('aa', 'bb'),
        created_at: v1.engine.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { body } = await v1.server.get(client, `/v1/allocations?walletId=${client.wallet.walletId}`)
    const here = path === '' ? body.allocations[0].venueId : idOf(AAVE)
    const refused = await ask(`?walletId=${walletId}`, here)
    expect(refused).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(refused.body.details.issues[0].path).toBe(path === '' ? 'venueId' : 'strategyId')
    await db.deleteFrom('wallets').where('id', '=', walletId).execute()
  })
})
