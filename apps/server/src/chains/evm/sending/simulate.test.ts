import { encodeErrorResult, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallUnfinishedError } from '../../port/call-unfinished.ts'
import type { EvmCall } from '../../port/calls.ts'
import type { EvmChain } from '../../port/families.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { decodeRevert } from '../errors/decode-revert.ts'
import { account, artifact, DEAD, landed, signed, startTestNode, type TestNode, transfer } from '../test-node.ts'
import { withHeadroom } from './simulate.ts'

let node: TestNode
let chain: EvmChain
const REFUSER = '0x00000000000000000000000000000000000bad01'

beforeAll(async () => {
  node = await startTestNode()
  chain = node.chain()
})
afterAll(() => node.stop())

/** A contract that reverts every call with these bytes. */
async function refuseWith(data: Hex): Promise<EvmCall> {
  const length = (data.length / 2 - 1).toString(16).padStart(4, '0')
  await node.rpc('anvil_setCode', REFUSER, `0x61${length}600e5f3961${length}5ffd0000${data.slice(2)}`)
  return { family: 'evm', to: REFUSER, data: '0x', value: 0n }
}

const errorString = (reason: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [reason] })

const token = (data: Hex): EvmCall => ({ family: 'evm', to: node.token, data, value: 0n })
const approve = (spender: string, amount: bigint) =>
  token(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, amount] }))
const pull = (from: string, amount: bigint) =>
  token(encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from as Hex, DEAD, amount] }))
const mint = (amount: bigint) =>
  token(
    encodeFunctionData({
      abi: parseAbi(['function mint(address to, uint256 value)']),
      args: [account(0).address, amount],
    }),
  )

test('calls run in sequence: the second sees the effects of the first, and nothing persists', async () => {
  const owner = account(0).address
  const calls = [mint(10n), approve(owner, 10n), pull(owner, 10n)]
  const simulation = await chain.simulate(owner, calls)
  expect(simulation).toMatchObject({ ok: true })
  if (simulation.ok) expect(simulation.gas).toHaveLength(3)
  expect(await chain.balances([{ owner, token: node.token }])).toEqual([0n])
})

test('the returned gas limits are sufficient and leave headroom', async () => {
  const call = mint(3n)
  const simulation = await chain.simulate(account(0).address, [call])
  if (!simulation.ok) throw new Error(simulation.reason)
  const [gas] = simulation.gas
  const { raw, hash } = await signed(chain, 0, call, { gas: gas ?? 0n })
  await chain.broadcast(raw)
  const { succeeded, gasUsed } = await landed(chain, hash)
  expect(succeeded).toBe(true)
  expect(gas).toBe(withHeadroom(gasUsed))
})

test('calls run at a later time than the latest block, when interest has accrued', async () => {
  const { latest } = await chain.heads()
  const time = (latest.time.getTime() / 1_000).toString(16).padStart(8, '0')
  // Reverts unless the block time is later than `time`.
  await node.rpc('anvil_setCode', REFUSER, `0x4263${time}10600d575f5ffd5b00`)
  const call = { family: 'evm', to: REFUSER, data: '0x', value: 0n } as const
  expect(await chain.simulate(account(0).address, [call])).toMatchObject({ ok: true })
})

test('a wallet without gas money can still be simulated', async () => {
  const poor = '0x1111111111111111111111111111111111111111'
  expect(await chain.simulate(poor, [approve(DEAD, 1n)])).toMatchObject({ ok: true })
})

test('a call that sends more value than the wallet has fails, however nodes word it', async () => {
  const poor = '0x1111111111111111111111111111111111111111'
  expect(await chain.simulate(poor, [transfer(1n)])).toMatchObject({ ok: false, index: 0 })
})

test('the first failing call is named, with the contract’s reason', async () => {
  const owner = account(0).address
  const nobody = account(9).address
  expect(await chain.simulate(nobody, [approve(nobody, 5n), pull(nobody, 5n)])).toEqual({
    ok: false,
    index: 1,
    code: 'ERC20InsufficientBalance',
    reason: `ERC20InsufficientBalance(${nobody}, 0, 5)`,
  })
  const simulateRevert = async (data: Hex) => chain.simulate(owner, [transfer(1n), await refuseWith(data)])
  const cases: [Hex, object][] = [
    [errorString('not today'), { code: 'REVERTED', reason: 'not today' }],
    [errorString('51'), { code: 'SUPPLY_CAP_EXCEEDED', reason: 'SUPPLY_CAP_EXCEEDED' }],
    [errorString('32'), { code: 'NOT_ENOUGH_AVAILABLE_USER_BALANCE' }],
    [`0x4e487b71${'11'.padStart(64, '0')}`, { code: 'PANIC_0x11', reason: 'an arithmetic operation overflowed' }],
    ['0xdeadbeef', { code: '0xdeadbeef' }],
    ['0x', { code: 'REVERTED' }],
  ]
  for (const [data, expected] of cases)
    expect(await simulateRevert(data)).toMatchObject({ ok: false, index: 1, ...expected })
})

test('without eth_simulateV1, the first call is estimated and later ones get a fixed limit', async () => {
  let simulations = 0
  const old: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const responses = (await (await fetch(url, init)).json()) as { id: number }[]
    const unknown = { code: -32_601, message: 'the method eth_simulateV1 does not exist/is not available' }
    return Response.json(
      responses.map((one) => {
        if (requests.find(({ id }) => id === one.id)?.method !== 'eth_simulateV1') return one
        simulations += 1
        return { jsonrpc: '2.0', id: one.id, error: unknown }
      }),
    )
  }
  const elder = node.chain({ fault: { fetch: old } })
  const owner = account(0).address
  for (const _ of [1, 2]) {
    const simulation = await elder.simulate(owner, [approve(owner, 5n), pull(owner, 5n)])
    if (!simulation.ok) throw new Error(simulation.reason)
    expect(simulation.gas[0]).toBeLessThan(100_000n)
    expect(simulation.gas[1]).toBe(900_000n)
  }
  expect(simulations).toBe(1)
  expect(await elder.simulate(owner, [pull(DEAD, 5n)])).toMatchObject({
    ok: false,
    index: 0,
    code: 'ERC20InsufficientAllowance',
  })
  expect(await elder.simulate(owner, [])).toEqual({ ok: true, gas: [] })
})

