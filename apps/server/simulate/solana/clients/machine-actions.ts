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
    async act(play, random) {
      const counts = [
        [6, 1],
        [3, 2],
        [2, 5],
      ] as const
      play.mine(random.weighted(counts))
    },
  },
  {
    name: 'follow the chain',
    weight: 22,
    act: (play) => follow(play),
  },
  {
    name: 'follow, and be asked to stop',
    weight: 2,
    async act(play, random) {
      const stop = new AbortController()
      const turns = random.between(1, 12)
      await play.requests([
        ['follow', () => play.service.round(stop.signal)],
        ['stop', () => play.service.wait(turns).then(() => stop.abort())],
      ])
    },
  },
  {
    name: 'follow while a client acts',
    weight: 3,
    async act(play, random) {
      const holder = clientOf(play, random)
      const bytes = bytesOf(holder, random)
      const other: readonly [string, () => Promise<unknown>] =
        bytes && random.chance(0.6)
          ? [`submit ${named(bytes)}`, submit(play, holder, bytes)]
          : ['plan', await supply(play, holder, random.pick(holder.accounts), random)]
      await play.requests<unknown>([['follow', () => play.service.round(new AbortController().signal)], other])
    },
  },
  {
    name: 'give up a fork',
    weight: 4,
    async act(play, random) {
      play.cluster.fork(random.between(1, 4), random.between(0, 1), random.chance(0.3))
    },
  },
  {
    name: 'lose what is on its way',
    weight: 2,
    async act(play, random) {
      const signature = random.pick([...play.cluster.queue.keys()])
      if (signature) play.cluster.queue.delete(signature)
    },
  },
  {
    name: 'hold a transaction back',
    weight: 3,
    async act(play, random) {
      const waiting = random.pick([...play.cluster.queue.values()])
      if (waiting) waiting.heldUntil = play.cluster.latest.slot + random.between(2, play.cluster.lifetime + 2)
    },
  },
  {
    name: 'let bytes die',
    weight: 4,
    async act(play, random) {
      const { lifetime, depth } = play.cluster
      play.mine(lifetime + random.pick([-1, 0, 1, depth + 1, depth + 2]))
    },
  },
  {
    name: 'let time pass',
    weight: 5,
    async act(play, random) {
      play.clock.advance(random.pick([1_000, 6_000, 30_000, 125_000, 600_000]))
      await play.request('expire', () => expireOverdue(play.service.parts))
    },
  },
  {
    name: 'let the chain grow old',
    weight: 3,
    async act(play, random) {
      play.cluster.pass(random.pick([60, 3_700, 86_400, 7 * 86_400]))
      play.mine(1)
    },
  },
  {
    name: 'change what vaults and fees are like',
    weight: 2,
    async act(play, random) {
      const { cluster } = play
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
    async act(play) {
      play.service.restart()
    },
  },
]
