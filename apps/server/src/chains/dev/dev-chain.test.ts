import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../kernel/index.ts'
import { account, DEAD, landed, signed, startTestNode, type TestNode, transfer } from '../evm/test-node.ts'
import type { EvmCall } from '../port/calls.ts'
import type { EvmChain } from '../port/families.ts'
import { createDevChain, type DevChain } from './create-dev-chain.ts'
import { signPayment, treasuryAddress } from './treasury.ts'

let node: TestNode
let dev: DevChain
let chain: EvmChain
/** Another service or wallet that talks to the node directly. */
let outside: EvmChain
let registered: Set<string>

beforeEach(async () => {
  registered = new Set([account(1).address, account(2).address])
  node = await startTestNode()
  dev = createDevChain({ url: node.url, isRegistered: async (address) => registered.has(address), log: silentLog })
  chain = node.chain({ fault: dev.fault })
  outside = node.chain()
})
afterEach(async () => {
  await dev.close()
  await node.stop()
})

const approve = (amount: bigint): EvmCall => ({
  family: 'evm',
  to: node.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [DEAD, amount] }),
  value: 0n,
})

const included = (hash: string) => landed(outside, hash)

const proxied = (method: string, ...params: unknown[]) => dev.proxy.handle({ jsonrpc: '2.0', id: 1, method, params })

test('rpc_down fails the next requests of the service with CHAIN_UNAVAILABLE, then ends', async () => {
  dev.setFault('rpc_down', 2)
  await expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await proxied('eth_chainId')).toMatchObject({ error: { code: -32_603 } })
  const { raw } = await signed(outside, 1, transfer(1n))
  expect(await chain.broadcast(raw)).toMatchObject({ outcome: 'unknown' })
  expect(await chain.heads()).toHaveProperty('latest')
  expect(await proxied('eth_chainId')).toMatchObject({ result: '0x7a6a' })
})

test('a count replaces the remaining count of a fault, and 0 ends it', async () => {
  dev.setFault('rpc_down', 1_000)
  await expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(dev.remainingFaults('rpc_down')).toBe(999)
  dev.setFault('rpc_down', 0)
  expect(await chain.heads()).toHaveProperty('latest')
})

test('simulation_fails fails the next simulations, and nothing else', async () => {
  dev.setFault('simulation_fails', 1)
  const wallet = account(1).address
  const [simulation, senderState] = await Promise.all([
    chain.simulate(wallet, [approve(1n)]),
    chain.senderState(wallet),
  ])
  expect(simulation).toEqual({ ok: false, index: 0, code: 'REVERTED', reason: 'sandbox: simulation_fails' })
  expect(senderState.nonces.latest).toBe(0)
  expect(await chain.simulate(wallet, [approve(1n)])).toMatchObject({ ok: true })
})

test('simulation_fails leaves what Weir reads by simulated calls, and waits for a simulation of a plan', async () => {
  dev.setFault('simulation_fails', 1)
  const wallet = account(1).address
  const funds = { token: node.token, amount: 1n }
  expect(await chain.simulateFunded(wallet, funds, [approve(1n)])).toEqual([true])
  expect(await chain.callSucceeds(wallet, approve(1n))).toBe(true)
  expect(dev.remainingFaults('simulation_fails')).toBe(1)
  expect(await chain.simulate(wallet, [approve(1n)])).toMatchObject({ ok: false })
})

test('simulation_fails fails any simulation of a client of the proxy', async () => {
  dev.setFault('simulation_fails', 1)
  const blockStateCalls = [{ stateOverrides: {}, calls: [{ from: DEAD, to: node.token, data: '0x' }] }]
  const simulation = await proxied('eth_simulateV1', { blockStateCalls }, 'latest')
  expect(simulation).toMatchObject({ error: { code: 3 } })
  expect(dev.remainingFaults('simulation_fails')).toBe(0)
})

test('drop_next accepts a transaction and drops it; the same bytes can be sent again', async () => {
  dev.setFault('drop_next', 1)
  const { raw, hash } = await signed(outside, 1, transfer(1n))
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect(await chain.findTransactions([hash])).toEqual([undefined])
  expect((await chain.senderState(account(1).address)).nonces.pending).toBe(0)
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect((await included(hash)).succeeded).toBe(true)
})

