import { isSlow, type SlowMarket } from '../world/exits.ts'
import type { World, WorldBlock } from '../world/world.ts'

/** A claim that landed in a final block. */
interface PaidClaim {
  readonly block: number
  readonly owner: string
  readonly contract: string
  readonly amount: bigint
}

/** What final blocks paid for claims, computed from the chain alone; blocks are read once. */
export class PaidClaims {
  readonly #world: World
  readonly #found: PaidClaim[] = []
  #next = 0

  constructor(world: World) {
    this.#world = world
  }

  /** The sum for an owner and a market after one block, up to another. */
  sum({
    market: { contract },
    owner,
    after,
    until,
  }: {
    readonly market: SlowMarket
    readonly owner: string
    readonly after: number
    readonly until: number
  }): bigint {
    const { blocks, final } = this.#world
    for (; this.#next <= final.number; this.#next += 1) this.#read(blocks[this.#next]!)
    return this.#found
      .filter((one) => one.owner === owner && one.contract === contract && one.block > after && one.block <= until)
      .reduce((total, { amount }) => total + amount, 0n)
  }

  #read({ number, transactions, moves }: WorldBlock): void {
    const markets = this.#world.markets.filter(isSlow)
    for (const { hash, to, sender, succeeded } of transactions) {
      const market = markets.find(({ contract }) => contract === to)
      if (!market || !succeeded) continue
      const paid = (moves.get(hash) ?? [])
        .filter(({ token, owner, amount }) => token === market.token && owner === market.exit.escrow && amount < 0n)
        .reduce((sum, { amount }) => sum - amount, 0n)
      if (paid > 0n) this.#found.push({ block: number, owner: sender, contract: market.contract, amount: paid })
    }
  }
}
