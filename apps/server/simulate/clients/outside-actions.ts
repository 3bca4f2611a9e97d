import type { Action } from './action.ts'
import { clientOf } from './requests.ts'

/** What holders do without the service, which has to notice it. */
export const OUTSIDE: readonly Action[] = [
  {
    name: 'use a nonce for something else',
    weight: 2,
    async act(play, random) {
      const holder = clientOf(play, random)
      const own = random.chance(0.5) ? play.world.latest.state.nonce(holder.address) : undefined
      play.record(`  ${holder.send(holder.address, '0x', own)}`)
    },
  },
  {
    name: 'send tokens away',
    weight: 4,
    async act(play, random) {
      const holder = clientOf(play, random)
      const { token } = random.pick(play.world.markets)
      play.record(`  ${holder.transfer(token, play.stranger.address, random.part(holder.balance(token), 1, 60))}`)
    },
  },
  {
    name: 'receive tokens',
    weight: 3,
    async act(play, random) {
      const holder = clientOf(play, random)
      const { token } = random.pick(play.world.markets)
      const giver = random.pick([play.stranger, ...play.holders.filter((other) => other !== holder)])
      play.record(`  ${giver.transfer(token, holder.address, random.part(giver.balance(token), 1, 30))}`)
    },
  },
  {
    name: 'deposit outside',
    weight: 3,
    async act(play, random) {
      const holder = clientOf(play, random)
      const market = random.pick(play.world.markets)
      const amount = random.part(holder.balance(market.token), 1, 40)
      const owner = random.chance(0.6) ? holder.address : random.pick(play.holders).address
      play.record(`  ${holder.approve(market, amount)} ${holder.deposit(market, amount, owner)}`)
    },
  },
  {
    name: 'leave an allowance standing',
    weight: 2,
    async act(play, random) {
      const holder = clientOf(play, random)
      play.record(`  ${holder.approve(random.pick(play.world.markets), BigInt(random.between(0, 1_000_000_000)))}`)
    },
  },
  {
    name: 'give shares away',
    weight: 2,
    async act(play, random) {
      const holder = clientOf(play, random)
      const { share } = random.pick(play.world.markets)
      const to = random.chance(0.4) ? random.pick(play.holders).address : play.stranger.address
      const held = holder.balance(share)
      if (held > 0n) play.record(`  ${holder.transfer(share, to, random.part(held, 1, 100))}`)
    },
  },
]
