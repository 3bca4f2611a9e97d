import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SolanaKey, sign, startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { loggedLines } from '../../testing/logged-lines.ts'
import { anyState } from '../../testing/operations/any-state.ts'
import { type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { USDC } from '../../testing/units.ts'
import { associatedTokenAddress } from '../chains/index.ts'
import type { Fetch } from '../chains/rpc/endpoint.ts'
import { transferTokens } from '../chains/solana/transactions/instructions.ts'
import { SIGNATURES_PAGES_MAX } from '../kernel/index.ts'

interface RpcRequest {
  readonly method: string
  readonly params: readonly [unknown, Record<string, unknown>?]
}

let solana: TestSolana
let engine: SolanaFixture
let requests: RpcRequest[] = []
const { log, lines } = loggedLines()
/** How a test changes a response. */
let change: ((request: RpcRequest, response: object) => void) | undefined

const watched: Fetch = async (url, init) => {
  const batch = JSON.parse(String(init.body)) as RpcRequest[]
  requests.push(...batch)
  const received = await fetch(url, init)
  const responses = (await received.json()) as { id: number }[]
  for (const response of responses) change?.(batch[response.id]!, response)
  return Response.json(responses)
}

beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana, solana.byWallets(watched))
  Object.assign(engine.parts, { log })
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})
beforeEach(() => {
  change = undefined
})

/** Nodes list endless transactions of strangers that mention these addresses, before the others. */
const spamming =
  (addresses: readonly string[]): typeof change =>
  ({ method, params }, response) => {
    if (method !== 'getSignaturesForAddress' || !addresses.includes(String(params[0]))) return
    const limit = Number(params[1]?.limit)
    const spam = { slot: 1_000_000_000, blockTime: null, memo: null }
    const result = Array.from({ length: limit }, (_, index) => ({ ...spam, signature: `spam ${index}` }))
    Object.assign(response, { error: undefined, result })
  }

test('a wallet that is mentioned endlessly delays nobody, and its balances are compared with the chain', async () => {
  const [spammed, other] = [await engine.client(1_000n * USDC), await engine.client(1_000n * USDC)]
  await engine.settle()
  const token = engine.strategy.tokenAddress
  const { address } = spammed.key
  change = spamming([address, await associatedTokenAddress(address, token)])
  await solana.fund(address, token, 7n * USDC)
  expect((await other.complete(await other.supply(400n * USDC))).state).toBe('COMPLETED')
  await engine.settle()
  const { available } = await engine.db
    .selectFrom('ledger_balances')
    .select('available')
    .where('wallet_id', '=', spammed.wallet.walletId)
    .where('token_address', '=', token)
    .executeTakeFirstOrThrow()
  expect(available).toBe(1_007n * USDC)
  const about = () => lines.filter(({ wallet }) => wallet === address).map(({ msg }) => msg)
  const away = 'the transactions of a wallet cannot all be read; comparing its balances with the chain instead'
  expect(about(), 'once, however many rounds follow').toEqual([away])
  change = undefined
  await engine.settle()
  await engine.settle()
  expect(about()).toEqual([away, 'the transactions of a wallet are read again'])
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a balance is not taken from a block of which the search found only a part', async () => {
  const token = engine.strategy.tokenAddress
  const [spammed, known, stranger] = [
    await solana.wallet(token, 1_000n * USDC),
    await solana.wallet(token, 1_000n * USDC),
    await solana.wallet(token, 1_000n * USDC),
  ]
  const accountOf = ({ address }: SolanaKey) => associatedTokenAddress(address, token)
  const account = await accountOf(spammed)
  const chain = solana.byWallets(watched)
  const tracked = { wallets: [spammed.address, known.address], tokens: [token], senders: [] }
  const start = (await solana.devnet.mine(1)).number
  await chain.walletActivity!.finalizedBlocks(tracked, start - 1, start)
  // In one slot; the list of the one that is known names only the first.
  for (const [sender, amount] of [
    [known, 5n * USDC],
    [stranger, 7n * USDC],
  ] as const) {
    const instructions = [transferTokens(await accountOf(sender), account, sender.address, amount)]
    const senderState = await chain.senderState(sender.address)
    const call = { family: 'svm', instructions } as const
    const plan = { sender: sender.address, call, nonce: null, gas: 400_000n, senderState, transactionId: 1 }
    await chain.broadcast(await sign(sender, chain.encode(plan).bytes))
  }
  const slot = (await solana.devnet.mine(1)).number
  change = spamming([spammed.address, account])
  const { blocks, incomplete } = await chain.walletActivity!.finalizedBlocks(tracked, start, slot)
  expect([blocks.map(({ number }) => number), incomplete]).toEqual([[slot], [spammed.address]])
  expect(await chain.balances([{ owner: spammed.address, token }], slot)).toEqual([1_012n * USDC])
  expect(await chain.balances([{ owner: known.address, token }], slot)).toEqual([995n * USDC])
})

test('a search among endless transactions ends after a bounded part, and continues there in the next call', async () => {
  const client = await engine.client()
  await engine.settle()
  const planned = await client.complete(await client.supply(100n * USDC))
  const { transactionId, txHash } = anyState(planned.transactions[0]!)
  const chain = solana.byWallets(watched)
  const { final } = await chain.heads()
  const query = { slot: final.number, since: planned.createdAt, sent: [] }
  const spam = spamming([client.key.address])
  change = spam
  requests = []
  const { hashes, continueBefore } = await chain.findLanded(client.key.address, [transactionId], query)
  const pages = requests.filter(
    ({ method, params }) => method === 'getSignaturesForAddress' && params[0] === client.key.address,
  )
  expect([hashes, pages.length]).toEqual([[], SIGNATURES_PAGES_MAX])
  expect(continueBefore).toBe('spam 999')
  change = (request, response) => {
    if (request.params[1]?.before !== continueBefore) return
    const found = { signature: txHash, slot: final.number, blockTime: null, memo: `[7] weir:${transactionId}` }
    Object.assign(response, { error: undefined, result: [found] })
  }
  const rest = { ...query, continueBefore: continueBefore! }
  expect(await chain.findLanded(client.key.address, [transactionId], rest)).toEqual({ hashes: [txHash] })
  // A node that does not know where to continue lists nothing, which proves nothing.
  change = ({ method, params }, response) => {
    if (method === 'getSignaturesForAddress' && params[0] === client.key.address)
      Object.assign(response, { error: undefined, result: [] })
    if (method === 'getSignatureStatuses')
      Object.assign(response, { error: undefined, result: { context: { slot: final.number }, value: [null] } })
  }
  await expect(chain.findLanded(client.key.address, [transactionId], rest)).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
  })
})
