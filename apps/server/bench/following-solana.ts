import { startTestSolana, type TestSolana } from '../testing/chains/test-solana.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { fundWallets, payEach, type RoundCost, type SolanaFollower, startSolanaFollower } from './solana-followers.ts'

const IDLE = [10, 100, 1_000, 10_000]
const ACTIVE = 5
const ROUNDS = 9
/** Rounds until what a start compares is known. */
const ROUNDS_BEFORE = 2

/** The rounds of one follower: of slots without a transaction, and of those in which active wallets got tokens. */
interface Measured {
  readonly idle: number
  readonly follower: SolanaFollower
  readonly first: RoundCost
  readonly quiet: RoundCost[]
  readonly busy: RoundCost[]
}

type Kind = 'quiet' | 'busy'

const COSTS: Readonly<Record<string, (cost: RoundCost) => number>> = {
  'HTTP requests': ({ http }) => http,
  'RPC calls': callsOf,
  statements: ({ statements }) => statements,
  'processor ms': ({ processorMs }) => processorMs,
  ms: ({ milliseconds }) => milliseconds,
}

/**
 * What following one range of slots by wallets costs, with a few active wallets among ever more idle ones: all followers
 * follow the same embedded chain, in alternation, each on a database of its own. Prints a table of quiet and of busy
 * rounds, and compares the quiet ones with the most idle wallets with those with the fewest.
 */
export async function followingSolanaBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const counts = workplace.sized(IDLE, [1, 30])
  const rounds = workplace.sized(ROUNDS, 1)
  const solana = await startTestSolana()
  const measured: Measured[] = []
  try {
    const active = await fundWallets(solana, workplace.sized(ACTIVE, 1))
    const idle = await fundWallets(solana, counts.at(-1)!)
    for (const count of counts) {
      const follower = await startSolanaFollower(workplace, solana, { funded: [...active, ...idle.slice(0, count)] })
      // The chain is followed from its head: the first round with blocks is the one that reads everything.
      await follower.round()
      await solana.devnet.mine(1)
      measured.push({ idle: count, follower, first: await follower.round(), quiet: [], busy: [] })
    }
    for (let round = 0; round < ROUNDS_BEFORE; round += 1) await followAll(solana, measured)
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? measured : measured.toReversed()
      await followAll(solana, order, 'quiet')
      await payEach(solana, active)
      await followAll(solana, order, 'busy')
    }
    for (const kind of ['quiet', 'busy'] as const) console.error(tableOf(measured, kind))
    for (const { idle, first } of measured) {
      console.error(`  first round after a start, ${idle.toLocaleString('en')} idle: ${wordsOf(first)}`)
    }
    return quietRounds(measured)
  } finally {
    for (const { follower } of measured) await follower.close()
    await solana.stop()
  }
}

/** Each follows the slots since its last round; without `kind`, to warm up. */
async function followAll(solana: TestSolana, measured: readonly Measured[], kind?: Kind): Promise<void> {
  await solana.devnet.mine(1)
  for (const each of measured) {
    const cost = await each.follower.round()
    if (kind) each[kind].push(cost)
  }
}

/** One row for each cost: the follower with the most idle wallets against the one with the fewest. */
function quietRounds(measured: readonly Measured[]): Comparison[] {
  const [fewest, most] = [measured[0]!, measured.at(-1)!]
  return Object.entries(COSTS).map(([name, costOf]) =>
    summary(
      `A quiet round on Solana, ${most.idle.toLocaleString('en')} idle wallets: ${name}`,
      `${fewest.idle} idle wallets`,
      most.quiet.map((cost, round) => costOf(fewest.quiet[round]!) / costOf(cost)),
      0.8,
    ),
  )
}

/** Medians, and in parentheses how many times those of the fewest idle wallets they are. */
function tableOf(measured: readonly Measured[], kind: Kind): string {
  const costs = Object.entries(COSTS)
  const rows = measured.map((each) => {
    const cells = costs.map(([, costOf]) => {
      const [cost, base] = [median(each[kind].map(costOf)), median(measured[0]![kind].map(costOf))]
      return `${cost < 100 ? Number(cost.toFixed(1)) : Math.round(cost)} (${(cost / base).toFixed(1)})`
    })
    return `| ${[each.idle.toLocaleString('en'), ...cells, callsInWords(each[kind].at(-1)!)].join(' | ')} |`
  })
  const head = ['Idle wallets', ...costs.map(([name]) => name), 'Calls of the last round']
  return [`A ${kind} round:`, `| ${head.join(' | ')} |`, `|${head.map(() => ' --- |').join('')}`, ...rows].join('\n')
}

const wordsOf = (cost: RoundCost): string =>
  `${cost.http} HTTP requests, ${cost.statements} statements, ${Math.round(cost.milliseconds)} ms, ${callsInWords(cost)}`

const callsInWords = ({ calls }: RoundCost): string =>
  Object.entries(calls)
    .map(([method, count]) => `${method} ${count}`)
    .join(', ')

function callsOf({ calls }: RoundCost): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
