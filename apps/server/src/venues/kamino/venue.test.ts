import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, type SolanaKey, startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { testDatabase } from '../../../testing/index.ts'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import { associatedTokenAddress, type SvmChain, svmCall } from '../../chains/index.ts'
import type { Fetch } from '../../chains/rpc/endpoint.ts'
import { silentLog } from '../../kernel/index.ts'
import { confirmTokens } from '../catalogue/confirm-tokens.ts'
import { strategiesOnChain } from '../catalogue/find-strategies.ts'
import { LIVE_SOLANA_SEED } from '../catalogue/live-solana-seeds.ts'
import { seedCatalogue } from '../catalogue/seed-catalogue.ts'
import type { Strategy } from '../port.ts'
import { DEPOSIT_TERMS_OFFSETS } from './deposit-terms.ts'
import {
  depositReserveLiquidity,
  kamino,
  OFFSETS,
  readReserve,
  redeemReserveCollateral,
  refreshReserve,
  sharesFor,
} from './index.ts'
import { MARKET_OFFSETS } from './market.ts'
import { queuedAssets, WITHDRAWAL_TERMS_OFFSETS } from './withdrawal-terms.ts'

/**
 * The venue on the real adapter and the real ledger, with one account replaced: the reserve as the vendor's SDK encodes
 * it. The program itself is not present (ADR 32).
 */
const UNIT = 1_000_000n
/** The maximum size of a transaction on the network. */
const PACKET_BYTES = 1_232
const vendor = kaminoVendor.reserves[0]!
const data = Buffer.from(vendor.account, 'base64')

let solana: TestSolana
let chain: SvmChain
let strategy: Strategy
let owner: SolanaKey
/** As if the chain had advanced this far. */
let slot: number

const withReserve: Fetch = async (url, init) => {
  const answers = (await (await fetch(url, init)).json()) as { id: number; result: unknown }[]
  const requests = JSON.parse(String(init.body)) as { method: string; params: [unknown] }[]
  for (const answer of answers) {
    const { method, params } = requests[answer.id]!
    if (method === 'getSlot') slot = Number(answer.result)
    if (method !== 'getMultipleAccounts') continue
    const { value } = answer.result as { value: unknown[] }
    for (const [index, address] of (params[0] as string[]).entries()) {
      if (address === vendor.decoded.address) value[index] = { lamports: 1, data: [refreshedNow(), 'base64'] }
      if (address === vendor.decoded.lendingMarket) value[index] = { lamports: 1, data: [marketNow(), 'base64'] }
    }
  }
  return Response.json(answers)
}

/** Base units; the SDK's made-up reserves have none. */
let depositLimit = 2n ** 63n
let status = 0
const NO_CAP = { capacity: 0n, total: 0n, startedAt: 0n, seconds: 0n }
let cap = NO_CAP
let queuedShares = 0n
let halted: 'market' | 'reserve' | undefined
/** Which of both demands the signature of the market's authority for deposits. */
let permissioned: 'market' | 'reserve' | undefined
/** 0: the market allows no rewards. */
let rewardsMaxAprBps = 0
/** Shares of the owner. */
let owned = 0n
afterEach(() => {
  cap = NO_CAP
  queuedShares = 0n
  halted = undefined
  permissioned = undefined
  rewardsMaxAprBps = 0
  owned = 0n
})

