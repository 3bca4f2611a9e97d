import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmCall } from '../port/calls.ts'
import type { EvmChain } from '../port/families.ts'
import { account, DEAD, landed, signed, startTestNode, type TestNode, transfer } from './test-node.ts'
import { quantity } from './wire.ts'

let node: TestNode
let chain: EvmChain
let requests = 0

beforeAll(async () => {
  node = await startTestNode()
  chain = node.chain({ onRequest: () => requests++ })
  await chain.heads()
})
afterAll(() => node.stop())

async function requestsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = requests
  const result = await work()
  return [result, requests - before]
}

const mint = (to: string, amount: bigint): EvmCall => ({
  family: 'evm',
  to: node.token,
  data: encodeFunctionData({
    abi: parseAbi(['function mint(address to, uint256 value)']),
    args: [to as `0x${string}`, amount],
  }),
  value: 0n,
})

test('a planned call is simulated, encoded, signed elsewhere, checked, sent, and found in its block', async () => {
  const wallet = account(0)
  const call = mint(account(1).address, 5_000_000n)
  const [[senderState, simulation], calls] = await requestsOf(() =>
    Promise.all([chain.senderState(wallet.address), chain.simulate(wallet.address, [call])]),
  )
  expect(calls).toBe(1)
  if (!simulation.ok) throw new Error(simulation.reason)
  expect(simulation.gas[0]).toBeGreaterThan(21_000n)

  const gas = simulation.gas[0] ?? 0n
  const unsigned = chain.encode({
    sender: wallet.address,
    call,
    nonce: senderState.nonces.pending,
    gas,
    senderState,
    transactionId: 1,
  })
  const { raw } = await signed(chain, 0, call, { nonce: unsigned.nonce, gas })
  const checked = await chain.checkSigned(raw, { sender: wallet.address, call, nonce: unsigned.nonce })
  expect(await chain.broadcast(checked.raw)).toEqual({ outcome: 'accepted' })

  await landed(chain, checked.hash)
  const { latest, final } = await chain.heads()
  expect(final).toEqual(latest)
  const [block, blockCalls] = await requestsOf(() => chain.block(latest.number))
  expect(blockCalls).toBe(1)
  expect(block?.hash).toBe(latest.hash)
  const [included] = block?.transactions ?? []
  expect(included).toMatchObject({
    hash: checked.hash,
    sender: wallet.address,
    to: node.token,
    nonce: unsigned.nonce,
    data: call.data.toLowerCase(),
    value: 0n,
    succeeded: true,
    blockNumber: latest.number,
  })
  expect(included?.logs[0]?.address).toBe(node.token)
  expect(await chain.findTransactions([checked.hash, `0x${'ab'.repeat(32)}`])).toMatchObject([
    { hash: checked.hash, blockNumber: latest.number },
    undefined,
  ])
  expect(await chain.finalNonces([wallet.address, DEAD])).toEqual([unsigned.nonce + 1, 0])
})

test('balances and contract reads keep their order, at the latest and an earlier block, in one HTTP call', async () => {
  const holder = account(2).address
  const before = (await chain.heads()).latest.number
  const { raw, hash } = await signed(chain, 0, mint(holder, 7n))
  await chain.broadcast(raw)
  await landed(chain, hash)
  const queries = [
    { owner: holder, token: node.token },
    { owner: holder, token: 'native' },
    { owner: DEAD, token: node.token },
  ]
  const [now, calls] = await requestsOf(() => chain.balances(queries))
  expect(now).toEqual([7n, 10_000n * 10n ** 18n, 0n])
  expect(calls).toBe(1)
  expect(await chain.balances(queries, before)).toEqual([0n, 10_000n * 10n ** 18n, 0n])
})

