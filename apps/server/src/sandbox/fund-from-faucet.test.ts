import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress } from '../../testing/chains/fresh-address.ts'
import { startTestSandbox, type TestSandbox } from '../../testing/chains/test-sandbox.ts'
import { failingTransact } from '../../testing/index.ts'
import { openDatabase } from '../database/index.ts'
import { Failure, silentLog } from '../kernel/index.ts'
import { type FaucetRequest, fundFromFaucet } from './fund-from-faucet.ts'
import type { SandboxChain } from './parts.ts'

/** Ten native coins. */
const GAS_GIFT = 10n ** 19n

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await startTestSandbox(['polygon', 'base'])
})
afterAll(() => sandbox?.close())

const chainOf = (name: string): SandboxChain => sandbox.parts.sandbox.get(name)!
const tokenOf = (name: string, symbol: string) =>
  chainOf(name).network.tokens.find((token) => token.symbol === symbol)!.address

function ask(input: Partial<FaucetRequest> = {}): Promise<{ txHash: string }> {
  const usual = {
    organizationId: 7,
    walletAddress: freshAddress(),
    blockchain: 'polygon',
    token: 'USDC',
    amount: 5_000_000n,
  }
  return fundFromFaucet(sandbox.parts, { ...usual, ...input })
}

async function holdings(owner: string, name = 'polygon'): Promise<bigint[]> {
  const tokens = [...chainOf(name).network.tokens.map(({ address }) => address), 'native']
  return chainOf(name).faultFree.balances(tokens.map((token) => ({ owner, token })))
}

const sendsTo = (owner: string) =>
  sandbox.parts.db
    .selectFrom('treasury_sends')
    .selectAll()
    .where('recipient', 'ilike', owner)
    .orderBy('nonce')
    .execute()

test('a first call sends tokens and gas, both included and in the ledger before it responds', async () => {
  const owner = freshAddress()
  const { txHash } = await ask({ walletAddress: owner })
  expect(await holdings(owner)).toEqual([5_000_000n, 0n, GAS_GIFT])
  const rows = await sendsTo(owner)
  expect(rows.map(({ purpose, state, tx_hash }) => [purpose, state, tx_hash === txHash])).toEqual([
    ['faucet', 'included', true],
    ['gas', 'included', false],
  ])
  expect(sandbox.waitedFor).toContain(`polygon ${rows[1]!.block_number}`)
})

test('later calls send tokens only', async () => {
  const owner = freshAddress()
  await ask({ walletAddress: owner })
  await ask({ walletAddress: owner, token: 'USDT', amount: 7n })
  expect(await holdings(owner)).toEqual([5_000_000n, 7n, GAS_GIFT])
})

test('withGas false sends no gas, and the next call without it still does', async () => {
  const owner = freshAddress()
  await ask({ walletAddress: owner, withGas: false })
  expect(await holdings(owner)).toEqual([5_000_000n, 0n, 0n])
  await ask({ walletAddress: owner })
  expect(await holdings(owner)).toEqual([10_000_000n, 0n, GAS_GIFT])
})

test('native coins arrive to the exact unit', async () => {
  const owner = freshAddress()
  await ask({ walletAddress: owner, token: 'native', amount: 3n })
  expect(await holdings(owner)).toEqual([0n, 0n, 3n])
})

test('a contract that rejects native coins still gets tokens, and a request for coins fails', async () => {
  const owner = tokenOf('polygon', 'USDT')
  await ask({ walletAddress: owner })
  expect((await holdings(owner))[0]).toBe(5_000_000n)
  await expect(ask({ walletAddress: owner, token: 'native' })).rejects.toMatchObject({ code: 'SIMULATION_FAILED' })
  const nobody = `0x${'0'.repeat(40)}`
  await expect(ask({ walletAddress: nobody })).rejects.toMatchObject({ code: 'SIMULATION_FAILED' })
})

