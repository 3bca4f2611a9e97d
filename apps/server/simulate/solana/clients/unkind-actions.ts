import type { Action } from '../../clients/action.ts'
import { FAR_OFF_PEG, OFF_PEG } from '../../clients/breaker-actions.ts'
import type { SolanaRun } from '../solana-run.ts'
import { MARKETS } from '../world/market.ts'

const TOKEN = 1_000_000n

/** Vaults as real ones are: lent out, full, paused, or with a loss. */
export const UNKIND: readonly Action<SolanaRun>[] = [
  {
    name: 'lend out a vault',
    weight: 4,
    async act({ cluster }, random) {
      const left = random.chance(0.3) ? 0n : BigInt(random.between(1, 400)) * TOKEN
      cluster.lend(random.pick(MARKETS), random.chance(0.3) ? undefined : left)
      cluster.mine()
    },
  },
  {
    name: 'cap a vault',
    weight: 2,
    async act({ cluster }, random) {
      const market = random.pick(MARKETS)
      const room = random.chance(0.3) ? 0n : BigInt(random.between(1, 400)) * TOKEN
      const { assets } = cluster.latest.state.vaults.get(market.vault)!
      cluster.govern(market, { cap: random.chance(0.6) ? assets + room : null })
      cluster.mine()
    },
  },
  {
    name: 'pause a vault',
    weight: 2,
    async act({ cluster }, random) {
      cluster.govern(random.pick(MARKETS), { paused: random.chance(0.5) })
      cluster.mine()
    },
  },
  {
    name: 'a vault loses money',
    weight: 1,
    async act({ cluster }, random) {
      cluster.lose(random.pick(MARKETS).vault, random.pick([1n, 3n, 10n]))
      cluster.mine()
    },
  },
]

/** From here on vaults pay and take everything. */
export function openVaults({ cluster }: SolanaRun): void {
  for (const market of MARKETS) {
    cluster.lend(market, undefined)
    cluster.govern(market, { paused: false, cap: null })
  }
}

/** What opens circuit breakers, besides vaults that are unkind. */
export const FACTS: readonly Action<SolanaRun>[] = [
  {
    name: 'deploy the program of the vaults again',
    weight: 2,
    async act({ cluster }) {
      cluster.change((state, slot) => {
        state.facts = { ...state.facts!, deployedIn: slot }
      })
      cluster.mine()
    },
  },
  {
    name: 'move USDC off its peg',
    weight: 2,
    async act(run, random) {
      priceUsdc(run, random.pick([10n ** 8n, 10n ** 8n, OFF_PEG, FAR_OFF_PEG]))
    },
  },
]

/** What the feed says from the next block on, in dollars with eight decimals. */
export function priceUsdc({ cluster }: SolanaRun, usd: bigint): void {
  cluster.change((state) => {
    state.facts = { ...state.facts!, usd }
  })
  cluster.mine()
}
