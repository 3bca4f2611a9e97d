import { BLOCKHASH_MARGIN_BLOCKS } from '../../../src/kernel/index.ts'
import { expireOverdue } from '../../../src/operations/index.ts'
import type { Action } from '../../clients/action.ts'
import { follow } from '../../clients/requests.ts'
import type { SolanaRun } from '../solana-run.ts'
import { MARKETS } from '../world/market.ts'
import { bytesOf, clientOf, named, submit, supply } from './requests.ts'

/** What clusters, nodes, clocks and processes do. */
export const MACHINES: readonly Action<SolanaRun>[] = [
  {
    name: 'mine',
    weight: 22,
    async act(run, random) {
      const counts = [
        [6, 1],
        [3, 2],
        [2, 5],
      ] as const
      run.mine(random.weighted(counts))
    },
  },
  {
    name: 'follow the chain',
    weight: 22,
    act: (run) => follow(run),
  },
  {
    name: 'stop the follower mid-round',
    weight: 2,
    async act(run, random) {
      const stop = new AbortController()
      const turns = random.between(1, 12)
      await run.requests([
        ['follow', () => run.service.round(stop.signal)],
        ['stop', () => run.service.wait(turns).then(() => stop.abort())],
      ])
    },
  },
  {
    name: 'follow while a client acts',
    weight: 3,
    async act(run, random) {
      const holder = clientOf(run, random)
      const bytes = bytesOf(holder, random)
      const other: readonly [string, () => Promise<unknown>] =
        bytes && random.chance(0.6)
          ? [`submit ${named(bytes)}`, submit(run, holder, bytes)]
          : ['plan', await supply(run, holder, random.pick(holder.accounts), random)]
      await run.requests<unknown>([['follow', () => run.service.round(new AbortController().signal)], other])
    },
  },
  {
    name: 'abandon a fork',
    weight: 4,
    async act(run, random) {
      run.cluster.fork(random.between(1, 4), random.between(0, 1), random.chance(0.3))
    },
  },
  {
    name: 'drop in-flight transactions',
    weight: 2,
    async act(run, random) {
      const signature = random.pick([...run.cluster.queue.keys()])
      if (signature) run.cluster.queue.delete(signature)
    },
  },
  {
    name: 'delay a transaction',
    weight: 3,
    async act(run, random) {
      const waiting = random.pick([...run.cluster.queue.values()])
      if (waiting) waiting.heldUntil = run.cluster.latest.slot + random.between(2, run.cluster.lifetime + 2)
    },
  },
  {
    name: 'let bytes expire',
    weight: 4,
    async act(run, random) {
      const { lifetime, depth } = run.cluster
      const known = BLOCKHASH_MARGIN_BLOCKS + depth
      run.mine(lifetime + random.pick([-1, 0, 1, known + 1, known + 2]))
    },
  },
  {
    name: 'let time pass',
    weight: 5,
    async act(run, random) {
      run.clock.advance(random.pick([1_000, 6_000, 30_000, 125_000, 600_000]))
      await run.request('expire', () => expireOverdue(run.service.parts))
    },
  },
  {
    name: 'advance the chain’s time',
    weight: 3,
    async act(run, random) {
      run.cluster.pass(random.pick([60, 3_700, 86_400, 7 * 86_400]))
      run.mine(1)
    },
  },
  {
    name: 'change vaults and fees',
    weight: 2,
    async act(run, random) {
      const { cluster } = run
      cluster.closed.clear()
      if (random.chance(0.3)) cluster.closed.add(random.pick(MARKETS).vault)
      cluster.unitsPercent = random.chance(0.15) ? 160n : 100n
      cluster.priorityFee = random.chance(0.3) ? random.between(1, 2_000_000) : 0
      if (random.chance(0.1)) cluster.lose(random.pick(MARKETS).vault, 3n)
    },
  },
  {
    name: 'restart the service',
    weight: 1,
    async act(run) {
      run.service.restart()
    },
  },
]

/** What strangers do to wallets. */
export const SPAM: readonly Action<SolanaRun>[] = [
  {
    name: 'mention a wallet endlessly, or stop',
    weight: 4,
    async act(run, random) {
      const { spammed } = run.cluster
      if (spammed.size > 0 && random.chance(0.5)) return spammed.clear()
      const { address } = clientOf(run, random)
      const own = MARKETS.flatMap(({ token, shareMint }) => [token, shareMint])
      for (const one of [address, ...own.map((mint) => run.accounts.of(address, mint))]) spammed.add(one)
      run.record(`  ${address.slice(0, 4)} and its token accounts`)
    },
  },
]
