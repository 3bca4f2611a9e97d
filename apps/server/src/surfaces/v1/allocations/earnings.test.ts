import { encodeFunctionData, erc20Abi } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { refusal, useV1 } from '../../../../testing/surfaces/use-v1.ts'
import { USDC } from '../../../../testing/units.ts'
import { DAY_MS } from '../../../kernel/index.ts'

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'

const v1 = useV1()
let client: TestClient
beforeEach(async () => {
  client = await v1.engine.client()
  await v1.engine.settle()
})

interface Day {
  date: string
  yieldEarned: string
  yieldEarnedUsd: string
  cumulativeYield: string
  positionValue: string
}

const ask = (query: string, who = client) => v1.server.get(who, `/v1/allocations/earnings?${query}`)
const own = (more = '') => `walletId=${client.wallet.walletId}&blockchain=polygon&token=USDC${more}`
const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n)
const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/** Advances the chain's clock by this many days, with a block in the last second of each, as the sandbox does. */
async function passDays(days: number): Promise<void> {
  for (let passed = 0; passed < days; passed += 1) {
    const { latest } = await v1.engine.chain.heads()
    const left = DAY_MS - 1_000 - (latest.time.getTime() % DAY_MS)
    await v1.dev.increaseTime(Math.max(1, Math.floor(left / 1_000)))
    await v1.dev.increaseTime(7_200)
    await v1.engine.followOnce()
  }
}

async function positions() {
  const rows = await v1.engine.db
    .selectFrom('allocations')
    .selectAll()
    .where('wallet_id', '=', client.wallet.walletId)
    .orderBy('id')
    .execute()
  return rows
}
async function bookedYield(): Promise<bigint> {
  const balances = await v1.engine.db
    .selectFrom('ledger_balances')
    .select('yield')
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', client.usdcAddress)
    .executeTakeFirstOrThrow()
  return -balances.yield
}

test('over ninety days, days, venues, ledger and allocations explain every unit of yield', async () => {
  await client.complete(await client.supply(2_000n * USDC, AAVE))
  await passDays(20)
  await client.complete(await client.supply(3_000n * USDC, VAULT))
  await passDays(20)
  await client.complete(await client.unwind(500n * USDC, AAVE))
  await passDays(20)
  await client.complete(await client.unwind('full', AAVE))
  await passDays(29)

  const { status, body } = await ask(own('&days=365&includeBreakdown=true'))
  expect(status).toBe(200)
  const history: Day[] = body.history
  const total = BigInt(body.totalYieldEarned)
  expect(total).toBeGreaterThan(20n * USDC)
  expect(sum(history.map(({ yieldEarned }) => yieldEarned))).toBe(total)
  expect(BigInt(history.at(-1)!.cumulativeYield)).toBe(total)
  expect(sum(body.byVenue.map((venue: { totalYieldEarned: string }) => venue.totalYieldEarned))).toBe(total)
  expect(body.byVenue).toHaveLength(2)
  for (const venue of body.byVenue) {
    expect(sum(venue.history.map((day: Day) => day.yieldEarned))).toBe(BigInt(venue.totalYieldEarned))
  }
  // The ledger has it up to the end of the last day; what people see is up to the latest price.
  expect(await bookedYield()).toBe(BigInt(history.at(-2)!.cumulativeYield))

  const { allocations } = (await v1.server.get(client, `/v1/allocations?walletId=${client.wallet.walletId}`)).body
  const realized = (await positions()).reduce((all, position) => all + position.realized_yield, 0n)
  expect(allocations).toHaveLength(1)
  expect(BigInt(allocations[0].yieldEarned) + realized).toBe(total)
  expect(history.at(-1)!.positionValue).toBe(allocations[0].currentValue)

  const micros = (text: string) => {
    const [whole, fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(6, '0'))
  }
  const exact = (body.history as { yieldEarnedUsdExact: string }[]).map((of) => micros(of.yieldEarnedUsdExact))
  expect(exact.reduce((sum, of) => sum + of, 0n)).toBe(micros(body.totalYieldEarnedUsdExact))

  // One entry per day, from the first to the last.
  expect(history.map(({ date }) => date)).toEqual(daysBetween(history[0]!.date, history.at(-1)!.date))
  expect(history).toHaveLength(90)
  const { latest } = await v1.engine.chain.heads()
  expect(body).toMatchObject({
    walletAddress: client.address,
    blockchain: 'polygon',
    token: 'USDC',
    periodEnd: dayOf(latest.time),
    periodStart: dayOf(new Date(latest.time.getTime() - 364 * DAY_MS)),
    firstActivityDate: history[0]!.date,
  })
  // Without the closed position's history a day would be missing, or have the wrong yield.
  for (const { yieldEarned } of history.slice(1, 20)) expect(BigInt(yieldEarned)).toBeGreaterThan(0n)

  const month = (await ask(own())).body
  expect(month.byVenue).toBeUndefined()
  expect(month.history.map(({ date }: Day) => date)).toEqual(history.slice(-30).map(({ date }) => date))
  expect(month.history.map(({ yieldEarned }: Day) => yieldEarned)).toEqual(
    history.slice(-30).map(({ yieldEarned }) => yieldEarned),
  )
  expect(month.history[0].cumulativeYield).toBe(month.history[0].yieldEarned)
  expect(BigInt(month.totalYieldEarned)).toBe(sum(history.slice(-30).map(({ yieldEarned }) => yieldEarned)))
  expect((await ask(own('&days=1'))).body).toMatchObject({
    periodStart: body.periodEnd,
    history: [{ date: body.periodEnd, yieldEarned: history.at(-1)!.yieldEarned }],
  })
  await expectValidLedger(v1.engine)
  await expectLedgerMatchesChain(v1.engine)
})