test('an invalid transaction gets the node’s own error and does not consume the fault', async () => {
  dev.setFault('drop_next', 1)
  const { raw } = await signed(outside, 1, transfer(10n ** 30n))
  expect(await chain.broadcast(raw)).toMatchObject({ outcome: 'refused', code: 'INSUFFICIENT_GAS' })
  expect(dev.remainingFaults('drop_next')).toBe(1)
})

test('faults at inclusion never affect senders that are not registered', async () => {
  for (const fault of ['drop_next', 'revert_next', 'delay_next'] as const) dev.setFault(fault, 5)
  const { raw, hash } = await signed(outside, 5, transfer(1n))
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect((await included(hash)).succeeded).toBe(true)
  for (const fault of ['drop_next', 'revert_next', 'delay_next'] as const) expect(dev.remainingFaults(fault)).toBe(5)
})

test('revert_next mines the transaction as failed with its reason, and the contract is intact again', async () => {
  dev.setFault('revert_next', 1)
  const code = await node.rpc('eth_getCode', node.token, 'latest')
  const first = await signed(outside, 1, approve(5n))
  expect(await chain.broadcast(first.raw)).toEqual({ outcome: 'accepted' })
  const failed = await included(first.hash)
  expect(failed.succeeded).toBe(false)
  expect(await chain.revertReason(failed)).toBe('sandbox: revert_next')
  expect(await node.rpc('eth_getCode', node.token, 'latest')).toBe(code)

  const second = await signed(outside, 1, approve(5n))
  expect(second.nonce).toBe(first.nonce + 1)
  await chain.broadcast(second.raw)
  expect((await included(second.hash)).succeeded).toBe(true)
})

test.each([1, 2])('revert_next with count %i leaves later transactions that wait for that nonce', async (count) => {
  dev.setFault('revert_next', count)
  const first = await signed(outside, 1, approve(5n))
  const later = [1, 2].map((more) => signed(outside, 1, approve(6n), { nonce: first.nonce + more }))
  for (const { raw } of (await Promise.all(later)).reverse())
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect(await chain.broadcast(first.raw)).toEqual({ outcome: 'accepted' })
  const hashes = [first.hash, ...(await Promise.all(later)).map(({ hash }) => hash)]
  const succeeded = await Promise.all(hashes.map(async (hash) => (await included(hash)).succeeded))
  expect(succeeded).toEqual([false, count < 2, true])
  expect(dev.remainingFaults('revert_next')).toBe(0)
})

test('reads at and around the block of a reverted transaction return their usual values', async () => {
  const holder = treasuryAddress(`0x${'11'.repeat(32)}`)
  const minted = await signed(outside, 0, {
    ...approve(0n),
    data: encodeFunctionData({
      abi: parseAbi(['function mint(address to, uint256 value)']),
      args: [holder, 42n],
    }),
  })
  await chain.broadcast(minted.raw)
  await included(minted.hash)
  dev.setFault('revert_next', 1)
  const { raw, hash } = await signed(outside, 1, approve(5n))
  await chain.broadcast(raw)
  const number = (await included(hash)).blockNumber
  const queries = [{ owner: holder, token: node.token }]
  for (const at of [number - 1, number]) expect(await chain.balances(queries, at)).toEqual([42n])
  await dev.mine(2)
  for (const at of [number - 1, number, number + 1]) expect(await chain.balances(queries, at)).toEqual([42n])
})

test('no read ever sees the shim: concurrent reads stay correct', async () => {
  dev.setFault('revert_next', 5)
  let over = false
  const sending = (async () => {
    for (let round = 0; round < 5; round++) {
      await chain.broadcast((await signed(outside, 1, approve(5n))).raw)
    }
    over = true
  })()
  while (!over) {
    const [decimals] = await chain.multicall([{ address: node.token, abi: erc20Abi, functionName: 'decimals' }])
    expect(decimals).toBe(6)
    expect(await chain.simulate(account(1).address, [approve(1n)])).toMatchObject({ ok: true })
  }
  await sending
  expect(dev.remainingFaults('revert_next')).toBe(0)
})

