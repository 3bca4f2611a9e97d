import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AllocationList, Venue, VenueList, Wallet, WalletDetail, WalletList } from '../clients/api-types.ts'
import { expectIssues, expectRefusal } from '../clients/expect-refusal.ts'
import { createFundedWalletClient, createWalletClient } from '../clients/wallet-client.ts'
import { sharedSystem } from '../service/shared-system.ts'
import type { System } from '../service/start-system.ts'

let system: System

beforeAll(async () => {
  system = await sharedSystem()
})
afterAll(() => system?.stop())

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('registering a wallet', () => {
  test('returns 201 with the wallet, its checksummed address and an ISO timestamp', async () => {
    const walletAddress = newAddress()
    const body = { walletAddress: walletAddress.toLowerCase(), blockchain: 'polygon' }
    const answer = await system.profile.post<Wallet>('/v1/wallets/register', {
      ...body,
      userId: 'user-7',
      orgMetadata: { tier: 'gold', deep: { list: [1, null] } },
      somethingUnknown: true,
    })
    expect(answer.status).toBe(201)
    const { walletId, createdAt, ...rest } = answer.body
    expect(Number.isSafeInteger(walletId) && walletId > 0).toBe(true)
    expect(createdAt).toMatch(ISO)
    expect(rest).toEqual({
      walletAddress,
      blockchain: 'polygon',
      userId: 'user-7',
      orgMetadata: { tier: 'gold', deep: { list: [1, null] } },
    })
  })

  test('again returns 200 with the wallet unchanged, whatever the other fields are', async () => {
    const walletAddress = newAddress()
    const first = await system.profile.post<Wallet>('/v1/wallets/register', {
      walletAddress,
      blockchain: 'base',
      userId: 'first',
    })
    const again = await system.profile.post<Wallet>('/v1/wallets/register', {
      walletAddress: walletAddress.toLowerCase(),
      blockchain: 'base',
      userId: 'second',
      orgMetadata: { changed: true },
    })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(first.body).toMatchObject({ userId: 'first', orgMetadata: null })
  })

  test('on another chain makes another wallet of the same address', async () => {
    const walletAddress = newAddress()
    const ids = []
    for (const blockchain of ['ethereum', 'polygon', 'base']) {
      const { status, body } = await system.profile.post<Wallet>('/v1/wallets/register', { walletAddress, blockchain })
      expect(status).toBe(201)
      ids.push(body.walletId)
    }
    expect(new Set(ids).size).toBe(3)
  })

  test('ten times concurrently makes one wallet', async () => {
    const walletAddress = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        system.profile.post<Wallet>('/v1/wallets/register', { walletAddress, blockchain: 'polygon' }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.walletId)).size).toBe(1)
  })

  test.each([
    ['too short', '0x1234'],
    ['no hexadecimal', `0x${'g'.repeat(40)}`],
    ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5aA', '5AA')],
    ['an address of another chain', 'So11111111111111111111111111111111111111112'],
  ])('refuses an address that is %s with INVALID_ADDRESS and explains the format', async (_what, walletAddress) => {
    const refusal = await system.profile.post('/v1/wallets/register', { walletAddress, blockchain: 'polygon' })
    expectRefusal(refusal, 400, 'INVALID_ADDRESS')
    expect(refusal.body).toMatchObject({ message: expect.stringContaining('is not an EVM address: 0x and 40') })
  })

  test('treats lower-case, upper-case and checksummed addresses as the same', async () => {
    const walletAddress = newAddress()
    const spellings = [walletAddress.toLowerCase(), `0x${walletAddress.slice(2).toUpperCase()}`, walletAddress]
    for (const spelling of spellings) {
      const { body } = await system.profile.post<Wallet>('/v1/wallets/register', {
        walletAddress: spelling,
        blockchain: 'ethereum',
      })
      expect(body.walletAddress).toBe(getAddress(walletAddress))
    }
  })

  test('refuses missing fields, wrong types and unknown chains, and names each field', async () => {
    expectIssues(await system.profile.post('/v1/wallets/register', {}), 'blockchain', 'walletAddress')
    expectIssues(
      await system.profile.post('/v1/wallets/register', { walletAddress: 5, blockchain: 'arbitrum', userId: 7 }),
      'blockchain',
      'userId',
      'walletAddress',
    )
    const wallet = { walletAddress: newAddress(), blockchain: 'polygon' }
    expectIssues(await system.profile.post('/v1/wallets/register', { ...wallet, orgMetadata: [1] }), 'orgMetadata')
  })
})

