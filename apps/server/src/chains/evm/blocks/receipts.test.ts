// Also tested elsewhere: nodes without eth_getBlockReceipts, and reorganizations (block.test.ts).
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock, RPC_RECEIPTS_LATE_MS } from '../../../kernel/index.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { DEAD, landed, signed, startTestNode, type TestNode } from '../test-node.ts'

type Receipt = { transactionHash: string; blockHash: string }
type Answer = (real: unknown) => { result: unknown } | { error: object }
type Answers = Readonly<Record<string, Answer>>

let node: TestNode
let number: number
let lastHash: string

beforeAll(async () => {
  node = await startTestNode()
  const chain = node.chain()
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [DEAD, 5n] })
  await node.rpc('evm_setAutomine', false)
  const hashes: string[] = []
  for (const index of [1, 2, 3]) {
    const { raw, hash } = await signed(chain, index, { family: 'evm', to: node.token, data, value: 0n })
    await chain.broadcast(raw)
    hashes.push(hash)
  }
  await node.rpc('evm_mine')
  const [first] = await Promise.all(hashes.map((hash) => landed(chain, hash)))
  number = first!.blockNumber
  lastHash = (await chain.block(number))!.transactions.at(-1)!.hash
})
afterAll(() => node.stop())

/** Endpoints of the one node by name, which give some answers of their own. */
const endpoints =
  (faults: Readonly<Record<string, Answers>>): Fetch =>
  async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const responses = (await (await fetch(node.url, init)).json()) as { id: number; result: unknown }[]
    const own = faults[new URL(url).hostname.split('.')[0]!] ?? {}
    return Response.json(
      responses.map((one) => {
        const answer = own[requests.find(({ id }) => id === one.id)!.method]
        return answer ? { jsonrpc: '2.0', id: one.id, ...answer(one.result) } : one
      }),
    )
  }

function chainOf(faults: Readonly<Record<string, Answers>>) {
  const asked: string[] = []
  const clock = new ManualClock()
  const chain = node.chain({
    rpcUrls: Object.keys(faults).map((name) => `http://${name}.example`),
    clock,
    fault: { fetch: endpoints(faults) },
    onRequest: (name) => asked.push(name.split('.')[0]!),
  })
  /** The block, once nodes have had the time to write its receipts. */
  async function overdue() {
    await chain.block(number)
    clock.advance(RPC_RECEIPTS_LATE_MS)
    return await chain.block(number)
  }
  return { chain, asked, overdue }
}

const refused: Answer = () => ({ error: { code: -32_000, message: 'receipts length mismatch: 1 vs 0' } })
const empty: Answer = () => ({ result: null })
const missing: Answer = (real) => ({ result: (real as Receipt[]).slice(1) })
const changed =
  (fields: Partial<Receipt>): Answer =>
  (real) => ({ result: (real as Receipt[]).map((one, at) => (at === 1 ? { ...one, ...fields } : one)) })
const OTHER = `0x${'ee'.repeat(32)}`

test('a node that refuses the receipts of a block rests, and the next one serves', async () => {
  const whole = await node.chain().block(number)
  const { chain, asked } = chainOf({ bad: { eth_getBlockReceipts: refused }, good: {} })
  expect(await chain.block(number)).toEqual(whole)
  expect(asked.splice(0)).toEqual(['bad', 'good'])
  await chain.block(number)
  expect(asked).toEqual(['good'])
})

test('receipts that a node writes a moment after the block are waited for, at the cost of the next read', async () => {
  let isLate = true
  const { chain, asked } = chainOf({
    first: { eth_getBlockReceipts: (real) => ({ result: isLate ? null : real }) },
    second: {},
  })
  expect(await chain.block(number)).toBeUndefined()
  isLate = false
  expect(await chain.block(number)).toEqual(await node.chain().block(number))
  expect(asked).toEqual(['first', 'first'])
})

test('receipts of which each node lacks another one are found together', async () => {
  const without =
    (at: number): Answer =>
    (real) => ({ result: (real as { transactionIndex: string }).transactionIndex === `0x${at}` ? null : real })
  const { overdue } = chainOf({
    one: { eth_getBlockReceipts: empty, eth_getTransactionReceipt: without(0) },
    another: { eth_getBlockReceipts: empty, eth_getTransactionReceipt: without(1) },
  })
  expect(await overdue()).toEqual(await node.chain().block(number))
})

