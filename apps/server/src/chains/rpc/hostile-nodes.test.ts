// Responses that are valid JSON-RPC, with values that no chain has. Attacks by HTTP and JSON:
// chains/rpc/endpoint.test.ts.

import { parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { ManualClock, silentLog } from '../../kernel/index.ts'
import { createEvmChain } from '../evm/create-evm-chain.ts'
import type { Network } from '../port/networks.ts'
import { createSolanaChain } from '../solana/create-solana-chain.ts'

const MEBIBYTE = 1_048_576
const WALLET = '0x000000000000000000000000000000000000dEaD'
const POLYGON: Network = {
  blockchain: 'polygon',
  family: 'evm',
  chainId: 137,
  nativeSymbol: 'POL',
  confirmations: 1,
  tokens: [],
}
const SOLANA: Network = {
  blockchain: 'solana',
  family: 'svm',
  chainId: undefined,
  genesisHash: 'genesis',
  nativeSymbol: 'SOL',
  confirmations: 1,
  tokens: [],
}

type Answer = (method: string) => unknown

/** Nodes that return what they like, except that they serve the right chain. */
function nodes(answer: Answer) {
  const identity: Readonly<Record<string, unknown>> = { eth_chainId: '0x89', getGenesisHash: 'genesis' }
  const fetch = async (_url: string, { body }: RequestInit) => {
    const requests = JSON.parse(String(body)) as { id: number; method: string }[]
    return Response.json(requests.map(({ id, method }) => ({ id, result: identity[method] ?? answer(method) })))
  }
  const parts = { rpcUrls: ['http://node.example'], log: silentLog, clock: new ManualClock(), fault: { fetch } }
  return {
    evm: createEvmChain({ ...parts, network: POLYGON }),
    solana: createSolanaChain({ ...parts, network: SOLANA }),
  }
}

const header = (fields: object) => ({
  number: '0x10',
  hash: '0xaa',
  parentHash: '0xbb',
  timestamp: '0x10',
  baseFeePerGas: '0x10',
  transactions: [],
  ...fields,
})
const slot = (fields: object) => ({
  blockhash: 'aa',
  previousBlockhash: 'bb',
  parentSlot: 0,
  blockHeight: 1,
  blockTime: 1,
  transactions: [],
  ...fields,
})
const context = { slot: 16 }

describe.each([
  ['a MiB of hexadecimal digits', `0x${'f'.repeat(MEBIBYTE)}`],
  ['a MiB of decimal digits', '9'.repeat(MEBIBYTE)],
  ['a word', 'latest'],
  ['an object', { a: 1 }],
])('%s where a number belongs makes the chain unavailable', (_, value) => {
  test.each([
    ['in the number of the latest block', { eth_getBlockByNumber: header({ number: value }) }],
    ['in its time', { eth_getBlockByNumber: header({ timestamp: value }) }],
  ])('%s', async (__, answers: Readonly<Record<string, unknown>>) => {
    await expect(nodes((method) => answers[method]).evm.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })

  test.each(['eth_getTransactionCount', 'eth_getBalance', 'eth_maxPriorityFeePerGas', 'baseFeePerGas'])(
    'in %s of a sender',
    async (hostile) => {
      const { evm } = nodes((method) => {
        if (method === 'eth_getBlockByNumber')
          return header({ baseFeePerGas: hostile === 'baseFeePerGas' ? value : '0x1' })
        return method === hostile ? value : '0x1'
      })
      await expect(evm.senderState(WALLET)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    },
  )

  test('in the gas of a simulation, and of an estimate', async () => {
    const call = { family: 'evm', to: WALLET, data: '0x', value: 0n } as const
    const { evm } = nodes(() => [{ calls: [] }, { calls: [{ status: '0x1', gasUsed: value }] }])
    await expect(evm.simulate(WALLET, [call])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })

  test('in a transaction and its receipt', async () => {
    const transaction = { hash: '0x1', from: WALLET, to: WALLET, nonce: '0x1', input: '0x', value: '0x1', gas: '0x1' }
    const receipt = { transactionHash: '0x1', blockHash: '0xaa', status: '0x1', gasUsed: '0x1', logs: [] }
    for (const field of ['nonce', 'value', 'gas', 'gasUsed']) {
      const { evm } = nodes((method) =>
        method === 'eth_getBlockByNumber'
          ? header({ transactions: [{ ...transaction, ...(field !== 'gasUsed' && { [field]: value }) }] })
          : [{ ...receipt, ...(field === 'gasUsed' && { [field]: value }) }],
      )
      await expect(evm.block(16), field).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    }
  })

  test('in the height and the time of a slot', async () => {
    for (const field of ['blockHeight', 'blockTime']) {
      const { solana } = nodes((method) => (method === 'getSlot' ? 16 : slot({ [field]: value })))
      await expect(solana.heads(), field).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    }
  })

  test('in the lamports of an account', async () => {
    const { solana } = nodes(() => ({ context, value: [{ lamports: value, data: ['', 'base64'] }] }))
    await expect(solana.accounts(['11111111111111111111111111111111'])).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
  })
})

test('an unknown time or height of a slot is no time and no height', async () => {
  for (const field of ['blockHeight', 'blockTime']) {
    const { solana } = nodes((method) => (method === 'getSlot' ? 16 : slot({ [field]: null })))
    await expect(solana.heads(), field).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await expect(solana.block(16), field).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  }
})

test('a pruned history whose oldest block has no known height is not complete', async () => {
  const answers = { getFirstAvailableBlock: 16, getSignaturesForAddress: [], getBlock: slot({ blockHeight: null }) }
  const { solana } = nodes((method) => answers[method as keyof typeof answers])
  const since = (seconds: number) =>
    solana.findLanded('11111111111111111111111111111111', [1], { slot: 16, since: new Date(seconds * 1_000), sent: [] })
  await expect(since(0)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await since(1)).toEqual({ hashes: [] })
})

test('a Transfer with a MiB of data is no transfer of a token', () => {
  const { evm } = nodes(() => null)
  const topic = `0x${'0'.repeat(24)}${WALLET.slice(2).toLowerCase()}`
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const log = (data: string) => ({ address: WALLET, topics: [transfer, topic, topic], data })
  const logs = [log(`0x${'f'.repeat(2 * MEBIBYTE)}`), log(`0x${'0'.repeat(63)}7`)]
  const transaction = { family: 'evm', logs } as unknown as Parameters<typeof evm.transfers>[0]
  expect(evm.transfers(transaction).map(({ amount }) => amount)).toEqual([7n])
})

test('a head that one response invented hides the real ones for five minutes at most', async () => {
  let number = '0x10'
  let reported = 16
  const clock = new ManualClock()
  const fetch = async (_url: string, { body }: RequestInit) => {
    const requests = JSON.parse(String(body)) as { id: number; method: string }[]
    const answers: Readonly<Record<string, unknown>> = {
      eth_chainId: '0x89',
      eth_getBlockByNumber: header({ number }),
      getGenesisHash: 'genesis',
      getSlot: reported,
      getBlock: slot({}),
    }
    return Response.json(requests.map(({ id, method }) => ({ id, result: answers[method] })))
  }
  const parts = { rpcUrls: ['http://node.example'], log: silentLog, clock, fault: { fetch } }
  const chains = [
    createEvmChain({ ...parts, network: POLYGON }),
    createSolanaChain({ ...parts, network: SOLANA }),
    createSolanaChain({ ...parts, network: { ...SOLANA, finality: 'tag' } }),
  ]
  const finals = () => Promise.all(chains.map(async (chain) => (await chain.heads()).final.number))
  expect(await finals()).toEqual([16, 16, 16])
  ;[number, reported] = ['0xffffffffff', 0xffffffffff]
  expect(await finals()).toEqual(Array(3).fill(0xffffffffff))
  ;[number, reported] = ['0x11', 17]
  clock.advance(299_000)
  expect(await finals()).toEqual(Array(3).fill(0xffffffffff))
  clock.advance(1_000)
  expect(await finals()).toEqual([17, 17, 17])
})

describe.each([
  ['null', null],
  ['a word', '0x1234'],
  ['an empty list', []],
])('%s in place of a result', (_, value) => {
  const call = { family: 'evm', to: WALLET, data: '0x', value: 0n } as const
  const abi = parseAbi(['function decimals() view returns (uint8)'])
  const account = '11111111111111111111111111111111'
  const instruction = { program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', accounts: [], data: new Uint8Array() }
  const readings: Readonly<Record<string, (chains: ReturnType<typeof nodes>) => Promise<unknown>>> = {
    'heads of EVM': ({ evm }) => evm.heads(),
    'sender state of EVM': ({ evm }) => evm.senderState(WALLET),
    'simulation of EVM': ({ evm }) => evm.simulate(WALLET, [call]),
    multicall: ({ evm }) => evm.multicall([{ address: WALLET, abi, functionName: 'decimals' }]),
    'heads of Solana': ({ solana }) => solana.heads(),
    'sender state of Solana': ({ solana }) => solana.senderState(account),
    accounts: ({ solana }) => solana.accounts([account]),
    statuses: ({ solana }) => solana.findTransactions(['a signature']),
    landed: ({ solana }) => solana.findLanded(account, [1], { slot: 1, since: new Date(1_000), sent: [] }),
    'simulation of Solana': ({ solana }) =>
      solana.simulate(account, [{ family: 'svm', instructions: [instruction] } as never]),
  }

  test.each(Object.keys(readings))('makes the chain unavailable: %s', async (name) => {
    await expect(readings[name]!(nodes(() => value))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })

  test('in place of one result of many makes the chain unavailable', async () => {
    const { evm, solana } = nodes((method) => {
      if (method === 'eth_getBlockByNumber') return value
      if (method === 'getSlot') return 16
      return method.startsWith('eth_') ? '0x1' : value
    })
    await expect(evm.senderState(WALLET)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await expect(solana.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })

  test.skipIf(value === null)('in place of a transaction is not an unknown one', async () => {
    await expect(nodes(() => value).evm.findTransactions(['0x1'])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })

  test('in place of a trace is no reason of a revert', async () => {
    const { evm } = nodes(() => value)
    const reverted = {
      family: 'evm',
      succeeded: false,
      to: WALLET,
      sender: WALLET,
      data: '0x',
      value: 0n,
      gasLimit: 1n,
    }
    const sent = { ...reverted, hash: '0x1', blockNumber: 16 } as unknown as Parameters<typeof evm.revertReason>[0]
    expect(await evm.revertReason(sent)).toBeUndefined()
  })
})

test('a simulation that reports fewer calls than were simulated proves nothing', async () => {
  const call = { family: 'evm', to: WALLET, data: '0x', value: 0n } as const
  const { evm } = nodes(() => [{ calls: [] }, { calls: [{ status: '0x1', gasUsed: '0x1' }] }])
  expect(await evm.simulate(WALLET, [call])).toMatchObject({ ok: true })
  await expect(evm.simulate(WALLET, [call, call])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