describe('registered wallets', () => {
  test('are listed newest first, by page or by offset, with the total', async () => {
    const userId = `lister-${newAddress()}`
    const ids: number[] = []
    for (let count = 0; count < 3; count++) {
      ids.unshift((await createWalletClient(system.profile, 'polygon', { register: { userId } })).walletId)
    }
    const list = async (query: string) =>
      (await system.profile.get<WalletList>(`/v1/wallets?userId=${userId}${query}`)).body
    const walletIds = ({ wallets }: WalletList) => wallets.map(({ walletId }) => walletId)

    const whole = await list('')
    expect(walletIds(whole)).toEqual(ids)
    expect(whole).toMatchObject({ total: 3, page: 1, limit: 50, offset: 0, hasMore: false })

    const second = await list('&page=2&limit=2')
    expect(walletIds(second)).toEqual(ids.slice(2))
    expect(second).toMatchObject({ total: 3, page: 2, limit: 2, offset: 2, hasMore: false })

    const middle = await list('&limit=1&offset=1')
    expect(walletIds(middle)).toEqual([ids[1]])
    expect(middle).toMatchObject({ total: 3, limit: 1, offset: 1, hasMore: true })

    expect(walletIds(await list('&blockchain=POLYGON'))).toEqual(ids)
    expect(walletIds(await list('&blockchain=ethereum'))).toEqual([])
    expect((await system.profile.get<WalletList>('/v1/wallets?userId=nobody-at-all')).body.wallets).toEqual([])
  })

  test('are listed with coerced numbers, and refused with words or numbers out of bounds', async () => {
    for (const query of ['limit=101', 'limit=0', 'limit=x', 'limit=1.5', 'limit=', 'offset=-1', 'page=0']) {
      expectIssues(await system.profile.get(`/v1/wallets?${query}`), query.split('=')[0]!)
    }
    expectIssues(await system.profile.get('/v1/wallets?blockchain=arbitrum'), 'blockchain')
    expectIssues(await system.profile.get('/v1/wallets?blockchain=nowhere'), 'blockchain')
    expect((await system.profile.get('/v1/wallets?limit=100&unknown=1')).status).toBe(200)
  })

  test('are shown individually with profile and balances of every token of the chain', async () => {
    const holder = await createFundedWalletClient(system.profile, 'polygon', 1_234_567n)
    const { status, body } = await system.profile.get<WalletDetail>(`/v1/wallets/${holder.walletId}`)
    expect(status).toBe(200)
    const { tokens } = (await system.networks()).find(({ blockchain }) => blockchain === 'polygon')!
    expect(body).toMatchObject({ walletId: holder.walletId, walletProfileName: 'default' })
    expect(body.walletProfileId).toBeGreaterThan(0)
    expect(body.balances).toEqual(
      tokens.map(({ symbol, address }) => ({
        token: symbol,
        tokenAddress: address,
        available: symbol === 'USDC' ? '1234567' : '0',
        reserved: '0',
        deployed: '0',
        deployedAt: null,
      })),
    )
  })

  test('that held tokens before their registration show them', async () => {
    const key = generatePrivateKey()
    const { address: walletAddress } = privateKeyToAccount(key)
    const gift = { walletAddress, blockchain: 'base', token: 'USDC', amount: '77000000' }
    expect((await system.profile.post('/v1/sandbox/faucet', gift)).status).toBe(200)
    const holder = await createWalletClient(system.profile, 'base', { key })
    await expect.poll(async () => (await holder.balance('USDC')).available, { timeout: 90_000 }).toBe('77000000')
  })

  test('are changed field by field: omitted fields stay, null clears, metadata is replaced as a whole', async () => {
    const register = { userId: 'before', orgMetadata: { a: 1, b: 2 } }
    const { walletId } = await createWalletClient(system.profile, 'polygon', { register })
    const patch = async (body: unknown) => (await system.profile.patch<Wallet>(`/v1/wallets/${walletId}`, body)).body
    expect(await patch({ orgMetadata: { c: 3 } })).toMatchObject({ userId: 'before', orgMetadata: { c: 3 } })
    expect(await patch({ userId: 'after' })).toMatchObject({ userId: 'after', orgMetadata: { c: 3 } })
    expect(await patch({ userId: null, orgMetadata: null })).toMatchObject({ userId: null, orgMetadata: null })
    expect(await patch({})).toMatchObject({ walletId, userId: null, orgMetadata: null })
    expectIssues(await system.profile.patch(`/v1/wallets/${walletId}`, { userId: 5 }), 'userId')
  })

  test('that are unknown are WALLET_NOT_FOUND; an id that is not a number is VALIDATION_ERROR', async () => {
    expectRefusal(await system.profile.get('/v1/wallets/9007199254740991'), 404, 'WALLET_NOT_FOUND')
    expectRefusal(await system.profile.patch('/v1/wallets/9007199254740991', {}), 404, 'WALLET_NOT_FOUND')
    for (const id of ['abc', '0', '-1', '1.5', '9007199254740992', '1e3', '%20', '0x10']) {
      expectIssues(await system.profile.get(`/v1/wallets/${id}`), 'walletId')
    }
  })
})