/** The reserve as if it had been refreshed a thousand slots ago. */
function refreshedNow(): string {
  const account = Buffer.from(data)
  account.writeBigUInt64LE(BigInt(slot - 1_000 > 0 ? slot - 1_000 : 0), 16)
  account.writeBigUInt64LE(depositLimit, DEPOSIT_TERMS_OFFSETS.limit)
  account.writeUInt8(status, DEPOSIT_TERMS_OFFSETS.status)
  account.writeBigInt64LE(cap.capacity, WITHDRAWAL_TERMS_OFFSETS.capacity)
  account.writeBigInt64LE(cap.total, WITHDRAWAL_TERMS_OFFSETS.total)
  account.writeBigUInt64LE(cap.startedAt, WITHDRAWAL_TERMS_OFFSETS.startedAt)
  account.writeBigUInt64LE(cap.seconds, WITHDRAWAL_TERMS_OFFSETS.seconds)
  account.writeBigUInt64LE(queuedShares, OFFSETS.queuedShares)
  account.writeBigUInt64LE(permissioned === 'reserve' ? 1n : 0n, DEPOSIT_TERMS_OFFSETS.permissionedOps)
  account.writeUInt8(halted === 'reserve' ? 1 : 0, WITHDRAWAL_TERMS_OFFSETS.emergencyMode)
  return account.toString('base64')
}

function marketNow(): string {
  const account = Buffer.from(vendor.market.account, 'base64')
  account.writeUInt8(halted === 'market' ? 1 : 0, MARKET_OFFSETS.isHalted)
  account.writeUInt16LE(rewardsMaxAprBps, MARKET_OFFSETS.rewardsMaxAprBps)
  if (permissioned !== undefined) account.fill(7, MARKET_OFFSETS.hasPermissioner, MARKET_OFFSETS.hasPermissioner + 32)
  account.writeBigUInt64LE(permissioned === 'market' ? 1n : 0n, MARKET_OFFSETS.permissionedOps)
  return account.toString('base64')
}

beforeAll(async () => {
  solana = await startTestSolana()
  // Nobody holds shares on this chain: the mint is the vendor's.
  chain = { ...solana.byWallets(withReserve), balances: async (queries) => queries.map(() => owned) }
  await solana.devnet.mine(1)
  await chain.heads()
  owner = await newKey()
  const [seed] = LIVE_SOLANA_SEED.strategies
  const params = { ...seed!.params, shareMint: vendor.decoded.collateralMint }
  strategy = { ...seed!, params, id: 1, protocol: 'kamino', blockchain: 'solana' } as unknown as Strategy
})
afterAll(() => solana?.stop())

test('a supply opens the share account, refreshes the reserve, and deposits, within a transaction that needs no lookup table', async () => {
  const plan = { strategy, owner: owner.address, amount: 250n * UNIT, needsZeroAllowance: false }
  const [step, ...others] = await kamino.planSupply(chain, plan)
  expect(others).toEqual([])
  const { instructions } = svmCall(step!.call)
  const reserve = readReserve(vendor.decoded.address, data)
  const [opening, refreshing, depositing] = instructions
  expect(opening!.accounts.map(({ address }) => address)).toContain(vendor.decoded.collateralMint)
  expect(refreshing).toEqual(refreshReserve(reserve))
  const { tokenAccount, shareAccount } = await accountsOf()
  const accounts = { reserve, authority: vendor.authority, owner: owner.address, tokenAccount, shareAccount }
  expect(depositing).toEqual(depositReserveLiquidity(accounts, 250n * UNIT))
  expect(await bytesOf(step!.call)).toBeLessThanOrEqual(PACKET_BYTES)
})

test('a withdrawal redeems the fewest shares that pay the amount, and a full one redeems all', async () => {
  const shares = 10_000n * UNIT
  const own = { strategy, owner: owner.address, shares }
  const sharesRedeemedFor = async (amount: bigint | 'full') => {
    const [step] = await kamino.planUnwind(chain, { ...own, amount })
    expect(await bytesOf(step!.call)).toBeLessThanOrEqual(PACKET_BYTES)
    const last = svmCall(step!.call).instructions.at(-1)!
    return { instruction: last, shares: Buffer.from(last.data, 'base64').readBigUInt64LE(8) }
  }
  const { tokenAccount, shareAccount } = await accountsOf()
  const reserve = readReserve(vendor.decoded.address, data)
  const accounts = { reserve, authority: vendor.authority, owner: owner.address, tokenAccount, shareAccount }
  const full = await sharesRedeemedFor('full')
  expect(full.instruction).toEqual(redeemReserveCollateral(accounts, shares))
  const part = await sharesRedeemedFor(100n * UNIT)
  // The price has grown since the last refresh, so fewer shares are needed than at that time.
  expect(part.shares).toBeLessThan(sharesFor(reserve, 100n * UNIT))
  const [price] = await kamino.prices(chain, [strategy])
  expect(kamino.valueOf(part.shares, price!)).toBeGreaterThanOrEqual(100n * UNIT - 1n)
})