/** A node that answers these methods with an error. */
function failing(message: string, ...methods: readonly string[]): EvmChain {
  const answer: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const responses = (await (await fetch(url, init)).json()) as { id: number }[]
    return Response.json(
      responses.map((one) => {
        const { method = '' } = requests.find(({ id }) => id === one.id) ?? {}
        const unknown = { code: -32_601, message: `the method ${method} does not exist/is not available` }
        if (methods.includes(method)) return { jsonrpc: '2.0', id: one.id, error: { code: -32_000, message } }
        return method === 'eth_simulateV1' ? { jsonrpc: '2.0', id: one.id, error: unknown } : one
      }),
    )
  }
  return node.chain({ fault: { fetch: answer } })
}

test.each(['eth_simulateV1', 'eth_estimateGas'])('a call that uses up all gas of %s fails', async (method) => {
  for (const message of ['gas required exceeds allowance (50000000)', 'out of gas', 'block gas limit reached']) {
    const simulation = await failing(message, method).simulate(account(0).address, [approve(DEAD, 1n)])
    expect(simulation).toEqual({ ok: false, index: 0, code: 'REVERTED', reason: message })
  }
})

test.each(['eth_simulateV1', 'eth_estimateGas'])(
  'a call that a node gives up in %s is not known to fail, and says nothing about the chain',
  async (method) => {
    const given = failing('execution aborted (timeout = 5s)', method).simulate(account(0).address, [approve(DEAD, 1n)])
    await expect(given).rejects.toBeInstanceOf(CallUnfinishedError)
  },
)

test('the network fee is the sum of the gas limits at the fee cap', async () => {
  const senderState = await chain.senderState(account(0).address)
  expect(chain.networkFee([100n, 200n], senderState)).toBe(300n * senderState.maxFeePerGas)
  expect(chain.networkFee([100n, 200n], { ...senderState, dataFee: 7n })).toBe(300n * senderState.maxFeePerGas + 14n)
  expect(senderState.maxPriorityFeePerGas).toBe(30_000_000_000n)
  expect(senderState.maxFeePerGas).toBeGreaterThanOrEqual(senderState.maxPriorityFeePerGas)
})

test("a rollup's data fee is read with the sender state, where the chain reports it", async () => {
  let requests = 0
  const rollup = node.chain({ network: { ...node.network, blockchain: 'base' }, onRequest: () => requests++ })
  const { address } = account(0)
  expect(await rollup.senderState(address)).not.toHaveProperty('dataFee')
  // A stand-in for the oracle: returns 5 for every call.
  await node.rpc('anvil_setCode', '0x420000000000000000000000000000000000000F', '0x60055f5260205ff3')
  requests = 0
  expect(await rollup.senderState(address)).toMatchObject({ dataFee: 10n })
  expect(requests).toBe(1)
  expect(await chain.senderState(address)).not.toHaveProperty('dataFee')
})

test('the reason of a reverted transaction comes from its trace, and without one from repeating the call', async () => {
  const call = await refuseWith(errorString('29'))
  const { raw, hash } = await signed(chain, 1, call)
  await chain.broadcast(raw)
  const sent = await landed(chain, hash)
  expect(sent.succeeded).toBe(false)
  expect(await chain.revertReason(sent)).toBe('RESERVE_PAUSED')

  const noTraces: Fetch = (url, init) =>
    fetch(url, { ...init, body: String(init.body).replace('debug_traceTransaction', 'debug_unavailable') })
  expect(await node.chain({ fault: { fetch: noTraces } }).revertReason(sent)).toBe('RESERVE_PAUSED')
})

test('a successful transaction has no reason', async () => {
  const { raw, hash } = await signed(chain, 1, transfer(1n))
  await chain.broadcast(raw)
  expect(await chain.revertReason(await landed(chain, hash))).toBeUndefined()
})

test('Tether explains in words that an allowance is not zero', async () => {
  const tether = '0x00000000000000000000000000000000000bad02'
  await node.rpc('anvil_setCode', tether, await runtimeOf('DevTether'))
  const call: EvmCall = { ...approve(DEAD, 1n), to: tether }
  expect(await chain.simulate(account(0).address, [call, call])).toEqual({
    ok: false,
    index: 1,
    code: 'REVERTED',
    reason: 'USDT: set the allowance to zero first',
  })
})

async function runtimeOf(name: string): Promise<string> {
  return node.rpc('eth_call', { data: artifact(name).bytecode }, 'latest')
}

test('undecodable revert data never throws', () => {
  const odd: (Hex | undefined)[] = [
    undefined,
    '0x',
    '0x08c379a0',
    '0x08c379a0ff',
    `0x4e487b71${maxUint256.toString(16)}`,
  ]
  for (const data of odd) expect(decodeRevert(data)).toHaveProperty('code')
  // Names that every JavaScript object has are no errors of Aave.
  const words = encodeErrorResult({ abi: parseAbi(['error Error(string reason)']), args: ['constructor'] })
  expect(decodeRevert(words)).toEqual({ code: 'REVERTED', reason: 'constructor' })
  expect(decodeRevert(undefined, 'execution reverted: because')).toEqual({ code: 'REVERTED', reason: 'because' })
})
