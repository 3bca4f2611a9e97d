import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newKey, type SolanaKey, startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { testDatabase } from '../../../testing/index.ts'
import { jupiterVendor } from '../../../testing/venues/jupiter-vendor.ts'
import { associatedTokenAddress, type SvmChain, svmCall } from '../../chains/index.ts'
import type { Fetch } from '../../chains/rpc/endpoint.ts'
import { silentLog } from '../../kernel/index.ts'
import { confirmTokens } from '../catalogue/confirm-tokens.ts'
import { strategiesOnChain } from '../catalogue/find-strategies.ts'
import { LIVE_JUPITER_SEED } from '../catalogue/live-jupiter-seeds.ts'
import { seedCatalogue } from '../catalogue/seed-catalogue.ts'
import type { Strategy } from '../port.ts'
import { POSITION } from './accounts.ts'
import { deposit, redeem, withdraw } from './instructions.ts'
import { type MarketAddresses, marketAddresses } from './program.ts'
import { jupiterLend } from './venue.ts'

/**
 * The venue on the real adapter and the real ledger, with the market's accounts as the vendor's SDK encodes them. The
 * program itself is not present (ADR 147).
 */
const UNIT = 1_000_000n
/** The maximum size of a transaction on the network. */
const PACKET_BYTES = 1_232
const { addresses } = jupiterVendor.samples[0]!

let solana: TestSolana
let chain: SvmChain
let strategy: Strategy
let owner: SolanaKey
let market: MarketAddresses
/** Tokens in the vault, shares of the owner, and the status of the market's position. */
let held: bigint
let owned: bigint
let status: number
beforeEach(() => {
  held = 10n ** 15n
  owned = 0n
  status = 0
})

function tokenAccount(amount: bigint): Buffer {
  const data = Buffer.alloc(165)
  data.writeBigUInt64LE(amount, 64)
  return data
}

function accountAt(address: string): Buffer | undefined {
  const { accounts } = jupiterVendor
  if (address === market.lending) return Buffer.from(accounts.lending, 'base64')
  if (address === market.reserve) return Buffer.from(accounts.reserve, 'base64')
  if (address === market.vault) return tokenAccount(held)
  if (address === market.shareMint) {
    const data = Buffer.alloc(82)
    data.writeBigUInt64LE(300_000_000n * UNIT, 36)
    return data
  }
  if (address !== market.position) return undefined
  const data = Buffer.from(accounts.position, 'base64')
  data.writeUInt8(status, POSITION.status)
  return data
}

const withMarket: Fetch = async (url, init) => {
  const answers = (await (await fetch(url, init)).json()) as { id: number; result: unknown }[]
  const requests = JSON.parse(String(init.body)) as { method: string; params: [unknown] }[]
  for (const answer of answers) {
    const { method, params } = requests[answer.id]!
    if (method !== 'getMultipleAccounts') continue
    const { value } = answer.result as { value: unknown[] }
    for (const [index, address] of (params[0] as string[]).entries()) {
      const data = accountAt(address)
      if (data) value[index] = { lamports: 1, data: [data.toString('base64'), 'base64'] }
    }
  }
  return Response.json(answers)
}

beforeAll(async () => {
  market = await marketAddresses(addresses.mint!)
  solana = await startTestSolana()
  const real = solana.byWallets(withMarket)
  // Nobody holds shares on this chain: the mint is the vendor's.
  chain = { ...real, balances: async (queries) => queries.map(() => owned) }
  await solana.devnet.mine(1)
  owner = await newKey()
  const [seed] = LIVE_JUPITER_SEED.strategies
  strategy = { ...seed!, id: 1, protocol: 'jupiter-lend', blockchain: 'solana' } as unknown as Strategy
})
afterAll(() => solana?.stop())

const plan = (amount: bigint) =>
  jupiterLend.planSupply(chain, { strategy, owner: owner.address, amount, needsZeroAllowance: false })
const positionOf = async () => (await jupiterLend.positions(chain, [{ strategy, owner: owner.address }]))[0]!
const ratesOf = async () => (await jupiterLend.rates(chain, [{ strategy, past: undefined }]))[0]!

