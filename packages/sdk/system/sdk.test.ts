import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSigner } from '@solana/kit'
import { type Address, createPublicClient, erc20Abi, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type System, startSystem } from '../../../apps/server/system/service/start-system.ts'
import { until } from '../../../apps/server/testing/until.ts'
import { adopt, runSigner } from '../../../examples/exchange-treasury/treasury.ts'
import { depositAddress, type Employee, type Payroll, recipientOf, runDay } from '../../../examples/payroll/payroll.ts'
import { reasonOf, Savings } from '../../../examples/savings/savings.ts'
import { aaveOn, openSandbox, rulesOf } from '../../../examples/shared/sandbox.ts'
import { freePort } from '../../devnet/src/free-port.ts'
import { ApiError, OperationFailedError, type Signer, Weir } from '../src/index.ts'
import { solanaSigner } from '../src/solana.ts'
import { viemSigner } from '../src/viem.ts'
import { packageTests } from './package-tests.ts'
import { type FreshFolder, packIntoFreshFolder, readmePrograms } from './packed-client.ts'
import { startReadOnlyEndpoint } from './read-only-endpoint.ts'

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
  environment = {
    WEIR_URL: system.process.url,
    WEIR_API_KEY: profileApiKey,
    DATA_DIR: system.dataDir,
    PORT: String(await freePort()),
  }
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

const employeeOf = (id: string): Employee => ({
  id,
  name: 'Edsger',
  wage: 100_000_000n,
  address: { street1: '1 Main Street', city: 'Springfield', postal_code: '00000', country: 'US' },
  bank: { routing_number: '021000021', account_number: '000111', account_type: 'checking', bank_name: 'First' },
})

const newSigner = () => {
  const account = privateKeyToAccount(generatePrivateKey())
  return { address: account.address, signer: viemSigner(account) }
}

test('the programs of the README run in a fresh folder with the packed client', async () => {
  const programs = await readmePrograms()
  expect([...programs.keys()]).toEqual(['earn.ts', 'lists.ts', 'webhooks.ts', 'errors.ts', 'operations.tsx'])
  const run = (name: string) => folder.run(name, programs.get(name)!, environment)
  expect(await run('earn.ts')).toMatch(/^after 30 days: 10[01]\d{7}, of which yield: [1-9]\d+\n$/)
  expect(await run('lists.ts')).toMatch(/^\d+ of \d+ wallets\noperation \d+: supply\nlast event: [1-9]\d*\n$/)
  expect(await run('errors.ts')).toMatch(/^WalletNotFoundError, request [0-9a-f]{32}\n$/)
  const code = programs.get('earn.ts')!.split('\n')
  expect(code.filter((line) => line.trim() !== '' && !line.startsWith('import')).length).toBeLessThanOrEqual(20)
})