test('concurrent transactions each consume a fault or pass, as if they had been sent alone', async () => {
  const wallets = [1, 2, 3, 4, 5, 6]
  for (const index of wallets) registered.add(account(index).address)
  dev.setFault('revert_next', 5)
  const all = await Promise.all(wallets.map((index) => signed(outside, index, approve(1n))))
  await Promise.all(all.map(({ raw }) => chain.broadcast(raw)))
  const outcomes = await Promise.all(all.map(async ({ hash }) => (await included(hash)).succeeded))
  expect(outcomes.filter((succeeded) => !succeeded)).toHaveLength(5)
})

test('a transfer of native coins can be reverted too', async () => {
  dev.setFault('revert_next', 1)
  const { raw, hash } = await signed(outside, 1, transfer(1n))
  await chain.broadcast(raw)
  expect((await included(hash)).succeeded).toBe(false)
  expect(await chain.balances([{ owner: DEAD, token: 'native' }])).toEqual([0n])
})

test('delay_next keeps a transaction pending for 20 further blocks, which are mined automatically, then it is included', async () => {
  dev.setFault('delay_next', 1)
  const { latest } = await chain.heads()
  const { raw, hash, nonce } = await signed(outside, 1, approve(5n))
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect(await chain.findTransactions([hash])).toMatchObject([{ hash, nonce, to: node.token, blockNumber: undefined }])
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'known' })
  expect((await chain.senderState(account(1).address)).nonces.pending).toBe(nonce + 1)
  expect(await outside.findTransactions([hash])).toEqual([undefined])
  await dev.mine(19)
  expect((await included(hash)).blockNumber).toBeGreaterThan(latest.number + 20)
})

test('a delayed transaction can be replaced only at a higher fee, and is then gone', async () => {
  dev.setFault('delay_next', 1)
  const delayed = await signed(outside, 1, approve(5n))
  await chain.broadcast(delayed.raw)
  const cheap = await signed(outside, 1, approve(6n), { nonce: delayed.nonce })
  expect(await chain.broadcast(cheap.raw)).toMatchObject({ outcome: 'refused', code: 'UNDERPRICED' })
  const senderState = await outside.senderState(account(1).address)
  const expensive = await signed(outside, 1, approve(6n), {
    nonce: delayed.nonce,
    maxFeePerGas: senderState.maxFeePerGas * 2n,
    maxPriorityFeePerGas: senderState.maxPriorityFeePerGas * 2n,
  })
  expect(await chain.broadcast(expensive.raw)).toEqual({ outcome: 'accepted' })
  expect((await included(expensive.hash)).succeeded).toBe(true)
  expect(await chain.findTransactions([delayed.hash])).toEqual([undefined])
  expect(await chain.broadcast(delayed.raw)).toMatchObject({ outcome: 'stale' })
})

test('the clock advances exactly, and blocks are mined as requested', async () => {
  const before = await dev.head()
  expect((await dev.mine(3)).number).toBe(before.number + 3)
  const head = await dev.head()
  const ahead = await dev.increaseTime(86_400)
  expect(ahead.number).toBe(head.number + 1)
  expect(ahead.time.getTime() - head.time.getTime()).toBeGreaterThanOrEqual(86_400_000)
  const exact = new Date(ahead.time.getTime() + 3_600_000)
  expect((await dev.mineAt(exact)).time).toEqual(exact)
})

test('the hash of a treasury payment is known before it is sent, and the payment arrives', async () => {
  const key: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  const to = treasuryAddress(`0x${'22'.repeat(32)}`)
  expect(treasuryAddress(key)).toBe(account(0).address)
  const { nonces, maxFeePerGas, maxPriorityFeePerGas } = await chain.senderState(account(0).address)
  const slot = { key, chainId: node.chainId, maxFeePerGas, maxPriorityFeePerGas }
  const tokens = await signPayment({ ...slot, nonce: nonces.pending }, { token: node.token, to, amount: 9n })
  const coins = await signPayment({ ...slot, nonce: nonces.pending + 1 }, { token: 'native', to, amount: 7n })
  for (const { raw, hash } of [tokens, coins]) {
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
    expect((await included(hash)).succeeded).toBe(true)
  }
  const queries = [node.token, 'native'].map((token) => ({ owner: to, token }))
  expect(await chain.balances(queries)).toEqual([9n, 7n])
})