test('reads beyond one multicall still take one HTTP call; a read that reverts or finds no contract is undefined', async () => {
  const good = { address: node.token, abi: erc20Abi, functionName: 'decimals' }
  const reverts = {
    address: node.token,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [DEAD, 1n],
  }
  const absent = { address: DEAD, abi: erc20Abi, functionName: 'decimals' }
  const [found, calls] = await requestsOf(() =>
    chain.multicall([reverts, absent, ...Array.from({ length: 450 }, () => good)]),
  )
  expect(calls).toBe(1)
  expect(found.slice(0, 2)).toEqual([undefined, undefined])
  expect(found.slice(2)).toEqual(Array.from({ length: 450 }, () => 6))
})

test('a balance that a token does not return is never guessed', async () => {
  await expect(chain.balances([{ owner: DEAD, token: DEAD }])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('a read at a block that the node does not have fails with CHAIN_UNAVAILABLE', async () => {
  await expect(chain.balances([{ owner: DEAD, token: 'native' }], 1_000_000)).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
  })
})

test('planning reads of the same tick share one HTTP request', async () => {
  const [, calls] = await requestsOf(() =>
    Promise.all([
      chain.heads(),
      chain.senderState(account(1).address),
      chain.balances([{ owner: account(1).address, token: node.token }]),
      chain.simulate(account(1).address, [transfer(1n)]),
    ]),
  )
  expect(calls).toBe(1)
})

test('the genesis hash is that of block 0, and a missing block is undefined', async () => {
  const genesis = await node.rpc<{ hash: string }>('eth_getBlockByNumber', '0x0', false)
  expect(await chain.genesisHash()).toBe(genesis.hash)
  expect(await chain.block(1_000_000)).toBeUndefined()
})

test('a node that invents a new block 0 on restart still serves the same chain', async () => {
  const other = `0x${'12'.repeat(32)}`
  const { hash } = await node.rpc<{ hash: string }>('eth_getBlockByNumber', '0x0', false)
  const restarted = node.chain({
    fault: {
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        return new Response((await answer.text()).replaceAll(`"hash":"${hash}"`, `"hash":"${other}"`), answer)
      },
    },
  })
  expect(await restarted.block(0)).toMatchObject({ hash: other })
  expect(await restarted.genesisHash()).toBe(hash)
})

test('a chain with only block 0 is identified by it', async () => {
  const fresh = await startTestNode()
  try {
    await fresh.rpc('anvil_reset')
    const genesis = await fresh.rpc<{ hash: string }>('eth_getBlockByNumber', '0x0', false)
    expect(await fresh.rpc('eth_blockNumber')).toBe('0x0')
    expect(await fresh.chain().genesisHash()).toBe(genesis.hash)
  } finally {
    await fresh.stop()
  }
})

test.each([
  ['burns all gas', '0xfe'],
  ['returns megabytes', '0x624800006000f3'],
  ['never returns', '0x5b600056'],
])('a contract that %s hides no other read of its batch', async (_, code) => {
  const hostile = '0x00000000000000000000000000000000000000bb'
  await node.rpc('anvil_setCode', hostile, code)
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
  const read = (address: string) => ({ address, abi, functionName: 'balanceOf', args: [DEAD] })
  const good = await chain.multicall([read(node.token)])
  const reads = [hostile, node.token, hostile, hostile, node.token].map(read)
  expect(await chain.multicall(reads)).toEqual([undefined, good[0], undefined, undefined, good[0]])
})

test('a node that cannot run a batch for any other reason is unavailable', async () => {
  const failing = node.chain({
    fault: {
      fetch: async (url, init) => {
        const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
        if (!requests.some(({ method }) => method === 'eth_call')) return fetch(url, init)
        const error = { code: -32_000, message: 'header not found' }
        return Response.json(
          requests.map(({ id, method }) =>
            method === 'eth_call' ? { id, error } : { id, result: quantity(node.chainId) },
          ),
        )
      },
    },
  })
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
  const read = { address: node.token, abi, functionName: 'balanceOf', args: [DEAD] }
  await expect(failing.multicall([read, read])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