describe('venues', () => {
  test('are counted; filters apply to strategies and drop venues without a match', async () => {
    const { body } = await system.profile.get<VenueList>('/v1/venues')
    expect(body.count).toBe(body.venues.length)
    expect(body.strategyCount).toBe(body.venues.flatMap(({ strategies }) => strategies).length)
    expect([...new Set(body.venues.map(({ blockchain }) => blockchain))].sort()).toEqual([
      'base',
      'ethereum',
      'polygon',
      'solana',
    ])
    expect([...new Set(body.venues.map(({ protocol }) => protocol))].sort()).toEqual([
      'aave-v3',
      'compound-v3',
      'cooldown-vault',
      'erc4626',
      'erc7540',
      'share-vault',
    ])

    const tethers = (await system.profile.get<VenueList>('/v1/venues?token=usdt')).body
    expect(tethers.venues.flatMap(({ strategies }) => strategies).every(({ token }) => token === 'USDT')).toBe(true)
    expect(tethers.venues.map(({ blockchain }) => blockchain)).not.toContain('base')
    expect(tethers).toMatchObject({ count: 5, strategyCount: 5 })

    const onBase = (await system.profile.get<VenueList>('/v1/venues?blockchain=BASE&token=USDC')).body
    expect(onBase.venues.every(({ blockchain }) => blockchain === 'base')).toBe(true)
    expect((await system.profile.get<VenueList>('/v1/venues?blockchain=base&token=USDT')).body).toEqual({
      venues: [],
      count: 0,
      strategyCount: 0,
    })
    const sponsored = (await system.profile.get<VenueList>('/v1/venues?supportsGasSponsorship=true')).body
    const strategies = sponsored.venues.flatMap((venue) => venue.strategies)
    expect(strategies.every(({ supportsGasSponsorship }) => supportsGasSponsorship)).toBe(true)
  })

  test('on polygon include Capped (2 to 100,000 tokens) and Paused; elsewhere minimums are small', async () => {
    const all = await system.strategies()
    for (const strategy of all) {
      expect(strategy.apy).toBeGreaterThan(0)
      expect(strategy.apy).toBeLessThan(1)
      expect(BigInt(strategy.tvl!)).toBeGreaterThan(0n)
      if (strategy.name === 'Capped' || strategy.name === 'Paused') continue
      expect(BigInt(strategy.minDeposit ?? 0)).toBeLessThanOrEqual(1_000_000n)
      expect(strategy.maxDeposit).toBeNull()
      expect(strategy.status).toBe('active')
    }
    expect(await system.strategy('polygon', 'Capped')).toMatchObject({
      minDeposit: '2000000',
      maxDeposit: '100000000000',
      status: 'active',
    })
    expect(await system.strategy('polygon', 'Paused')).toMatchObject({ status: 'paused' })
  })

  test('are shown individually; unknown ones are VENUE_NOT_FOUND, unknown filters are refused', async () => {
    const [venue] = (await system.profile.get<VenueList>('/v1/venues')).body.venues
    expect((await system.profile.get<Venue>(`/v1/venues/${venue!.id}`)).body).toEqual(venue)
    expectRefusal(await system.profile.get('/v1/venues/999999'), 404, 'VENUE_NOT_FOUND')
    expectIssues(await system.profile.get('/v1/venues/x'), 'id')
    expectRefusal(await system.profile.get('/v1/venues?token=DAI'), 404, 'TOKEN_NOT_FOUND')
    expectIssues(await system.profile.get('/v1/venues?blockchain=arbitrum'), 'blockchain')
    expectIssues(await system.profile.get('/v1/venues?supportsGasSponsorship=maybe'), 'supportsGasSponsorship')
  })
})

