import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation, OperationList, Strategy } from '../clients/api-types.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { holdInFlight } from '../clients/hold-in-flight.ts'
import { registerOrganization } from '../clients/register-organization.ts'
import { createFundedWalletClient, createWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

const TOKEN = 1_000_000n

let system: System
let aave: Strategy
let tether: Strategy
let vault: Strategy
let capped: Strategy
let paused: Strategy
let elsewhere: Strategy
/** A plan with a lifetime of thirty seconds, made first: it has expired when its test runs. */
let hasty: { holder: WalletClient; plan: Operation; signedTransaction: string }

beforeAll(async () => {
  system = await sharedSystem()
  aave = await system.strategy('polygon', 'Aave V3 USDC')
  tether = await system.strategy('polygon', 'Aave V3 USDT')
  vault = await system.strategy('polygon', 'Yield Vault USDC')
  capped = await system.strategy('polygon', 'Capped')
  paused = await system.strategy('polygon', 'Paused')
  elsewhere = await system.strategy('base', 'Aave V3 USDC')
  hasty = await planHastily()
})
afterAll(() => system?.stop())

async function planHastily() {
  const party = await registerOrganization(system)
  const { id } = await party.profile({ name: 'Fast payouts', operationTimeoutSeconds: 30 })
  const holder = await createFundedWalletClient(await party.client({ walletProfileId: id }), 'polygon', 5n * TOKEN)
  const plan = await holder.planSupply(aave, 5n * TOKEN)
  return { holder, plan, signedTransaction: await holder.sign(plan.transactions[0]!) }
}

const supply = (body: unknown) => system.profile.post<Operation>('/v1/operations/supply', body)
const failSimulations = (count: number) =>
  system.profile.post('/v1/sandbox/chain-faults', { blockchain: 'polygon', fault: 'simulation_fails', count })
const NEVER_REGISTERED = privateKeyToAccount(generatePrivateKey()).address
const NO_TOKEN = '0x00000000000000000000000000000000000000fF'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('a supply', () => {
  test('returns 201 with everything that is needed to sign it, and nothing else', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
    const before = Date.now()
    const answer = await supply({ ...holder.supplyOf(aave, 10n * TOKEN), walletId: holder.walletId, unknown: 1 })
    expect(answer.status).toBe(201)
    const { operationId, transactions, expiresAt, createdAt, updatedAt, ...rest } = answer.body
    expect(rest).toEqual({
      type: 'supply',
      status: 'AWAITING_SIGNATURE',
      walletId: holder.walletId,
      strategyId: aave.strategyId,
      amount: '10000000',
      settledAmount: null,
    })
    expect(answer.text).not.toContain('cancelledOperations')
    expect([createdAt, updatedAt, expiresAt].every((time) => ISO.test(time))).toBe(true)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(120_000)
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before - 1_000)
    expect(transactions).toHaveLength(2)
    for (const transaction of transactions) {
      expect(Object.keys(transaction).sort()).toEqual([
        'blockchain',
        'description',
        'id',
        'status',
        'unsignedTransaction',
      ])
      expect(transaction).toMatchObject({ blockchain: 'polygon', status: 'unsigned' })
      expect(transaction.unsignedTransaction).toMatch(/^0x02[0-9a-f]+$/)
    }
    const [approval, deposit] = transactions.map(holder.planned)
    expect(approval).toMatchObject({
      chainId: 31338,
      nonce: 0,
      to: expect.stringMatching(new RegExp(aave.tokenAddress, 'i')),
    })
    expect(deposit).toMatchObject({ chainId: 31338, nonce: 1 })
    expect(approval!.value ?? 0n).toBe(0n)

    expect((await system.profile.get<Operation>(`/v1/operations/${operationId}`)).body).toEqual(answer.body)
    const [first] = transactions
    expect((await system.profile.get(`/v1/transactions/${first!.id}`)).body).toEqual({ ...first, operationId })
    expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '10000000', deployed: '0' })
  })

  test('checks in order: wallet, strategy, activity, token, match, amount, limits, balance', async () => {
    const holder = await createWalletClient(system.profile, 'polygon')
    const { walletAddress } = holder
    const wrongAll = { walletAddress: '0x12', strategyId: 999_999, tokenAddress: 'x', amount: '0' }
    expectIssues(await supply({ ...wrongAll, strategyId: 'x' }), 'strategyId')
    expectRefusal(await supply({ ...wrongAll, walletAddress: undefined }), 400, 'VALIDATION_ERROR')
    expectRefusal(await supply(wrongAll), 400, 'INVALID_ADDRESS')
    expectRefusal(await supply({ ...wrongAll, walletAddress: '' }), 400, 'INVALID_ADDRESS')
    expectRefusal(await supply({ ...wrongAll, walletAddress: 'a'.repeat(5_000) }), 400, 'INVALID_ADDRESS')
    expectRefusal(await supply({ ...wrongAll, walletAddress: NEVER_REGISTERED }), 404, 'WALLET_NOT_FOUND')
    expectRefusal(await supply({ ...wrongAll, walletAddress: undefined, walletId: 999_999 }), 404, 'WALLET_NOT_FOUND')
    const known = { ...wrongAll, walletAddress }
    expectRefusal(await supply(known), 404, 'STRATEGY_NOT_FOUND')
    const of = (strategy: Strategy) => ({ ...known, strategyId: strategy.strategyId })
    expectRefusal(await supply(of(paused)), 400, 'STRATEGY_NOT_ACTIVE')
    expectRefusal(await supply({ ...of(capped), tokenAddress: 'y'.repeat(5_000) }), 400, 'INVALID_TOKEN')
    for (const tokenAddress of ['x', '', NO_TOKEN, elsewhere.tokenAddress]) {
      expectRefusal(await supply({ ...of(capped), tokenAddress }), 400, 'INVALID_TOKEN')
    }
    const mismatch = { ...of(capped), tokenAddress: tether.tokenAddress }
    expectRefusal(await supply(mismatch), 400, 'TOKEN_MISMATCH')
    const matching = { ...of(capped), tokenAddress: capped.tokenAddress.toLowerCase() }
    expectRefusal(await supply(matching), 400, 'INVALID_AMOUNT')
    expect(expectRefusal(await supply({ ...matching, amount: '1999999' }), 400, 'AMOUNT_OUT_OF_BOUNDS')).toEqual({
      minDeposit: '2000000',
      maxDeposit: '100000000000',
    })
    expectRefusal(await supply({ ...matching, amount: '100000000001' }), 400, 'AMOUNT_OUT_OF_BOUNDS')
    expect(expectRefusal(await supply({ ...matching, amount: '100000000000' }), 400, 'INSUFFICIENT_BALANCE')).toEqual({
      required: '100000000000',
      available: '0',
    })
    expect(
      expectRefusal(
        await supply({ ...of(aave), tokenAddress: aave.tokenAddress, amount: '1' }),
        400,
        'AMOUNT_OUT_OF_BOUNDS',
      ),
    ).toEqual({
      minDeposit: '1000000',
      maxDeposit: null,
    })
  })

  test('reports an operation in progress before balance, balance before gas, gas before simulation', async () => {
    const poor = await createWalletClient(system.profile, 'polygon')
    await poor.fund('USDC', 5n * TOKEN, false)
    await failSimulations(100)
    expectRefusal(await supply(poor.supplyOf(aave, 6n * TOKEN)), 400, 'INSUFFICIENT_BALANCE')
    const gas = expectRefusal(await supply(poor.supplyOf(aave, 5n * TOKEN)), 400, 'INSUFFICIENT_GAS')
    expect(BigInt(gas.required as string)).toBeGreaterThan(0n)
    expect(gas.available).toBe('0')
    await poor.fund('native', 10n ** 18n)
    expectRefusal(await supply(poor.supplyOf(aave, 5n * TOKEN)), 400, 'SIMULATION_FAILED')
    await failSimulations(0)

    const operation = await poor.planSupply(aave, 5n * TOKEN)
    await holdInFlight(poor, operation)
    await failSimulations(100)
    const busy = expectRefusal(await supply(poor.supplyOf(aave, 500n * TOKEN)), 409, 'OPERATION_IN_PROGRESS')
    expect(busy).toEqual({ operationId: operation.operationId })
    expectRefusal(await supply(poor.supplyOf(capped, 1n)), 400, 'AMOUNT_OUT_OF_BOUNDS')
    await failSimulations(0)
    expectRefusal(
      await system.profile.post(`/v1/operations/${operation.operationId}/cancel`),
      400,
      'INVALID_OPERATION_STATUS',
    )
    expect(await poor.balance('USDC')).toMatchObject({ available: '0', reserved: '5000000' })
  })

  test('accepts amounts only as integers of base units', async () => {
    const { walletAddress } = await createWalletClient(system.profile, 'polygon')
    const { strategyId, tokenAddress } = aave
    const above = (2n ** 256n).toString()
    const bad = ['', '0', '00', '-1', '+1', '1.0', '1e6', '0x10', ' 1', '1 ', '1_000', '1,000', 'abc', '١', above]
    for (const amount of [...bad, '9'.repeat(1_000)]) {
      expectRefusal(await supply({ walletAddress, strategyId, tokenAddress, amount }), 400, 'INVALID_AMOUNT')
    }
    for (const amount of [5, null, true, ['5'], { value: 5 }]) {
      expectIssues(await supply({ walletAddress, strategyId, tokenAddress, amount }), 'amount')
    }
    const most = (2n ** 256n - 1n).toString()
    expectRefusal(await supply({ walletAddress, strategyId, tokenAddress, amount: most }), 400, 'INSUFFICIENT_BALANCE')
    // More than a transaction of Solana can hold.
    const { walletId } = (
      await system.profile.post<{ walletId: number }>('/v1/wallets/register', {
        walletAddress: 'HN7cABqLq46Es1jh92dQQisAq662SmxELLLsHHe4YWrH',
        blockchain: 'solana',
      })
    ).body
    const there = await system.strategy('solana', 'Share Vault USDC')
    for (const amount of ['20000000000000000', (2n ** 64n).toString(), most]) {
      const body = { walletId, strategyId: there.strategyId, tokenAddress: there.tokenAddress, amount }
      expectRefusal(await supply(body), 400, 'INSUFFICIENT_BALANCE')
    }
  })

  test('needs walletId and walletAddress to name the same wallet, on the chain of the strategy', async () => {
    const one = await createWalletClient(system.profile, 'polygon')
    const other = await createWalletClient(system.profile, 'polygon')
    const body = { ...one.supplyOf(aave, TOKEN) }
    expectRefusal(await supply({ ...body, walletId: other.walletId }), 400, 'VALIDATION_ERROR')
    expectIssues(
      await supply({ ...body, walletAddress: undefined, walletId: one.walletId, strategyId: elsewhere.strategyId }),
      'strategyId',
    )
    const solana = { walletAddress: 'HN7cABqLq46Es1jh92dQQisAq662SmxELLLsHHe4YWrH', blockchain: 'solana' }
    const { walletId } = (await system.profile.post<{ walletId: number }>('/v1/wallets/register', solana)).body
    expectIssues(await supply({ ...body, walletId, walletAddress: solana.walletAddress }), 'strategyId')
    expectRefusal(await supply({ ...body, strategyId: elsewhere.strategyId }), 404, 'WALLET_NOT_FOUND')
    expectRefusal(await supply({ ...body, walletAddress: undefined }), 400, 'VALIDATION_ERROR')
    expectRefusal(
      await supply({ ...body, walletAddress: 'So11111111111111111111111111111111111111112' }),
      400,
      'INVALID_ADDRESS',
    )
  })

  test('supersedes the previous plan, whose reservation counts as available, and only if it succeeds', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
    const first = await holder.planSupply(aave, 10n * TOKEN)
    expectRefusal(await supply(holder.supplyOf(vault, 11n * TOKEN)), 400, 'INSUFFICIENT_BALANCE')
    expectRefusal(await supply(holder.supplyOf(paused, TOKEN)), 400, 'STRATEGY_NOT_ACTIVE')
    expect(await holder.read(first.operationId)).toEqual(first)
    expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '10000000' })

    const second = await holder.planSupply(vault, 10n * TOKEN)
    expect(second.cancelledOperations).toEqual([first.operationId])
    expect(second.transactions.map((transaction) => holder.planned(transaction).nonce ?? 0)).toEqual([0, 1])
    const ended = await holder.read(first.operationId)
    expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'SUPERSEDED' })
    for (const transaction of ended.transactions) {
      expect(transaction.status).toBe('failed')
      expect(transaction.error).toMatch(/\S/)
      expect(transaction).not.toHaveProperty('unsignedTransaction')
      expect(transaction).not.toHaveProperty('txHash')
      expect(transaction).not.toHaveProperty('failureCode')
    }
    expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '10000000' })
  })

  test('is cancelled on request, once, and releases its reservation', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
    const { operationId } = await holder.planSupply(aave, 4n * TOKEN)
    expect(await holder.balance('USDC')).toMatchObject({ available: '6000000', reserved: '4000000' })
    const answer = await system.profile.post(`/v1/operations/${operationId}/cancel`)
    expect([answer.status, answer.body]).toEqual([200, { operationId, status: 'CANCELLED', success: true }])
    expect(await holder.read(operationId)).toMatchObject({ status: 'FAILED', failureReason: 'CANCELLED' })
    expect(await holder.balance('USDC')).toMatchObject({ available: '10000000', reserved: '0' })
    const again = await system.profile.post(`/v1/operations/${operationId}/cancel`)
    expectRefusal(again, 400, 'INVALID_OPERATION_STATUS')
  })

  test('planned ten times at once with one Idempotency-Key is planned once and replays the same bytes', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
    const ask = { idempotencyKey: `supply-${holder.walletAddress}` }
    const plan = () => system.profile.post<Operation>('/v1/operations/supply', holder.supplyOf(aave, 3n * TOKEN), ask)
    const answers = await Promise.all(Array.from({ length: 10 }, plan))
    const done = answers.filter(({ status }) => status === 201)
    expect(done.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    expect((await plan()).text).toBe(done[0]!.text)
    const list = await system.profile.get<OperationList>(`/v1/operations?walletId=${holder.walletId}`)
    expect(list.body).toMatchObject({ total: 1, operations: [{ operationId: done[0]!.body.operationId }] })
  })

  test('planned five times concurrently without a key leaves one plan and one reservation', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 10n * TOKEN)
    const plan = () => supply(holder.supplyOf(aave, 10n * TOKEN))
    const answers = await Promise.all(Array.from({ length: 5 }, plan))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201))
    const { body } = await system.profile.get<OperationList>(`/v1/operations?walletId=${holder.walletId}`)
    expect(body.operations.map(({ status }) => status).sort()).toEqual([
      'AWAITING_SIGNATURE',
      ...Array(4).fill('FAILED'),
    ])
    expect(await holder.balance('USDC')).toMatchObject({ available: '0', reserved: '10000000' })

    const ids = body.operations.map(({ operationId }) => operationId)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    const page = await system.profile.get<OperationList>(`/v1/operations?walletId=${holder.walletId}&limit=2&offset=1`)
    expect(page.body).toMatchObject({ total: 5, limit: 2, offset: 1, hasMore: true })
    expect(page.body.operations.map(({ operationId }) => operationId)).toEqual(ids.slice(1, 3))
    const failed = `/v1/operations?walletId=${holder.walletId}&status=failed&type=SUPPLY`
    expect((await system.profile.get<OperationList>(failed)).body.total).toBe(4)
    const of = (strategyId: number) => `${failed}&strategyId=${strategyId}&limit=1`
    expect((await system.profile.get<OperationList>(of(aave.strategyId))).body).toMatchObject({
      total: 4,
      hasMore: true,
    })
    expect((await system.profile.get<OperationList>(of(2 ** 40))).body).toMatchObject({ total: 0, operations: [] })
  })
})

