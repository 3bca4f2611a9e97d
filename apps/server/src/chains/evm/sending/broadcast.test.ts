import { freePort } from '@weir/devnet/free-port'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EvmChain } from '../../port/families.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { account, landed, signed, startTestNode, type TestNode, transfer } from '../test-node.ts'
import { classifyRejection } from './broadcast.ts'

let node: TestNode
let chain: EvmChain

beforeAll(async () => {
  node = await startTestNode()
  chain = node.chain()
})
afterAll(() => node.stop())
beforeEach(async () => {
  await node.rpc('evm_setAutomine', true)
  await node.rpc('evm_mine')
})

const messagesByOutcome: [string, string[]][] = [
  [
    'known',
    [
      'already known',
      'ALREADY_EXISTS: already known',
      'AlreadyKnown',
      'Known transaction',
      'transaction already imported',
    ],
  ],
  [
    'stale',
    [
      'nonce too low: next nonce 5, tx nonce 3',
      'INTERNAL_ERROR: nonce too low',
      'OldNonce, Current nonce: 5',
      'Nonce too low',
    ],
  ],
  [
    'INSUFFICIENT_GAS',
    [
      'insufficient funds for gas * price + value: balance 0, tx cost 21000',
      'INSUFFICIENT_FUNDS: insufficient funds for gas * price + value',
      'InsufficientFunds, Account balance: 0',
      'Upfront cost exceeds account balance',
    ],
  ],
  [
    'UNDERPRICED',
    [
      'replacement transaction underpriced',
      'transaction underpriced: gas tip cap 0, minimum needed 25000000000',
      'could not replace existing tx',
      'ReplacementNotAllowed',
      'FeeTooLowToCompete',
      'max fee per gas less than block base fee',
      'txpool is full',
    ],
  ],
  [
    'SIMULATION_FAILED',
    [
      'intrinsic gas too low: gas 20000, minimum needed 21000',
      'exceeds block gas limit',
      'GasLimitExceeded',
      'intrinsic gas too high -- tx.gas_limit > env.block.gas_limit',
      'execution reverted: no',
      'invalid chain id for signer',
      'tx fee (2.10 ether) exceeds the configured cap (1.00 ether)',
    ],
  ],
  ['unknown', ['internal error', 'backend is overloaded', '']],
]

test.each(messagesByOutcome)('the various messages for "%s" are recognized', (expected, messages) => {
  for (const message of messages) {
    const result = classifyRejection({ code: -32_000, message, data: undefined })
    expect('code' in result ? result.code : result.outcome, message).toBe(expected)
    if (result.outcome === 'refused') expect(result.reason).not.toContain(message)
  }
})

test('bytes are accepted once, known while pending, and still known once they are in a block', async () => {
  await node.rpc('evm_setAutomine', false)
  const { raw } = await signed(chain, 1, transfer(1n))
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'known' })
  await node.rpc('evm_mine')
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'known' })
})

test('another transaction at a used nonce is stale', async () => {
  const first = await signed(chain, 2, transfer(1n))
  const second = await signed(chain, 2, transfer(2n), { nonce: first.nonce })
  await chain.broadcast(first.raw)
  await landed(chain, first.hash)
  expect(await chain.broadcast(second.raw)).toMatchObject({ outcome: 'stale' })
})

test('refusals of a real node get the matching code', async () => {
  await node.rpc('evm_setAutomine', false)
  const { maxFeePerGas } = await chain.senderState(account(3).address)
  const first = await signed(chain, 3, transfer(1n))
  await chain.broadcast(first.raw)
  const cases = [
    ['UNDERPRICED', await signed(chain, 3, transfer(2n), { nonce: first.nonce })],
    ['INSUFFICIENT_GAS', await signed(chain, 3, transfer(10n ** 30n))],
    ['SIMULATION_FAILED', await signed(chain, 3, transfer(1n), { gas: 20_000n })],
    ['SIMULATION_FAILED', await signed(chain, 3, transfer(1n), { gas: 4_000_000_000n })],
    ['UNDERPRICED', await signed(chain, 3, transfer(1n), { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })],
  ] as const
  for (const [code, { raw }] of cases) {
    expect(await chain.broadcast(raw)).toMatchObject({ outcome: 'refused', code })
  }
  const dearer = await signed(chain, 3, transfer(2n), {
    nonce: first.nonce,
    maxFeePerGas: maxFeePerGas * 2n,
    maxPriorityFeePerGas: maxFeePerGas,
  })
  expect(await chain.broadcast(dearer.raw)).toEqual({ outcome: 'accepted' })
})

test('without a response the outcome is unknown, whether the connection was refused or lost, or the node failed', async () => {
  const { raw } = await signed(chain, 4, transfer(1n))
  const dead = `http://127.0.0.1:${await freePort()}`
  const failing: Fetch[] = [
    () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } })),
    () => Promise.resolve(new Response('upstream is gone', { status: 502 })),
    () => Promise.resolve(Response.json({ jsonrpc: '2.0', id: 0, error: { code: -32_603, message: 'oops' } })),
  ]
  expect(await node.chain({ rpcUrls: [dead] }).broadcast(raw)).toMatchObject({ outcome: 'unknown' })
  for (const fetch of failing) {
    expect(await node.chain({ fault: { fetch } }).broadcast(raw)).toMatchObject({ outcome: 'unknown' })
  }
})

test('a refusal proves nothing if an earlier endpoint may have accepted the bytes', async () => {
  const accepted = await signed(chain, 5, transfer(1n))
  const { raw } = await signed(chain, 5, transfer(2n), { nonce: accepted.nonce })
  await chain.broadcast(accepted.raw)
  await landed(chain, accepted.hash)
  const lost: Fetch = (url, init) =>
    url.includes('localhost')
      ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }))
      : fetch(url, init)
  const both = node.chain({ rpcUrls: [node.url.replace('127.0.0.1', 'localhost'), node.url], fault: { fetch: lost } })
  expect(await both.broadcast(raw)).toMatchObject({ outcome: 'unknown' })
})

test('an endpoint that refuses the connection is skipped, and the next one decides', async () => {
  const { raw } = await signed(chain, 6, transfer(1n))
  const dead = `http://127.0.0.1:${await freePort()}`
  const both = node.chain({ rpcUrls: [dead, node.url] })
  expect(await both.broadcast(raw)).toEqual({ outcome: 'accepted' })
  expect(await both.broadcast(`0x02${'00'.repeat(10)}`)).toMatchObject({ outcome: 'refused' })
})
