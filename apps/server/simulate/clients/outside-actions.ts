import type { Action } from './action.ts'
import { clientOf } from './requests.ts'

/** What holders do without the service, which has to notice it. */
export const OUTSIDE: readonly Action[] = [
  {
    name: 'use a nonce for another transaction',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const own = random.chance(0.5) ? run.world.latest.state.nonce(holder.address) : undefined
      run.record(`  ${holder.send(holder.address, '0x', own)}`)
    },
  },
  {
    name: 'send tokens away',
    weight: 4,
    async act(run, random) {
      const holder = clientOf(run, random)
      const { token } = random.pick(run.world.markets)
      run.record(`  ${holder.transfer(token, run.stranger.address, random.part(holder.balance(token), 1, 60))}`)
    },
  },
  {
    name: 'receive tokens',
    weight: 3,
    async act(run, random) {
      const holder = clientOf(run, random)
      const { token } = random.pick(run.world.markets)
      const giver = random.pick([run.stranger, ...run.holders.filter((other) => other !== holder)])
      run.record(`  ${giver.transfer(token, holder.address, random.part(giver.balance(token), 1, 30))}`)
    },
  },
  {
    name: 'deposit outside Weir',
    weight: 3,
    async act(run, random) {
      const holder = clientOf(run, random)
      const market = random.pick(run.world.markets)
      const amount = random.part(holder.balance(market.token), 1, 40)
      const owner = random.chance(0.6) ? holder.address : random.pick(run.holders).address
      run.record(`  ${holder.approve(market, amount)} ${holder.deposit(market, amount, owner)}`)
    },
  },
  {
    name: 'leave an allowance in place',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      run.record(`  ${holder.approve(random.pick(run.world.markets), BigInt(random.between(0, 1_000_000_000)))}`)
    },
  },
  {
    name: 'transfer shares away',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const { share } = random.pick(run.world.markets)
      const to = random.chance(0.4) ? random.pick(run.holders).address : run.stranger.address
      const held = holder.balance(share)
      if (held > 0n) run.record(`  ${holder.transfer(share, to, random.part(held, 1, 100))}`)
    },
  },
]