test('rates follow from what is lent, and the price grows with the slots', async () => {
  const [before] = await kamino.rates(chain, [{ strategy, past: undefined }])
  expect(before!.apy).toBeGreaterThan(0.03)
  expect(before!.apy).toBeLessThan(0.08)
  expect(before!.liquidity).toBe(BigInt(vendor.decoded.available))
  expect(before!.tvl).toBeGreaterThan(before!.liquidity!)
  const [asked] = await kamino.prices(chain, [strategy], slot)
  await solana.devnet.mine(200)
  const [later] = await kamino.prices(chain, [strategy], slot + 200)
  expect(later!).toBeGreaterThan(asked!)
  // For the tests that follow, the reserve was refreshed a thousand slots before this one.
  await chain.heads()
})

test('rewards that the market allows raise the price, the rate and the value of all deposits', async () => {
  const plain = await ratesOf()
  const [price] = await kamino.prices(chain, [strategy], slot)
  rewardsMaxAprBps = 450
  const rewarded = await ratesOf()
  expect(rewarded.apy!).toBeGreaterThan(plain.apy! + 0.003)
  const paid = rewarded.liquidity! - plain.liquidity!
  expect(paid).toBeGreaterThan(0n)
  expect(paid % BigInt(vendor.terms.rewardsPerSlot)).toBe(0n)
  expect(rewarded.tvl!).toBeGreaterThanOrEqual(plain.tvl! + paid)
  expect((await kamino.prices(chain, [strategy], slot))[0]!).toBeGreaterThan(price!)
})

test('deposits are bounded by the reserve’s limit, and an obsolete reserve takes none', async () => {
  const terms = async () => (await kamino.rates(chain, [{ strategy, past: undefined }]))[0]!
  const supply = (amount: bigint) =>
    kamino.planSupply(chain, { strategy, owner: owner.address, amount, needsZeroAllowance: false })
  const { tvl } = await terms()
  try {
    // Interest of the slots between two readings takes some of the room.
    depositLimit = tvl + 1_000n * UNIT
    const { state, room } = (await terms()).deposits
    expect(state).toBe('open')
    expect(room!).toBeLessThanOrEqual(1_000n * UNIT)
    expect(room!).toBeGreaterThan(900n * UNIT)
    await expect(supply(1_001n * UNIT)).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_BOUNDS' })
    expect(await supply(900n * UNIT)).toHaveLength(1)
    depositLimit = tvl - 1n
    expect((await terms()).deposits).toEqual({ state: 'full', room: 0n })
    await expect(supply(UNIT)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'full' } })
    depositLimit = 2n ** 63n
    status = 1
    expect((await terms()).deposits).toEqual({ state: 'frozen', room: 0n })
    await expect(supply(UNIT)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'frozen' } })
  } finally {
    depositLimit = 2n ** 63n
    status = 0
  }
})

const positionOf = async () => (await kamino.positions(chain, [{ strategy, owner: owner.address }]))[0]!
const ratesOf = async () => (await kamino.rates(chain, [{ strategy, past: undefined }]))[0]!
const supplyOf = (amount: bigint) =>
  kamino.planSupply(chain, { strategy, owner: owner.address, amount, needsZeroAllowance: false })