function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY_MS) days.push(dayOf(new Date(time)))
  return days
}

test('USD are the base units with two decimals, rounded towards zero', async () => {
  await client.complete(await client.supply(5_000n * USDC, AAVE))
  await passDays(3)
  const { body } = await ask(own('&includeBreakdown=true'))
  const usd = (amount: string) => {
    const cents = (BigInt(amount) / 10_000n).toString().padStart(3, '0')
    return `${cents.slice(0, -2)}.${cents.slice(-2)}`
  }
  expect(Number(body.totalYieldEarnedUsd)).toBeGreaterThan(0)
  expect(body.totalYieldEarnedUsd).toBe(usd(body.totalYieldEarned))
  expect(body.byVenue[0].totalYieldEarnedUsd).toBe(usd(body.byVenue[0].totalYieldEarned))
  for (const day of body.history.slice(1) as Day[]) expect(day.yieldEarnedUsd).toBe(usd(day.yieldEarned))
})

test('shares transferred from or to outside are not yield, and do not reduce it', async () => {
  await client.complete(await client.supply(5_000n * USDC, AAVE))
  await passDays(5)
  const before = BigInt((await ask(own())).body.totalYieldEarned)
  const strategy = v1.engine.strategy(AAVE)
  const { aToken } = strategy.params as { aToken: `0x${string}` }
  const args = [v1.dev.deployment.lender, 2_000n * USDC] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await v1.dev.included(await v1.dev.call(client.account, aToken, data))
  await v1.engine.settle()
  const after = (await ask(own())).body
  expect(BigInt(after.totalYieldEarned)).toBeGreaterThanOrEqual(before)
  expect(BigInt(after.totalYieldEarned) - before).toBeLessThan(1_000n)
  await passDays(1)
  const { history }: { history: Day[] } = (await ask(own())).body
  expect(BigInt(history.at(-2)!.cumulativeYield)).toBe(await bookedYield())
  await expectValidLedger(v1.engine)
})

