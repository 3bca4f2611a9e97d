import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress } from '../../../testing/chains/fresh-address.ts'
import { startTestSandbox, type TestSandbox } from '../../../testing/chains/test-sandbox.ts'
import { until } from '../../../testing/index.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { type EvmChain, signPayment } from '../../chains/index.ts'
import { extendTransact, type Transact, transactOn } from '../../database/index.ts'
import { fundFromFaucet } from '../fund-from-faucet.ts'
import type { SandboxChain } from '../parts.ts'
import { resendStored } from './resend-stored.ts'
import { storePayments } from './store-payments.ts'
import { createTokenSender } from './token-sender.ts'
import { deleteTreasurySends } from './treasury-sends.ts'

let sandbox: TestSandbox
let chain: SandboxChain
let usdc: string

beforeAll(async () => {
  sandbox = await startTestSandbox(['base'])
  chain = sandbox.parts.sandbox.get('base')!
  usdc = chain.network.tokens[0]!.address
})
afterAll(() => sandbox?.close())

/** Leaves what a process leaves that ends between the commit and the send. */
async function storeWithoutSending(to: string, amount: bigint): Promise<string> {
  const payments = [{ purpose: 'faucet', token: usdc, to, amount } as const]
  const prepared = await chain.treasury.prepare(payments)
  const [send] = await storePayments(sandbox.parts, chain, { organizationId: 7, payments, prepared })
  return send!.hash
}

const balance = async (owner: string) => (await chain.faultFree.balances([{ owner, token: usdc }]))[0]
const stateOf = async (hash: string) =>
  (await sandbox.parts.db.selectFrom('treasury_sends').select('state').where('tx_hash', '=', hash).executeTakeFirst())
    ?.state
const resend = () => resendStored(sandbox.parts, chain)

test('bytes that a crash kept from being sent are sent again unchanged and land once', async () => {
  const owner = freshAddress()
  const hashes = [await storeWithoutSending(owner, 4n), await storeWithoutSending(owner, 5n)]
  expect(await balance(owner)).toBe(0n)
  await Promise.all([resend(), resend()])
  for (const hash of hashes) {
    await until(async () => {
      await resend()
      return (await stateOf(hash)) === 'included'
    })
  }
  expect(await balance(owner)).toBe(9n)
})

test('a call after the crash takes the next nonce and sends the stored bytes too', async () => {
  const [forgotten, owner] = [freshAddress(), freshAddress()]
  const hash = await storeWithoutSending(forgotten, 4n)
  const input = {
    organizationId: 7,
    walletAddress: owner,
    blockchain: 'base',
    token: 'USDC',
    amount: 5n,
    withGas: false,
  }
  await fundFromFaucet(sandbox.parts, input)
  expect([await balance(forgotten), await balance(owner)]).toEqual([4n, 5n])
  await until(async () => {
    await resend()
    return (await stateOf(hash)) === 'included'
  })
})

test('a nonce that somebody else used fails the send, and the next one proceeds', async () => {
  const owner = freshAddress()
  const hash = await storeWithoutSending(owner, 4n)
  const [row] = await sandbox.parts.db.selectFrom('treasury_sends').selectAll().where('tx_hash', '=', hash).execute()
  const facts = await (chain.faultFree as EvmChain).senderState(chain.treasury.address)
  expect(facts.nonces.pending).toBe(row!.nonce)
  // The treasury's key is public, so this could be anyone.
  const slot = { key: chain.treasury.key as Hex, chainId: chain.network.chainId!, nonce: row!.nonce }
  const fees = { maxFeePerGas: facts.maxFeePerGas, maxPriorityFeePerGas: facts.maxPriorityFeePerGas }
  const stolen = await signPayment({ ...slot, ...fees }, { token: usdc, to: freshAddress(), amount: 1n })
  await chain.faultFree.broadcast(stolen.raw)
  await until(async () => (await chain.faultFree.findTransactions([stolen.hash]))[0]?.blockNumber)
  await resend()
  expect(await stateOf(hash)).toBe('failed')
  const input = {
    organizationId: 7,
    walletAddress: owner,
    blockchain: 'base',
    token: 'USDC',
    amount: 5n,
    withGas: false,
  }
  await fundFromFaucet(sandbox.parts, input)
  expect(await balance(owner)).toBe(5n)
})

/** The chain as one sees it whose first look at these bytes came just before they landed: the node calls them stale. */
function landsMeanwhile(hash: string): SandboxChain {
  const { faultFree } = chain
  let looks = 0
  const late = {
    ...faultFree,
    async findTransactions(hashes: readonly string[]) {
      if (hashes.includes(hash)) looks += 1
      return looks === 1 ? hashes.map(() => undefined) : await faultFree.findTransactions(hashes)
    },
    async broadcast(raw: string) {
      await faultFree.broadcast(raw)
      await until(async () => (await faultFree.findTransactions([hash]))[0]?.blockNumber)
      return { outcome: 'stale' }
    },
  }
  return { ...chain, faultFree: late as typeof faultFree }
}

