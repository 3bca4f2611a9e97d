import { generateKeyPairSigner } from '@solana/kit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type System, startSystem } from '../../../apps/server/system/start-system.ts'
import { ApiError, OperationFailedError, type Signer, Weir } from '../src/index.ts'
import { solanaSigner } from '../src/solana.ts'
import { viemSigner } from '../src/viem.ts'
import { type FreshFolder, packIntoFreshFolder, readmePrograms } from './packed-client.ts'

// One service for the whole file; each test has wallets of its own.
let system: System
let folder: FreshFolder
let weir: Weir
let environment: Record<string, string>

beforeAll(async () => {
  const [started, packed] = await Promise.allSettled([startSystem(), packIntoFreshFolder()])
  if (started.status === 'fulfilled') system = started.value
  if (packed.status === 'fulfilled') folder = packed.value
  for (const result of [started, packed]) if (result.status === 'rejected') throw result.reason
  const { profileApiKey } = system.credentials
  environment = { WEIR_URL: system.process.url, WEIR_API_KEY: profileApiKey }
  weir = new Weir({ baseUrl: system.process.url, apiKey: profileApiKey })
}, 180_000)
afterAll(() => Promise.all([system?.stop(), folder?.remove()]))

const AMOUNT = '500000000'

async function planOn(blockchain: 'polygon' | 'solana', walletAddress: string) {
  const { walletId } = await weir.v1.wallets.register({ walletAddress, blockchain })
  await weir.v1.sandbox.faucet({ walletAddress, blockchain, token: 'USDC', amount: AMOUNT })
  const { venues } = await weir.v1.venues.list({ blockchain, token: 'USDC' })
  const strategies = venues.flatMap((venue) => venue.strategies)
  const { strategyId, tokenAddress } = strategies.find(({ status, maxDeposit }) => status === 'active' && !maxDeposit)!
  return weir.operations.supply({ walletId, strategyId, tokenAddress, amount: AMOUNT })
}

const newSigner = () => {
  const account = privateKeyToAccount(generatePrivateKey())
  return { address: account.address, signer: viemSigner(account) }
}

test('the programs of the README run in a fresh folder with the packed client', async () => {
  const programs = await readmePrograms()
  expect([...programs.keys()]).toEqual(['earn.ts', 'lists.ts', 'errors.ts'])
  const run = (name: string) => folder.run(name, programs.get(name)!, environment)
  expect(await run('earn.ts')).toMatch(/^after 30 days: 10[01]\d{7}, of which yield: [1-9]\d+\n$/)
  expect(await run('lists.ts')).toMatch(/^\d+ of \d+ wallets\noperation \d+: supply\nlast event: [1-9]\d*\n$/)
  expect(await run('errors.ts')).toMatch(/^WalletNotFoundError, request [0-9a-f]{32}\n$/)
  const code = programs.get('earn.ts')!.split('\n')
  expect(code.filter((line) => line.trim() !== '' && !line.startsWith('import')).length).toBeLessThanOrEqual(20)
})

test('a plan on Solana is signed by a key pair and becomes final', async () => {
  const keyPair = await generateKeyPairSigner()
  const plan = await planOn('solana', keyPair.address)
  const operation = await weir.operations.execute(plan, solanaSigner(keyPair))
  expect(operation).toMatchObject({ operationId: plan.operationId, status: 'CONFIRMED' })
})

test('a program that dies after any step finishes the same operation when it runs again, once', async () => {
  const { address, signer } = newSigner()
  const plan = await planOn('polygon', address)
  expect(plan.transactions.length).toBeGreaterThan(1)
  const death = new Error('the program dies')

  const diesBeforeSigning: Signer = { sign: () => Promise.reject(death) }
  await expect(weir.operations.execute(plan, diesBeforeSigning)).rejects.toBe(death)
  let signatures = 0
  const diesBeforeTheSecond: Signer = {
    sign: async (transaction) => {
      signatures += 1
      if (signatures > 1) throw death
      return signer.sign(transaction)
    },
  }
  await expect(weir.operations.execute(plan, diesBeforeTheSecond)).rejects.toBe(death)
  const afterwards = new AbortController()
  const dies = weir.operations.execute(plan, signer, {
    signal: afterwards.signal,
    progress: ({ status }) => status === 'SUBMITTED' && afterwards.abort(death),
  })
  await dies.catch((error) => expect(error).toBe(death))

  const [first, second] = await Promise.all([
    weir.operations.execute(plan, signer),
    weir.operations.execute({ operationId: plan.operationId }, signer),
  ])
  expect([first.status, second.status]).toEqual(['CONFIRMED', 'CONFIRMED'])
  const { allocations } = await weir.v1.allocations.list({ walletAddress: address })
  expect(allocations.map(({ principal }) => principal)).toEqual([AMOUNT])
})

test('a refused review signs nothing; a cancelled plan is an OperationFailedError', async () => {
  const { address, signer } = newSigner()
  const plan = await planOn('polygon', address)
  const refusal = new Error('not this one')
  const review = () => {
    throw refusal
  }
  await expect(weir.operations.execute(plan, signer, { review })).rejects.toBe(refusal)
  await weir.operations.cancel(plan.operationId)
  const error = await weir.operations.execute(plan, signer).catch((caught) => caught)
  expect(error).toBeInstanceOf(OperationFailedError)
  expect(error.operation.failureReason).toBe('CANCELLED')
})

test('events arrive on a stream from where it was left', async () => {
  const { address, signer } = newSigner()
  const plan = await planOn('polygon', address)
  await weir.operations.execute(plan, signer)
  const names: string[] = []
  for await (const { event, data } of weir.v1.events.stream({ after: 0 })) {
    if ((data as { operationId?: number }).operationId === plan.operationId) names.push(event)
    if (names.includes('operation.completed')) break
  }
  expect(names).toEqual(['operation.created', 'operation.executing', 'operation.completed'])
})

test('a session works on core, and its errors are those of core', async () => {
  const { email, password } = system.credentials
  const visitor = new Weir({ baseUrl: system.process.url })
  const session = await visitor.core.auth.logIn({ email, password })
  if (!('accessToken' in session)) throw new Error('the demo user has no second factor')
  const core = new Weir({ baseUrl: system.process.url, accessToken: () => session.accessToken! })
  expect((await core.core.auth.me()).user.email).toBe(email)
  const error = await core.core.operations.get(999_999).catch((caught) => caught)
  expect(error).toBeInstanceOf(ApiError)
  expect([error.code, error.status]).toEqual(['OPERATION_NOT_FOUND', 404])
})