describe('the selection of earnings', () => {
  test('accepts a wallet by id or address, and a user with all its wallets', async () => {
    const userId = `user ${client.wallet.walletId}`
    await v1.engine.db
      .updateTable('wallets')
      .set({ user_id: userId })
      .where('id', '=', client.wallet.walletId)
      .execute()
    await client.complete(await client.supply(1_000n * USDC, AAVE))
    await passDays(2)
    const { body } = await ask(own())
    const more = '&blockchain=Polygon&token=usdc'
    expect((await ask(`walletAddress=${client.address.toLowerCase()}${more}`)).body).toEqual(body)
    expect((await ask(`userId=${encodeURIComponent(userId)}${more}`)).body).toEqual(body)

    const second = await v1.engine.client({ organizationId: client.scope.organizationId })
    await v1.engine.db
      .updateTable('wallets')
      .set({ user_id: userId })
      .where('id', '=', second.wallet.walletId)
      .execute()
    await v1.engine.settle()
    await second.complete(await second.supply(1_000n * USDC, VAULT))
    await passDays(2)
    const both = (await ask(`userId=${encodeURIComponent(userId)}${more}`)).body
    expect(both.walletAddress).toBeNull()
    const parts = await Promise.all([client, second].map((one) => ask(own().replace(/\d+/, `${one.wallet.walletId}`))))
    expect(BigInt(both.totalYieldEarned)).toBe(sum(parts.map((part) => part.body.totalYieldEarned)))
  })

  test('is zero for a wallet without positions and for an unknown user', async () => {
    const nothing = {
      totalYieldEarned: '0',
      totalYieldEarnedUsd: '0.00',
      history: [],
      byVenue: [],
      firstActivityDate: null,
    }
    expect((await ask(own('&includeBreakdown=true'))).body).toMatchObject({
      ...nothing,
      walletAddress: client.address,
    })
    const nobody = await ask('userId=nobody&blockchain=polygon&token=USDC&includeBreakdown=true')
    expect(nobody).toMatchObject({ status: 200, body: { ...nothing, walletAddress: null } })
    expect((await ask(own().replace('USDC', 'USDT'))).body).toMatchObject({ totalYieldEarned: '0', token: 'USDT' })
    // Solana is not served here, so this wallet has no positions on it.
    expect((await ask(own().replace('polygon', 'solana'))).body).toMatchObject({ blockchain: 'solana', history: [] })
  })

  test('treats another organization’s wallet as unknown', async () => {
    const stranger = await v1.engine.client({ usdc: 0n })
    expect(await ask(own(), stranger)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    const address = `walletAddress=${client.address}&blockchain=polygon&token=USDC`
    expect(await ask(address, stranger)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    expect((await v1.server.get({ ...client, readsOnly: true }, `/v1/allocations/earnings?${own()}`)).status).toBe(200)
  })
})

test('returns a code and a field for each invalid request', async () => {
  const address = `walletAddress=${client.address}`
  for (const [query, field] of [
    ['blockchain=polygon&token=USDC', 'walletAddress'],
    [`${own()}&${address}`, 'walletAddress'],
    [own().replace('polygon', 'arbitrum'), 'blockchain'],
    [`${address}&token=USDC`, 'blockchain'],
    [`${address}&blockchain=polygon`, 'token'],
    [own('&days=0'), 'days'],
    [own('&days=366'), 'days'],
    [own('&days=1.5'), 'days'],
    [own('&includeBreakdown=maybe'), 'includeBreakdown'],
  ] as const) {
    const { status, body } = await ask(query)
    expect([status, body.code, body.details?.issues[0].path], query).toEqual([400, 'VALIDATION_ERROR', field])
  }
  expect(await ask(own().replace('USDC', 'DOGE'))).toMatchObject(refusal(404, 'TOKEN_NOT_FOUND'))
  expect(await ask('walletAddress=nonsense&blockchain=polygon&token=USDC')).toMatchObject(
    refusal(400, 'INVALID_ADDRESS'),
  )
  expect(await ask('walletId=999999&blockchain=polygon&token=USDC')).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
  expect(await ask(`${address}&blockchain=base&token=USDC`)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
})
