import type { Fetch } from '../../src/chains/rpc/endpoint.ts'
import { SIGNATURES_PAGE_SIZE, SOLANA_LATE_LIST_MS } from '../../src/kernel/index.ts'
import { createFollower } from '../../src/watch/index.ts'
import type { SolanaFixture } from '../operations/solana-fixture.ts'
import type { TestSolana } from './test-solana.ts'

interface RpcRequest {
  readonly method: string
  readonly params: readonly [unknown, Record<string, unknown>?]
}

const LISTS = 'getSignaturesForAddress'
const withLimit = (one: RpcRequest, limit: number) => ({ ...one, params: [one.params[0], { ...one.params[1], limit }] })

/** A provider whose lists of transactions stand still at a slot, while its blocks, balances and statuses continue. */
export function stalledLists() {
  let newest = Number.POSITIVE_INFINITY
  const fetchIt: Fetch = async (url, init) => {
    const batch = JSON.parse(String(init.body)) as RpcRequest[]
    const asked = batch.map((one) => (one.method === LISTS ? withLimit(one, SIGNATURES_PAGE_SIZE) : one))
    const received = await fetch(url, { ...init, body: JSON.stringify(asked) })
    const responses = (await received.json()) as { id: number; result?: unknown }[]
    for (const response of responses) {
      const { method, params } = batch[response.id]!
      if (method !== LISTS) continue
      const reached = (response.result as { slot: number }[]).filter(({ slot }) => slot <= newest)
      response.result = reached.slice(0, Number(params[1]?.limit))
    }
    return Response.json(responses)
  }
  return {
    fetch: fetchIt,
    stallAt(slot: number) {
      newest = slot
    },
    continue() {
      newest = Number.POSITIVE_INFINITY
    },
  }
}

export type StalledLists = ReturnType<typeof stalledLists>

/** A service that follows by wallets on the fixture's database, as after a start: it has read nothing yet. */
export function startFollowing(engine: SolanaFixture, solana: TestSolana, fetchIt: Fetch) {
  const { clock } = engine
  const chain = solana.byWallets(fetchIt, { clock })
  const parts = { ...engine.parts, chains: new Map([['solana', chain]]) }
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  const follow = () => follower.round(new AbortController().signal)
  return {
    parts,
    chain,
    follow,
    /** Some rounds, each with a block and with the checks beside the chain. */
    async followOn(rounds: number) {
      for (let round = 0; round < rounds; round += 1) {
        clock.advance(10_000)
        await solana.devnet.mine(1)
        await follow()
      }
    },
    /** Until the chain no longer waits for lists, and every blockhash has expired. */
    async outwait() {
      await solana.devnet.mine(1)
      await follow().catch(() => {})
      clock.advance(SOLANA_LATE_LIST_MS)
      await solana.devnet.mine(220)
      await follow()
    },
  }
}
