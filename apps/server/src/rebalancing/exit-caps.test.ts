// Caps and limits count money that waits in exits as money in the strategy, once, from the deposit to the claim.
import { expect, test } from 'vitest'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { USDC } from '../../testing/units.ts'
import { planClaim } from '../operations/index.ts'
import { refreshRates } from '../venues/index.ts'
import { type DepositLimits, NO_LIMITS } from './limits/deposit-limits.ts'
import { readHeldSums } from './limits/held-sums.ts'
import { readCaps, readCapUsage } from './limits/read-cap-usage.ts'
import { readHeadrooms } from './limits/read-headroom.ts'
import { setCap } from './limits/strategy-caps.ts'

const QUEUE = 'erc7540:polygon:USDC'
const use = useEngine()

const sums = () => readHeldSums(use.engine.db, use.client.wallet.organizationId, use.engine.clock.now())

/** Whole USDC, rounded: vaults round each movement by a base unit. */
const whole = (amount: bigint) => (amount + USDC / 2n) / USDC

async function roomUnder(limits: Partial<DepositLimits>): Promise<bigint> {
  const { db, strategy } = use.engine
  const rooms = await readHeadrooms(db, { ...NO_LIMITS, ...limits }, await sums())
  return whole(rooms.get(strategy(QUEUE).id)!.amount)
}

test('what waits in an exit takes its part of every cap and limit, once, until it is claimed', async () => {
  const { client, engine } = use
  const { organizationId } = client.wallet
  const strategy = engine.strategy(QUEUE)
  await refreshRates(engine.parts, engine.chain)
  await setCap(engine.parts, { organizationId, strategyId: strategy.id, shareBps: 5_000 })
  const seen = async () => {
    const [cap] = await readCapUsage(engine.db, await readCaps(engine.db, organizationId), await sums())
    const half = (kind: 'strategy' | 'protocol' | 'blockchain', of: string) =>
      roomUnder({ caps: [{ kind, of, shareBps: 5_000 }] })
    return {
      cap: { limit: whole(cap!.limit), used: whole(cap!.used) },
      rooms: [
        await half('strategy', `${strategy.id}`),
        await half('protocol', strategy.venueName),
        await half('blockchain', 'polygon'),
      ],
      pool: whole((await poolOf())! / 2n) - (await roomUnder({ poolShareBps: 5_000 })),
    }
  }
  const poolOf = async () => {
    const row = engine.db.selectFrom('strategies').select('tvl').where('id', '=', strategy.id)
    return (await row.executeTakeFirstOrThrow()).tvl
  }
  const inside = { cap: { limit: 500n, used: 400n }, rooms: [100n, 100n, 100n], pool: 400n }

  await client.complete(await client.supply(400n * USDC, QUEUE))
  expect(await seen()).toEqual(inside)
  await client.complete(await client.unwind(300n * USDC, QUEUE))
  expect(await seen()).toEqual(inside)
  await use.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await engine.settle()
  expect(await seen()).toEqual(inside)
  const claim = { scope: client.scope, walletId: client.wallet.walletId, strategyId: strategy.id, requestedBy: BY_KEY }
  await client.complete(await planClaim(engine.parts, claim))
  expect(await seen()).toEqual({ cap: { limit: 500n, used: 100n }, rooms: [400n, 400n, 400n], pool: 100n })
})
