import { expireOverdue } from '../../src/operations/index.ts'
import type { Action } from './action.ts'
import { bytesOf, clientOf, follow, named, submit, supply } from './requests.ts'

/** What chains, nodes, clocks and processes do. */
export const MACHINES: readonly Action[] = [
  {
    name: 'mine',
    weight: 22,
    async act(play, random) {
      for (
        let count = random.weighted([
          [6, 1],
          [3, 2],
          [1, 5],
        ] as const);
        count > 0;
        count -= 1
      )
        play.world.mine()
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
      const account = random.pick(holder.accounts)
      const other: readonly [string, () => Promise<unknown>] =
        bytes && random.chance(0.6)
          ? [`submit ${named(bytes)}`, submit(play, holder, bytes)]
          : ['plan', await supply(play, { holder, account, random, alone: false })]
      await play.requests<unknown>([['follow', () => play.service.round(new AbortController().signal)], other])
    },
  },
  {
    name: 'reorganize',
    weight: 4,
    async act(play, random) {
      play.world.reorganize(random.between(1, 4), random.between(0, 1))
      // The reorganization invalidates earlier counts; the follower has to notice when.
      play.nonces.clear()
      play.isReorganized = true
    },
  },
  {
    name: 'drop from the mempool',
    weight: 2,
    async act(play, random) {
      const hash = random.pick([...play.world.mempool.keys()])
      if (hash) play.world.mempool.delete(hash)
    },
  },
  {
    name: 'hold a transaction back',
    weight: 2,
    async act(play, random) {
      const waiting = random.pick([...play.world.mempool.values()])
      if (waiting) waiting.heldUntil = play.world.latest.number + random.between(2, 20)
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
      play.world.pass(random.pick([60, 3_700, 86_400, 7 * 86_400]))
      play.world.mine()
    },
  },
  {
    name: 'change what a market and gas are like',
    weight: 2,
    async act(play, random) {
      const { world } = play
      const { contract } = random.pick(world.markets)
      if (random.chance(0.5) || !world.closed.delete(contract)) world.closed.clear()
      if (random.chance(0.3)) world.closed.add(contract)
      world.gasPercent = random.chance(0.15) ? 300n : 100n
      world.baseFee = random.chance(0.15) ? 200_000_000_000n : 30_000_000_000n
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