test('bytes that land between the look for them and their sending are not called dead', async () => {
  const asked = await storeWithoutSending(freshAddress(), 4n)
  const sender = createTokenSender({ ...sandbox.parts, sandbox: new Map([['base', landsMeanwhile(asked)]]) })
  expect(await sender.transferStatus('base', asked)).toBe('waiting')
  expect(await stateOf(asked)).toBe('included')
  const resent = await storeWithoutSending(freshAddress(), 4n)
  await resendStored(sandbox.parts, landsMeanwhile(resent))
  expect(await stateOf(resent)).toBe('stored')
  await resend()
  expect(await stateOf(resent)).toBe('included')
})

test('a transaction that a chain lost with its last blocks is sent again from the stored bytes', async () => {
  const owner = freshAddress()
  const input = { organizationId: 7, walletAddress: owner, blockchain: 'base', token: 'USDC', amount: 5n }
  const snapshot = await sandbox.askNode('base', 'evm_snapshot')
  const { txHash } = await fundFromFaucet(sandbox.parts, input)
  expect(await sandbox.askNode('base', 'evm_revert', snapshot)).toBe(true)
  expect(await balance(owner)).toBe(0n)
  await resend()
  await until(async () => (await balance(owner)) === 5n)
  expect((await chain.faultFree.findTransactions([txHash]))[0]?.blockNumber).toBeDefined()
  await fundFromFaucet(sandbox.parts, { ...input, amount: 2n })
  expect(await balance(owner)).toBe(7n)
})

test('tokens that a deposit address returned are returned again if a chain lost it, and those after them too', async () => {
  const sender = createTokenSender(sandbox.parts)
  const [secret, to] = [new Uint8Array(32).fill(7), freshAddress()]
  const address = await sender.addressOf('base', secret)
  const owner = { organizationId: 7, walletAddress: address, blockchain: 'base' }
  await fundFromFaucet(sandbox.parts, { ...owner, token: 'USDC', amount: 9n })
  const giveBack = async (amount: bigint) => {
    const payment = {
      organizationId: 7,
      blockchain: 'base',
      token: usdc,
      to,
      amount,
      purpose: 'return',
      secret,
    } as const
    let returned = ''
    const transact: Transact<string> = transactOn(sandbox.parts.db)
    const recording = extendTransact(transact, async (_tx, hash: string) => {
      returned = hash
      return hash
    })
    expect(await sender.returnTokens(payment, recording)).toBe(true)
    return returned
  }
  const snapshot = await sandbox.askNode('base', 'evm_snapshot')
  const first = await giveBack(4n)
  await until(async () => (await balance(to)) === 4n)
  // The payment ends here: nobody asks for this transfer again.
  await sender.transferStatus('base', first)
  expect(await stateOf(first)).toBe('included')
  expect(await sandbox.askNode('base', 'evm_revert', snapshot)).toBe(true)
  expect(await balance(to)).toBe(0n)

  await giveBack(3n)
  expect(await balance(to)).toBe(0n)
  await until(async () => {
    await resend()
    return (await balance(to)) === 7n
  })
  expect((await chain.faultFree.findTransactions([first]))[0]?.blockNumber).toBeDefined()
})

test('sends of an earlier chain of the same name are never repeated on a new one', async () => {
  const hash = await storeWithoutSending(freshAddress(), 4n)
  const cursor = { final_number: 1, final_hash: '0x1', final_time: new Date(0), head_number: 1, head_hash: '0x1' }
  await sandbox.parts.db
    .insertInto('chain_cursors')
    .values({ blockchain: 'base', genesis_hash: '0xearlier', ...cursor, updated_at: new Date(0) })
    .execute()
  await resend()
  expect(await chain.faultFree.findTransactions([hash])).toEqual([undefined])
  await expect(storeWithoutSending(freshAddress(), 1n)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await sandbox.parts.db.deleteFrom('chain_cursors').execute()
})

test('the sends of a chain that lost its history are deleted, and those of other chains stay', async () => {
  const hash = await storeWithoutSending(freshAddress(), 1n)
  await deleteTreasurySends(sandbox.parts, 'polygon')
  expect(await stateOf(hash)).toBe('stored')
  await deleteTreasurySends(sandbox.parts, 'base')
  expect(await stateOf(hash)).toBeUndefined()
})

test('a send that nodes refuse is logged once, however often it is sent', async () => {
  const { log, lines, take } = loggedLines()
  const hash = await storeWithoutSending(freshAddress(), 4n)
  let isRefused = true
  const refusing = {
    ...chain,
    faultFree: {
      ...chain.faultFree,
      broadcast: async (raw: string) =>
        isRefused ? { outcome: 'refused', reason: 'the fee is too low' } : chain.faultFree.broadcast(raw),
    },
  } as SandboxChain
  const round = () => resendStored({ ...sandbox.parts, log }, refusing)
  for (let rounds = 0; rounds < 3; rounds += 1) await round()
  expect(lines).toMatchObject([{ hash, msg: 'a treasury send was refused' }])
  take()
  isRefused = false
  await until(async () => {
    await round()
    return (await stateOf(hash)) === 'included'
  })
  expect(new Set(take())).toEqual(
    new Set([
      'a treasury send is no longer refused',
      'resent a stored treasury send',
      'a resent treasury send is in a block',
    ]),
  )
})