async function lendingAccounts() {
  return {
    market,
    owner: owner.address,
    tokenAccount: await associatedTokenAddress(owner.address, market.token),
    shareAccount: await associatedTokenAddress(owner.address, market.shareMint),
  }
}

/** Signed, with the longest memo and a priority fee. */
async function bytesOf(call: Parameters<typeof svmCall>[0]): Promise<number> {
  const senderState = { ...(await chain.senderState(owner.address)), priorityFee: 1n }
  const asked = { sender: owner.address, call, nonce: null, gas: 1_000_000n, senderState }
  const { bytes } = chain.encode({ ...asked, transactionId: Number.MAX_SAFE_INTEGER })
  return Buffer.from(bytes, 'base64').length
}

test('a supply opens the share account and deposits, within a transaction that needs no lookup table', async () => {
  const [step, ...others] = await plan(250n * UNIT)
  expect(others).toEqual([])
  const [opening, depositing] = svmCall(step!.call).instructions
  expect(opening!.accounts.map(({ address }) => address)).toContain(market.shareMint)
  expect(depositing).toEqual(deposit(await lendingAccounts(), 250n * UNIT))
  expect(await bytesOf(step!.call)).toBeLessThanOrEqual(PACKET_BYTES)
})

test('a withdrawal asks for the amount, and a full one redeems every share', async () => {
  const last = async (amount: bigint | 'full') => {
    const unwind = { strategy, owner: owner.address, amount, shares: 77n * UNIT }
    const [step] = await jupiterLend.planUnwind(chain, unwind)
    expect(await bytesOf(step!.call)).toBeLessThanOrEqual(PACKET_BYTES)
    return svmCall(step!.call).instructions.at(-1)
  }
  expect(await last(5n * UNIT)).toEqual(withdraw(await lendingAccounts(), 5n * UNIT))
  expect(await last('full')).toEqual(redeem(await lendingAccounts(), 77n * UNIT))
})

test('liquidity is what limit and vault allow; an owner gets no more', async () => {
  owned = 1_000n * UNIT
  expect((await positionOf()).withdrawable).toBe(jupiterLend.valueOf(owned, (await positionOf()).price))
  held = 3n * UNIT
  const limited = await positionOf()
  expect(limited.shares).toBe(owned)
  // The interest of a day is left: shares earn until they land.
  expect(limited.withdrawable).toBeLessThan(3n * UNIT)
  expect(limited.withdrawable).toBeGreaterThan(2_990_000n)
  const { liquidity, tvl, deposits, withdrawals } = await ratesOf()
  expect(liquidity).toBe(3n * UNIT)
  expect(tvl).toBeGreaterThan(300_000_000n * UNIT)
  expect({ deposits, withdrawals }).toEqual({ deposits: { state: 'open', room: null }, withdrawals: 'open' })
})

test('a paused market takes and pays nothing', async () => {
  owned = 1_000n * UNIT
  status = 1
  expect(await ratesOf()).toMatchObject({ deposits: { state: 'paused', room: 0n }, withdrawals: 'paused' })
  expect((await positionOf()).withdrawable).toBe(0n)
  await expect(plan(UNIT)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'paused' } })
})

test('a strategy with another share mint than its market is paused before anything is planned there', async () => {
  const { db, close } = await testDatabase()
  const seedWith = (shareMint: string) => ({
    ...LIVE_JUPITER_SEED,
    strategies: LIVE_JUPITER_SEED.strategies
      .slice(0, 1)
      .map((one) => ({ ...one, params: { ...one.params, shareMint } })),
  })
  try {
    await seedCatalogue(db, [seedWith(market.vault)])
    await confirmTokens({ db, log: silentLog }, chain)
    expect((await strategiesOnChain(db, 'solana')).map(({ status: own }) => own)).toEqual(['paused'])
    await seedCatalogue(db, [seedWith(market.shareMint)])
    await confirmTokens({ db, log: silentLog }, chain)
    expect((await strategiesOnChain(db, 'solana')).map(({ status: own }) => own)).toEqual(['active'])
  } finally {
    await close()
  }
})
