// What is concluded from lists of signatures that are late, or lack a transaction in the middle.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import { PastStateMissingError } from '../../port/past-state-missing.ts'
import type { Fetch } from '../../rpc/endpoint.ts'

let solana: TestSolana
let token: string
/** The slot that lists have reached, signatures that they lack, and transactions that nodes do not have. */
let reached = Number.POSITIVE_INFINITY
let unlisted: readonly string[] = []
let missing: readonly string[] = []

const late: Fetch = async (url, init) => {
  const batch = JSON.parse(String(init.body)) as { method: string; params: readonly unknown[] }[]
  const responses = (await (await fetch(url, init)).json()) as { id: number; result?: unknown }[]
  for (const response of responses) {
    const { method, params } = batch[response.id]!
    if (method === 'getTransaction' && missing.includes(params[0] as string)) response.result = null
    if (method !== 'getSignaturesForAddress') continue
    const listed = response.result as { slot: number; signature: string }[]
    response.result = listed.filter(({ slot, signature }) => slot <= reached && !unlisted.includes(signature))
  }
  return Response.json(responses)
}

beforeAll(async () => {
  solana = await startTestSolana()
  token = solana.devnet.deployment.strategies[0]!.tokenAddress
})
afterAll(() => solana?.stop())
beforeEach(() => {
  reached = Number.POSITIVE_INFINITY
  unlisted = []
  missing = []
})

/** Wallets that hold 1,000 each, and a chain that has read everything up to the latest block. */
async function start(count: number) {
  const keys = []
  for (let made = 0; made < count; made += 1) keys.push(await solana.wallet(token, 1_000n))
  const wallets = keys.map(({ address }) => address)
  const { number } = await solana.devnet.mine(1)
  const chain = solana.byWallets(late)
  const activity = chain.walletActivity!
  const tracked = { wallets, senders: [], tokens: [token] }
  await activity.finalizedBlocks(tracked, number - 1, number)
  return {
    chain,
    wallets,
    start: number,
    /** Final blocks after a slot: where they lead to, and the slots with transactions. */
    async read(after: number, upTo: number) {
      const { blocks, through, incomplete } = await activity.finalizedBlocks(tracked, after, upTo)
      return { through, slots: blocks.map((block) => block.number), incomplete }
    },
  }
}

const fund = (to: string) => solana.fund(to, token, 1n)
const REFUSED = { code: 'CHAIN_UNAVAILABLE' }

test('a slot before a transaction that no list names is never passed, whatever is listed later', async () => {
  const { read, wallets, start: first } = await start(2)
  const [victim, other] = wallets as [string, string]
  const before = await fund(other)
  reached = first
  await expect(read(first, before.blockNumber)).rejects.toMatchObject(REFUSED)
  const hole = await fund(victim)
  unlisted = [hole.hash]
  await expect(read(first, hole.blockNumber)).rejects.toMatchObject(REFUSED)
  let head = hole.blockNumber
  for (let round = 0; round < 3; round += 1) {
    head = (await fund(victim)).blockNumber
    reached = head - 1
    const from = round === 0 ? first : before.blockNumber
    if (round > 0) await expect(read(from, head)).rejects.toMatchObject(REFUSED)
    else expect(await read(from, head)).toMatchObject({ through: before.blockNumber, slots: [before.blockNumber] })
  }
  unlisted = []
  reached = head
  expect(await read(before.blockNumber, head)).toMatchObject({ through: head, incomplete: [] })
})

test('a list that continues after a slot lacks the last transaction before it', async () => {
  const { read, wallets, start: first } = await start(1)
  const hole = await fund(wallets[0]!)
  const next = await fund(wallets[0]!)
  unlisted = [hole.hash]
  await expect(read(first, hole.blockNumber)).rejects.toMatchObject(REFUSED)
  unlisted = []
  missing = [next.hash]
  await expect(read(first, hole.blockNumber)).rejects.toMatchObject(REFUSED)
  missing = []
  expect(await read(first, hole.blockNumber)).toMatchObject({ through: hole.blockNumber, slots: [hole.blockNumber] })
})

test('a transaction that nodes list and lack holds up nothing before it', async () => {
  const { read, wallets, start: first } = await start(2)
  const [one, other] = wallets as [string, string]
  const before = await fund(one)
  reached = first
  await expect(read(first, before.blockNumber)).rejects.toMatchObject(REFUSED)
  const lacked = await fund(other)
  reached = lacked.blockNumber
  missing = [lacked.hash]
  expect(await read(first, lacked.blockNumber)).toMatchObject({ through: before.blockNumber })
  missing = []
  expect(await read(before.blockNumber, lacked.blockNumber)).toMatchObject({ slots: [lacked.blockNumber] })
})

test('a balance at an earlier slot is exact, or refused, while a later transaction is not listed', async () => {
  const { chain, read, wallets, start: first } = await start(3)
  const [dusted, funded, idle] = wallets as [string, string, string]
  const query = wallets.map((owner) => ({ owner, token }))
  const { blockNumber } = await fund(dusted)
  reached = first
  await expect(read(first, blockNumber)).rejects.toMatchObject(REFUSED)
  reached = blockNumber
  await fund(dusted)
  const head = (await fund(funded)).blockNumber
  expect(await read(first, head)).toMatchObject({ through: blockNumber })
  expect(await chain.balances(query, blockNumber)).toEqual([1_001n, 1_000n, 1_000n])
  await solana.devnet.mine(1)
  const restarted = solana.byWallets(late)
  const balanceOf = (owner: string) => restarted.balances([{ owner, token }], blockNumber)
  await expect(balanceOf(funded)).rejects.toThrow(PastStateMissingError)
  await expect(balanceOf(dusted)).rejects.toThrow(PastStateMissingError)
  expect(await balanceOf(idle)).toEqual([1_000n])
  reached = head
  expect([await balanceOf(dusted), await balanceOf(funded)]).toEqual([[1_001n], [1_000n]])
})
