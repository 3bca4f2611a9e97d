import { expireOverdue } from '../../src/operations/index.ts'
import type { Action } from './action.ts'
import { bytesOf, clientOf, follow, named, submit, supply } from './requests.ts'

/** What chains, nodes, clocks and processes do. */
export const MACHINES: readonly Action[] = [
  {
    name: 'mine',
    weight: 22,
    async act(run, random) {
      for (
        let count = random.weighted([
          [6, 1],
          [3, 2],
          [1, 5],
        ] as const);
        count > 0;
        count -= 1
      )
        run.world.mine()
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
      const account = random.pick(holder.accounts)
      const other: readonly [string, () => Promise<unknown>] =
        bytes && random.chance(0.6)
          ? [`submit ${named(bytes)}`, submit(run, holder, bytes)]
          : ['plan', await supply(run, { holder, account, random, alone: false })]
      await run.requests<unknown>([['follow', () => run.service.round(new AbortController().signal)], other])
    },
  },
  {
    name: 'reorganize',
    weight: 4,
    async act(run, random) {
      run.world.reorganize(random.between(1, 4), random.between(0, 1))
      // The reorganization invalidates earlier counts; the follower has to notice when.
      run.nonces.clear()
      run.isReorganized = true
    },
  },
  {
    name: 'drop from the mempool',
    weight: 2,
    async act(run, random) {
      const hash = random.pick([...run.world.mempool.keys()])
      if (hash) run.world.mempool.delete(hash)
    },
  },
  {
    name: 'delay a transaction',
    weight: 2,
    async act(run, random) {
      const waiting = random.pick([...run.world.mempool.values()])
      if (waiting) waiting.heldUntil = run.world.latest.number + random.between(2, 20)
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
      run.world.pass(random.pick([60, 3_700, 86_400, 7 * 86_400]))
      run.world.mine()
    },
  },
  {
    name: 'change a market and gas',
    weight: 2,
    async act(run, random) {
      const { world } = run
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
    async act(run) {
      run.service.restart()
    },
  },
]