describe.each<[string, Answer]>([
  ['refused', refused],
  ['null', empty],
  ['no list', () => ({ result: {} })],
  ['without one', missing],
  ['with nothing in place of one', (real) => ({ result: [null, ...(real as Receipt[]).slice(1)] })],
  ['with one of another transaction', changed({ transactionHash: OTHER })],
  ['with one of another block', changed({ blockHash: OTHER })],
])('receipts that are %s', (_, answer) => {
  test('are completed one by one', async () => {
    const { overdue } = chainOf({ only: { eth_getBlockReceipts: answer } })
    expect(await overdue()).toEqual(await node.chain().block(number))
  })

  test('are completed from the next node, and no node rests', async () => {
    const { chain, asked, overdue } = chainOf({
      bad: { eth_getBlockReceipts: answer, eth_getTransactionReceipt: empty },
      good: { eth_getBlockReceipts: answer },
    })
    expect(await overdue()).toEqual(await node.chain().block(number))
    asked.length = 0
    await chain.heads()
    expect(asked).toEqual(['bad'])
  })

  test('are an error that names the block if no node completes them', async () => {
    const faults = { eth_getBlockReceipts: answer, eth_getTransactionReceipt: empty }
    const { overdue } = chainOf({ one: faults, another: faults })
    const error = await overdue().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(String((error as Error).cause)).toContain(`block ${number} has no complete receipts`)
  })
})

describe.each([
  ['its type', { type: '0x7f' }],
  ['no signer', { type: '0x0', from: `0x${'0'.repeat(40)}`, v: '0x0', r: '0x0', s: '0x0' }],
])('the last transaction, known by %s as what the bridge brings', (_, fields) => {
  type Wire = { transactions: { from: string }[] }
  const withPseudo: Answer = (real) => {
    const block = real as Wire
    const last = block.transactions.at(-1)
    // Also called for the header alone, with hashes only.
    return typeof last === 'object'
      ? { result: { ...block, transactions: [...block.transactions.slice(0, -1), { ...last, ...fields }] } }
      : { result: block }
  }
  const last: Answer = (real) => ({ result: (real as Receipt[]).slice(0, -1) })

  test('needs no receipt', async () => {
    const faults = { eth_getBlockByNumber: withPseudo, eth_getBlockReceipts: last, eth_getTransactionReceipt: empty }
    const { chain, asked } = chainOf({ one: faults, another: faults })
    const block = await chain.block(number)
    expect(block?.transactions.map(({ logs }) => logs.length)).toEqual([1, 1, 0])
    asked.length = 0
    await chain.heads()
    expect(asked).toEqual(['one'])
  })

  test('has the logs of its receipt on another node, which does not let the first one rest', async () => {
    const faults = { eth_getBlockByNumber: withPseudo, eth_getBlockReceipts: last }
    const { chain, asked } = chainOf({ one: { ...faults, eth_getTransactionReceipt: empty }, another: faults })
    expect((await chain.block(number))?.transactions.at(-1)?.logs).toHaveLength(1)
    asked.length = 0
    await chain.heads()
    expect(asked).toEqual(['one'])
  })

  test('is all that a node may lack which has the receipts that another one lacks', async () => {
    const middle: Answer = (real) => ({ result: (real as Receipt[]).slice(1, -1) })
    const faults = { eth_getBlockByNumber: withPseudo, eth_getBlockReceipts: middle }
    const butLast: Answer = (real) => ({ result: (real as Receipt).transactionHash === lastHash ? null : real })
    const { chain, asked, overdue } = chainOf({
      one: { ...faults, eth_getTransactionReceipt: empty },
      another: { ...faults, eth_getTransactionReceipt: butLast },
    })
    expect((await overdue())?.transactions.map(({ logs }) => logs.length)).toEqual([1, 1, 0])
    asked.length = 0
    await chain.heads()
    expect(asked).toEqual(['one'])
  })

  test('has the logs of the receipt that a node keeps under another hash', async () => {
    const renamed: Answer = (real) => ({
      result: (real as Receipt[]).map((one, at) => (at === 2 ? { ...one, transactionHash: OTHER } : one)),
    })
    const { chain } = chainOf({
      only: { eth_getBlockByNumber: withPseudo, eth_getBlockReceipts: renamed, eth_getTransactionReceipt: empty },
    })
    expect((await chain.block(number))?.transactions.at(-1)?.logs).toHaveLength(1)
  })

  test('needs its receipt on a chain without this bridge', async () => {
    const faults = { eth_getBlockByNumber: withPseudo, eth_getBlockReceipts: last, eth_getTransactionReceipt: empty }
    const network = { ...node.network, blockchain: 'base' } as const
    const clock = new ManualClock()
    const fault = { fetch: endpoints({ only: faults }) }
    const chain = node.chain({ network, rpcUrls: ['http://only.example'], clock, fault })
    expect(await chain.block(number)).toBeUndefined()
    clock.advance(RPC_RECEIPTS_LATE_MS)
    await expect(chain.block(number)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })
})