test.each([
  [{ blockchain: 'ethereum' }, 'VALIDATION_ERROR'],
  [{ walletAddress: '0x12' }, 'INVALID_ADDRESS'],
  [{ walletAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267' }, 'INVALID_ADDRESS'],
  [{ token: 'DOGE' }, 'TOKEN_NOT_FOUND'],
  [{ token: 'USDT', blockchain: 'base' }, 'VALIDATION_ERROR'],
  [{ amount: 0n }, 'INVALID_AMOUNT'],
  [{ amount: new Failure('INVALID_AMOUNT') }, 'INVALID_AMOUNT'],
  [{ amount: 2n ** 255n }, 'AMOUNT_OUT_OF_BOUNDS'],
  [{ amount: 10n ** 25n, token: 'native' }, 'AMOUNT_OUT_OF_BOUNDS'],
])('%o is refused with %s, and nothing is sent', async (input, code) => {
  const owner = freshAddress()
  await expect(ask({ walletAddress: owner, ...input })).rejects.toMatchObject({ code })
  expect(await sendsTo(owner)).toEqual([])
})

test('ten concurrent calls from two processes use ten consecutive nonces, and all land', async () => {
  const other = openDatabase({ url: sandbox.database.url, log: silentLog, max: 5 })
  const elsewhere = { ...sandbox.parts, db: other.db }
  const owners = Array.from({ length: 10 }, freshAddress)
  const before = await chainOf('base').treasury.prepare([])
  await Promise.all(
    owners.map((walletAddress, index) =>
      fundFromFaucet(index % 2 === 0 ? sandbox.parts : elsewhere, {
        organizationId: 7,
        walletAddress,
        blockchain: 'base',
        token: 'USDC',
        amount: 1n,
        withGas: index < 5,
      }),
    ),
  )
  await other.close()
  for (const [index, owner] of owners.entries()) {
    expect(await holdings(owner, 'base')).toEqual([1n, index < 5 ? GAS_GIFT : 0n])
  }
  const rows = (await Promise.all(owners.map(sendsTo))).flat()
  const nonces = rows.map(({ nonce }) => nonce).sort((one, other) => one - other)
  expect(nonces).toEqual(Array.from({ length: 15 }, (_, index) => before.nextNumber + index))
})

test('two concurrent first calls for one address send gas once', async () => {
  const owner = freshAddress()
  await Promise.all([ask({ walletAddress: owner }), ask({ walletAddress: owner })])
  expect(await holdings(owner)).toEqual([10_000_000n, 0n, GAS_GIFT])
})

test('faults do not affect the faucet or its requests to the node, and stay armed for others', async () => {
  const { dev, treasury } = chainOf('polygon')
  sandbox.registered.add(treasury.address)
  const faults = ['rpc_down', 'drop_next', 'revert_next', 'delay_next', 'simulation_fails'] as const
  for (const fault of faults) dev.setFault(fault, 3)
  const owner = freshAddress()
  await ask({ walletAddress: owner })
  expect(await holdings(owner)).toEqual([5_000_000n, 0n, GAS_GIFT])
  expect(faults.map((fault) => dev.remainingFaults(fault))).toEqual([3, 3, 3, 3, 3])
  for (const fault of faults) dev.setFault(fault, 0)
})

test('the recorded response commits together with the bytes or not at all', async () => {
  const owner = freshAddress()
  const input = { organizationId: 7, walletAddress: owner, blockchain: 'polygon', token: 'USDC', amount: 1n }
  const lost = fundFromFaucet(sandbox.parts, input, failingTransact(sandbox.parts.db, 'the claim was lost'))
  await expect(lost).rejects.toThrow('the claim was lost')
  expect(await sendsTo(owner)).toEqual([])
  expect(await holdings(owner)).toEqual([0n, 0n, 0n])
  await ask({ walletAddress: owner })
  expect((await holdings(owner))[0]).toBe(5_000_000n)
})
