// Nodes that lag, lack something, or take over between two pages of a list.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import { SOLANA_CALLS_BATCH } from '../../../kernel/index.ts'
import type { Fetch } from '../../rpc/endpoint.ts'

let solana: TestSolana
beforeAll(async () => {
  solana = await startTestSolana()
})
afterAll(() => solana?.stop())

interface Call {
  readonly method: string
  readonly params: readonly [never, Readonly<Record<string, unknown>>]
}

/** What a node sends, with the results that `replace` returns in place of its own; `undefined` keeps those. */
async function answered(init: RequestInit, replace: (call: Call) => unknown): Promise<Response> {
  const batch = JSON.parse(String(init.body)) as Call[]
  const responses = (await (await fetch(solana.devnet.url, init)).json()) as { id: number }[]
  return Response.json(
    responses.map((response) => {
      const result = replace(batch[response.id]!)
      return result === undefined ? response : { jsonrpc: '2.0', id: response.id, result }
    }),
  )
}

test('accounts of a block are not taken from a node that is far behind it', async () => {
  const { number } = await solana.devnet.mine(20)
  const vault = solana.devnet.deployment.strategies[0]!.params.vault as string
  const value = [{ lamports: 1, data: ['', 'base64'] }]
  let slot = number - 1
  const behind: Fetch = (_url, init) =>
    answered(init, ({ method }) => (method === 'getMultipleAccounts' ? { context: { slot }, value } : undefined))
  const chain = solana.byWallets(behind)
  await expect(chain.accounts([vault], number)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  slot = number
  expect(await chain.accounts([vault], number)).toHaveLength(1)
})

const mention = (signature: string, slot: number, memo: string | null = null) => ({
  signature,
  slot,
  blockTime: null,
  memo,
})

test('a search is not complete when a node that does not know where to continue served its second page', async () => {
  const { number: slot } = await solana.devnet.mine(3)
  const spam = Array.from({ length: 1_000 }, (_, index) => mention(`spam ${index}`, slot))
  // The first node lists 1,000 mentions before ours, and fails when it is asked for the second page.
  const two: Fetch = async (url, init) => {
    const isFirst = new URL(url).host === 'first.test'
    const asksFurther = (JSON.parse(String(init.body)) as Call[]).some(({ params }) => params[1]?.before !== undefined)
    if (isFirst && asksFurther) return new Response('too many requests', { status: 429 })
    return answered(init, ({ method }) => {
      if (method === 'getSignatureStatuses') return { context: { slot }, value: [null] }
      return method === 'getSignaturesForAddress' ? (isFirst ? spam : []) : undefined
    })
  }
  const chain = solana.byWallets(two, { rpcUrls: ['http://first.test', 'http://second.test'] })
  const query = { slot, since: new Date(0), sent: [] }
  await expect(chain.findLanded(solana.treasury.address, [42], query)).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
  })
})

test('thousands of transactions with a copied memo are read a few hundred at a time', async () => {
  const { number: slot } = await solana.devnet.mine(1)
  const [hashes, most] = [Array.from({ length: 3_000 }, (_, index) => `copy ${index}`), { now: 0, ever: 0 }]
  const copied: Fetch = async (_url, init) => {
    const lookups = (JSON.parse(String(init.body)) as Call[]).filter(({ method }) => method === 'getTransaction').length
    most.now += lookups
    most.ever = Math.max(most.ever, most.now)
    const response = await answered(init, ({ method, params }) => {
      if (method === 'getTransaction') return null
      if (method !== 'getSignatureStatuses') return undefined
      return { context: { slot }, value: (params[0] as readonly string[]).map(() => ({ slot })) }
    })
    most.now -= lookups
    return response
  }
  const found = await solana.byWallets(copied).findTransactions(hashes)
  expect([found.length, most.ever]).toEqual([hashes.length, SOLANA_CALLS_BATCH])
})

test('a slot is skipped if a final block after it follows one before it, not because a node lacks it', async () => {
  const { number } = await solana.devnet.mine(1)
  await solana.devnet.mine(3, 4)
  const chain = solana.byWallets()
  expect(await chain.isSkipped(number)).toBe(false)
  expect(await chain.isSkipped(number + 2)).toBe(true)
  // After a jump to a snapshot, a node calls everything before it skipped.
  const jumped = solana.byWallets((_url, init) =>
    answered(init, ({ method }) => (method === 'getBlocksWithLimit' ? [number + 5] : undefined)),
  )
  expect(await jumped.isSkipped(number)).toBe(false)
  const last = (await chain.heads()).latest.number
  expect(await chain.isSkipped(last + 1)).toBe(false)
})