test('while the cap of net withdrawals binds, the owner’s position shows what it leaves, and deposits go on', async () => {
  owned = 1_000n * UNIT
  const whole = await positionOf()
  expect(whole.withdrawable).toBe(kamino.valueOf(owned, whole.price))
  const now = BigInt(Math.floor((await chain.heads()).latest.time.getTime() / 1_000))
  cap = { capacity: 500n * UNIT, total: 400n * UNIT, startedAt: now - 60n, seconds: 86_400n }
  const capped = await positionOf()
  expect(capped.shares).toBe(owned)
  // Shares earn until they land; the cap counts what they are worth then.
  expect(capped.withdrawable).toBeLessThan(100n * UNIT)
  expect(capped.withdrawable).toBeGreaterThan(99n * UNIT)
  expect(await ratesOf()).toMatchObject({ liquidity: 100n * UNIT, deposits: { state: 'open' }, withdrawals: 'open' })
  expect(await supplyOf(UNIT)).toHaveLength(1)
  cap = { ...cap, startedAt: now - 86_400n }
  expect((await positionOf()).withdrawable).toBeGreaterThan(499n * UNIT)
})

test('tokens that the queue waits for are no liquidity', async () => {
  const { liquidity } = await ratesOf()
  queuedShares = 5_000n * UNIT
  const reserve = { ...readReserve(vendor.decoded.address, data), queuedShares }
  expect(liquidity! - (await ratesOf()).liquidity!).toBeGreaterThanOrEqual(queuedAssets(reserve))
  queuedShares = 2n ** 63n
  owned = UNIT
  expect(await positionOf()).toMatchObject({ withdrawable: 0n })
})

test.each(['market', 'reserve'] as const)('in emergency mode of the %s nothing is taken or paid', async (what) => {
  owned = 1_000n * UNIT
  halted = what
  expect(await ratesOf()).toMatchObject({ deposits: { state: 'paused', room: 0n }, withdrawals: 'paused' })
  expect((await positionOf()).withdrawable).toBe(0n)
  await expect(supplyOf(UNIT)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'paused' } })
})

test.each(['market', 'reserve'] as const)(
  'while the %s takes deposits with a signature only, none is planned, and positions are paid',
  async (what) => {
    owned = 1_000n * UNIT
    permissioned = what
    expect(await ratesOf()).toMatchObject({ deposits: { state: 'frozen', room: 0n }, withdrawals: 'open' })
    expect((await positionOf()).withdrawable).toBeGreaterThan(0n)
    await expect(supplyOf(UNIT)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'frozen' } })
  },
)

test('a strategy whose reserve has another share mint than the catalogue is paused before anything is planned there', async () => {
  const { db, close } = await testDatabase()
  try {
    // One reserve is replaced with the vendor's made-up share mint; the other does not exist, so it is not checked.
    await seedCatalogue(db, [LIVE_SOLANA_SEED])
    await confirmTokens({ db, log: silentLog }, chain)
    const found = await strategiesOnChain(db, 'solana')
    expect(found.map(({ token, status }) => [token, status])).toEqual([
      ['USDC', 'paused'],
      ['USDT', 'active'],
    ])
    const [seed, other] = LIVE_SOLANA_SEED.strategies
    await seedCatalogue(db, [{ ...LIVE_SOLANA_SEED, strategies: [{ ...seed!, params: strategy.params }, other!] }])
    await confirmTokens({ db, log: silentLog }, chain)
    expect((await strategiesOnChain(db, 'solana'))[0]!.status).toBe('active')
  } finally {
    await close()
  }
})

async function accountsOf() {
  return {
    tokenAccount: await associatedTokenAddress(owner.address, strategy.tokenAddress),
    shareAccount: await associatedTokenAddress(owner.address, strategy.params.shareMint!),
  }
}

/** Signed, with the longest memo and a priority fee. */
async function bytesOf(call: Parameters<typeof svmCall>[0]): Promise<number> {
  const senderState = { ...(await chain.senderState(owner.address)), priorityFee: 1n }
  const transactionId = Number.MAX_SAFE_INTEGER
  const { bytes } = chain.encode({
    sender: owner.address,
    call,
    nonce: null,
    gas: 1_000_000n,
    senderState,
    transactionId,
  })
  return Buffer.from(bytes, 'base64').length
}