describe('a wallet profile', () => {
  test('that does not enable a chain refuses wallets and plans there immediately', async () => {
    const party = await registerOrganization(system)
    const { id } = await party.profile({ name: 'narrow', enabledChains: ['base', 'polygon'] })
    const client = await party.client({ walletProfileId: id })
    const walletAddress = privateKeyToAccount(generatePrivateKey()).address
    expectRefusal(
      await client.post('/v1/wallets/register', { walletAddress, blockchain: 'ethereum' }),
      403,
      'FORBIDDEN',
    )
    const holder = await createFundedWalletClient(client, 'polygon', 5n * TOKEN)
    const plan = await holder.planSupply(aave, TOKEN)
    expect((await party.owner.patch(`/api/core/wallet-profiles/${id}`, { enabledChains: ['base'] })).status).toBe(200)
    const body = holder.supplyOf(aave, TOKEN)
    expectRefusal(await client.post('/v1/operations/supply', body), 403, 'FORBIDDEN')
    expectRefusal(
      await client.post('/v1/operations/supply', { ...body, strategyId: 999_999 }),
      404,
      'STRATEGY_NOT_FOUND',
    )
    expectRefusal(
      await client.post('/v1/operations/unwind', {
        walletId: holder.walletId,
        strategyId: aave.strategyId,
        fullWithdrawal: true,
      }),
      403,
      'FORBIDDEN',
    )
    expect(await holder.read(plan.operationId)).toEqual(plan)
  })

  test('sets the lifetime of its plans, after which they are EXPIRED and accept no bytes', async () => {
    const { holder, plan, signedTransaction } = hasty
    expect(Date.parse(plan.expiresAt) - Date.parse(plan.createdAt)).toBe(30_000)
    await expect
      .poll(async () => (await holder.read(plan.operationId)).status, { timeout: 90_000, interval: 500 })
      .toBe('FAILED')
    const ended = await holder.read(plan.operationId)
    expect(ended.failureReason).toBe('EXPIRED')
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(plan.expiresAt))
    expect(await holder.balance('USDC')).toMatchObject({ available: '5000000', reserved: '0' })
    const late = { operationId: plan.operationId, signedTransaction }
    expectRefusal(await holder.client.post('/v1/transactions/submit-signed', late), 400, 'OPERATION_EXPIRED')
    expectRefusal(
      await holder.client.post(`/v1/operations/${plan.operationId}/cancel`),
      400,
      'INVALID_OPERATION_STATUS',
    )
  })
})