test('the receiver of the README accepts deliveries of a service and refuses everything else', async () => {
  const { email, password } = system.credentials
  const session = await new Weir({ baseUrl: system.process.url }).core.auth.logIn({ email, password })
  if (!('accessToken' in session)) throw new Error('the demo user has no second factor')
  const { core } = new Weir({ baseUrl: system.process.url, accessToken: session.accessToken! })
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const webhook = await core.webhooks.create({ url, events: ['operation.completed'] })
  if (!('secret' in webhook)) throw new Error('no change policy is set')
  const source = (await readmePrograms()).get('webhooks.ts')!
  const receiver = await folder.serve('webhooks.ts', source, { WEBHOOK_SECRET: webhook.secret!, PORT: port })
  try {
    const { address, signer } = newSigner()
    const { operationId } = await weir.operations.execute(await planOn('polygon', address), signer)
    await until(() => receiver.output().includes(`operation ${operationId} is complete`))
    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
    expect((await fetch(url, { method: 'POST', headers: forged, body: '{}' })).status).toBe(400)
    const delivered = () => core.webhooks.listDeliveries(webhook.id, { status: 'delivered' })
    await until(async () => (await delivered()).some(({ event }) => event === 'operation.completed'))
  } finally {
    await receiver.stop()
    await core.webhooks.delete(webhook.id)
  }
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

test('a plan whose first transaction reverts before the second is submitted is an OperationFailedError', async () => {
  const { address, signer } = newSigner()
  const plan = await planOn('polygon', address)
  await weir.v1.sandbox.setChainFault({ blockchain: 'polygon', fault: 'revert_next', count: 1 })
  let signatures = 0
  const signsTheSecondTooLate: Signer = {
    async sign(transaction) {
      signatures += 1
      if (signatures === 2) await until(async () => (await weir.operations.get(plan.operationId)).status === 'FAILED')
      return signer.sign(transaction)
    },
  }
  const error = await weir.operations.execute(plan, signsTheSecondTooLate).catch((caught) => caught)
  expect(signatures).toBe(2)
  expect(error).toBeInstanceOf(OperationFailedError)
  expect(error.operation).toMatchObject({ status: 'FAILED', failureReason: 'ONCHAIN' })
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

describe('the package', () => packageTests(() => ({ system, folder })))

describe('the examples', () => {
  const STORIES = [
    [
      'savings',
      /^saved 900\.00 USDC, once\nrefused: There is not enough money\.\nafter a week: 900\.00 USDC and \d\.\d\d USDC of interest\nwithdrawn and booked: 100\d\.\d\d USDC in the wallet\n$/,
    ],
    [
      'payroll',
      /^funded: 11970(\.0+)? USDC\n2026-11-23: invested\n2026-11-30: paid\nAda received 5985\.00 USD\nGrace received 5486\.25 USD\n$/,
    ],
    [
      'exchange-treasury',
      /^(operation \d+: signed, .*\n)+liquid 4000\.00 USDC, the rest is deployed\n(operation \d+: signed, .*\n)+liquid 80\d\d\.\d\d USDC before a day of withdrawals\n$/,
    ],
  ] as const

  test('are those that examples/README.md shows', async () => {
    const page = await readFile(new URL('../../../examples/README.md', import.meta.url), 'utf8')
    const shown = [...page.matchAll(/^npm run example (\S+)$/gm)].map(([, name]) => name)
    expect(shown).toEqual(STORIES.map(([name]) => name))
  })

  test.each(STORIES)('%s runs in a fresh folder with the packed client', async (name, output) => {
    expect(await folder.runExample(name, environment)).toMatch(output)
  })

  test('a deposit whose process died before it signed is finished by the same transfer in the next, once', async () => {
    const { bank } = await sandboxBank('polygon')
    const account = privateKeyToAccount(generatePrivateKey())
    const customer = account.address
    const dying = {
      ...account,
      signTransaction: () => Promise.reject(new Error('the process dies')),
    } as unknown as typeof account
    const walletId = await new Savings({ ...bank, accountOf: () => account }).open(customer)
    await weir.v1.sandbox.faucet({ walletAddress: customer, blockchain: 'polygon', token: 'USDC', amount: AMOUNT })
    const deposit = (savings: Savings) => savings.deposit(customer, BigInt(AMOUNT), `${customer}-1`)
    const error = await deposit(new Savings({ ...bank, accountOf: () => dying })).catch((caught) => caught)
    expect([error.message, reasonOf(error)]).toEqual(['the process dies', undefined])

    const savings = new Savings({ ...bank, accountOf: () => account })
    expect(await deposit(savings)).toMatchObject({ walletId, status: 'CONFIRMED' })
    expect(await savings.balance(customer)).toMatchObject({ principal: BigInt(AMOUNT), available: 0n })
  })

  test('wages go to the bank account that the employee has now, on the chain of the payroll', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const payrollOn = async (blockchain: 'ethereum' | 'base') => {
      await weir.v1.wallets.register({ walletAddress: account.address, blockchain })
      return { weir, account, blockchain }
    }
    const [ethereum, base] = [await payrollOn('ethereum'), await payrollOn('base')]
    const employee = employeeOf(account.address)
    const moved = { ...employee, bank: { ...employee.bank, account_number: '000222' } }
    await weir.v1.ramp.recipients.simulateApprove(await recipientOf(weir, employee))
    const first = await depositAddress(ethereum, employee)
    const others = [await depositAddress(ethereum, moved), await depositAddress(base, employee)]
    expect(new Set([first, ...others]).size).toBe(3)
    expect(await depositAddress(ethereum, employee)).toBe(first)
    expect([await depositAddress(ethereum, moved), await depositAddress(base, employee)]).toEqual(others)
    const accounts = await weir.v1.ramp.recipients.listOfframpAccounts(await recipientOf(weir, employee))
    expect(accounts).toHaveLength(3)
  })

  test('a payroll that died between signing and sending pays everybody once when it runs again', async () => {
    const { bank } = await sandboxBank('ethereum')
    const account = privateKeyToAccount(generatePrivateKey())
    const networks = await weir.v1.sandbox.networks()
    const { rpcUrl, tokens } = networks.find(({ blockchain }) => blockchain === 'ethereum')!
    const endpoint = await startReadOnlyEndpoint(rpcUrl)
    const employee = employeeOf(account.address)
    const payroll: Payroll = {
      ...bank,
      account,
      employees: [employee],
      payday: '2026-11-30',
      rpcUrl: endpoint.url,
      folder: await mkdtemp(join(tmpdir(), 'weir-payroll-')),
    }
    const chain = createPublicClient({ transport: http(rpcUrl) })
    const held = () =>
      chain.readContract({
        address: tokens.find(({ symbol }) => symbol === 'USDC')!.address as Address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account.address],
      })
    try {
      await weir.v1.ramp.recipients.simulateApprove(await recipientOf(weir, employee))
      await weir.v1.wallets.register({ walletAddress: account.address, blockchain: 'ethereum' })
      await expect(runDay(payroll, payroll.payday)).rejects.toThrow('nobody was paid')
      expect(await readdir(payroll.folder)).toEqual([])
      await weir.v1.sandbox.faucet({
        walletAddress: account.address,
        blockchain: 'ethereum',
        token: 'USDC',
        amount: AMOUNT,
      })
      await expect(runDay(payroll, payroll.payday)).rejects.toThrow()
      expect(await held()).toBe(BigInt(AMOUNT))
      for (const _again of [1, 2]) await runDay({ ...payroll, rpcUrl }, payroll.payday)
      expect(await held()).toBe(BigInt(AMOUNT) - employee.wage)
    } finally {
      endpoint.close()
      await rm(payroll.folder, { recursive: true })
    }
  })

  test('the signer of the exchange refuses a contract that is not on its list, and says so', async () => {
    const { sandbox, bank } = await sandboxBank('base')
    const account = privateKeyToAccount(generatePrivateKey())
    const key = await sandbox.session.core.apiKeys.generate({ name: 'Signer', permissions: ['agent'] })
    if (!('apiKey' in key)) throw new Error('no change policy is set')
    const ended = new AbortController()
    const signer = runSigner(
      {
        weir: new Weir({ baseUrl: system.process.url, apiKey: key.apiKey! }),
        account,
        rules: { ...bank.rules, venues: [] },
        limit: 10n ** 12n,
        log: () => undefined,
      },
      ended.signal,
    )
    const id = await adopt(sandbox.session, { address: account.address, blockchain: 'base', buffer: 0n })
    await weir.v1.sandbox.faucet({
      walletAddress: account.address,
      blockchain: 'base',
      token: 'USDC',
      amount: '2000000000',
    })
    const failed = await until(async () => {
      const { items } = await sandbox.session.core.operations.history({ status: 'FAILED' })
      return items.find(({ opWalletId }) => opWalletId === id)
    })
    expect(await sandbox.session.core.operations.get(failed.id)).toMatchObject({
      status: 'FAILED',
      steps: [{ error: expect.stringContaining('refused: an approval of 2000000000') }, {}],
    })
    ended.abort()
    await signer
  })
})

async function sandboxBank(blockchain: 'ethereum' | 'polygon' | 'base') {
  process.env.DATA_DIR = environment.DATA_DIR
  const sandbox = await openSandbox()
  const [strategyId, rules] = await Promise.all([aaveOn(sandbox, blockchain), rulesOf(sandbox, blockchain)])
  return { sandbox, bank: { weir, blockchain, strategyId, rules } }
}