describe('allocations and the list of operations', () => {
  test('are empty for a wallet without positions by each of the three identifiers, by POST and by GET', async () => {
    const userId = `idle-${newAddress()}`
    const { walletId, walletAddress } = await createWalletClient(system.profile, 'polygon', { register: { userId } })
    const none: AllocationList = { allocations: [], totalValue: '0', totalYieldEarned: '0' }
    const ways = { walletId, walletAddress, userId }
    for (const [name, value] of Object.entries(ways)) {
      const posted = await system.profile.post('/v1/allocations', { [name]: value })
      expect([posted.status, posted.body]).toEqual([200, none])
      expect((await system.profile.get(`/v1/allocations?${name}=${value}`)).body).toEqual(none)
    }
    expect((await system.profile.post('/v1/allocations', { userId: 'nobody' })).body).toEqual(none)
  })

  test('need exactly one identifier of a known wallet', async () => {
    const { walletId, walletAddress } = await createWalletClient(system.profile, 'polygon')
    for (const body of [{}, { walletId, walletAddress }, { walletId, userId: 'x' }, { walletId: String(walletId) }]) {
      expectRefusal(await system.profile.post('/v1/allocations', body), 400, 'VALIDATION_ERROR')
    }
    expectRefusal(await system.profile.get('/v1/allocations'), 400, 'VALIDATION_ERROR')
    for (const body of [
      { walletId: 999_999_999 },
      { walletAddress: newAddress() },
      { walletAddress, blockchain: 'base' },
    ]) {
      expectRefusal(await system.profile.post('/v1/allocations', body), 404, 'WALLET_NOT_FOUND')
    }
    for (const walletAddress of ['0x12', 'nonsense', '']) {
      expectRefusal(await system.profile.post('/v1/allocations', { walletAddress }), 400, 'INVALID_ADDRESS')
    }
    expect((await system.profile.get(`/v1/allocations?walletId=${walletId}&blockchain=Polygon`)).status).toBe(200)
    expectIssues(await system.profile.post('/v1/allocations', { walletId, blockchain: 'arbitrum' }), 'blockchain')
  })

  test('filter by wallet, status and type in any case, and refuse unknown values', async () => {
    const { walletId } = await createWalletClient(system.profile, 'polygon')
    const empty = { operations: [], total: 0, limit: 50, offset: 0, hasMore: false }
    expect((await system.profile.get(`/v1/operations?walletId=${walletId}&status=confirmed&type=Supply`)).body).toEqual(
      empty,
    )
    expectIssues(await system.profile.get('/v1/operations?status=done'), 'status')
    expectIssues(await system.profile.get('/v1/operations?type=deposit'), 'type')
    expectIssues(await system.profile.get('/v1/operations?limit=101'), 'limit')
    expectRefusal(await system.profile.get('/v1/operations?walletId=999999999'), 404, 'WALLET_NOT_FOUND')
  })

  test('with unknown ids are OPERATION_NOT_FOUND and TRANSACTION_NOT_FOUND', async () => {
    expectRefusal(await system.profile.get('/v1/operations/999999999'), 404, 'OPERATION_NOT_FOUND')
    expectRefusal(await system.profile.post('/v1/operations/999999999/cancel'), 404, 'OPERATION_NOT_FOUND')
    expectRefusal(await system.profile.get('/v1/transactions/999999999'), 404, 'TRANSACTION_NOT_FOUND')
    expectRefusal(
      await system.profile.post('/v1/transactions/submit-signed', {
        operationId: 999_999_999,
        signedTransaction: '0x',
      }),
      404,
      'OPERATION_NOT_FOUND',
    )
    expectIssues(await system.profile.get('/v1/operations/x'), 'id')
    expectIssues(await system.profile.post('/v1/operations/x/cancel'), 'id')
  })
})
