import type { BenchEnvironment } from './bench-environment.ts'
import { type Comparison, compare, summary } from './compare.ts'
import { getLoad } from './http-load.ts'
import { openSide, type Side, type Tenant, timeOf } from './neighbour-side.ts'

const DAY_MS = 86_400_000

/** What an organization reads; `sum` if the response adds up all of its wallets or positions. */
const ASKED: readonly (readonly [path: string, as: 'key' | 'session', kind?: 'sum'])[] = [
  ['/v1/wallets?limit=50', 'key'],
  ['/v1/operations', 'key'],
  ['/v1/transactions/:id', 'key'],
  ['/v1/allocations/summary', 'key', 'sum'],
  ['/api/core/wallets?limit=20', 'session'],
  ['/api/core/wallets/monitored?limit=20', 'session', 'sum'],
  ['/api/core/wallets/stats', 'session', 'sum'],
  ['/api/core/liquidity', 'session', 'sum'],
  ['/api/core/operations/history?limit=20', 'session'],
  ['/api/core/operations/stats', 'session'],
  ['/api/core/balances?at=(last midnight)&limit=20', 'session', 'sum'],
  ['/api/core/events?limit=20', 'session'],
  ['/api/core/search?q=0x', 'session'],
  ['/api/v1/allocations?limit=20', 'session', 'sum'],
]

/** The sides that are compared: a measured organization alone, and the same next to a neighbour of a million wallets. */
interface Sides {
  readonly alone: Side
  readonly crowded: Side & { readonly neighbour: Tenant }
}

/**
 * What an organization of 10,000 wallets notices of one with a million, all with positions and all due: its requests,
 * plans, blocks and evaluations, in alternation with those of the same organization on a database without that neighbour.
 * Then what the neighbour itself gets, and how long others wait meanwhile.
 */
export async function neighbourBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const open: Side[] = []
  const size = workplace.sized(
    { wallets: 10_000, operational: 800, operations: 1_000, atOnce: 50, operationsOfNeighbour: 100_000 },
    { wallets: 60, operational: 12, operations: 40, atOnce: 3, operationsOfNeighbour: 40 },
  )
  const neighbours = workplace.sized(1_000_000, 500)
  try {
    const alone = await openSide(workplace, { ...size, name: 'alone', neighbours: 0 })
    open.push(alone)
    const crowded = await openSide(workplace, { ...size, name: 'next to a million wallets', neighbours })
    open.push(crowded)
    const sides = { alone, crowded: { ...crowded, neighbour: crowded.neighbour! } }
    return [
      ...(await requestsOfOthers(workplace, sides)),
      await compare('Plan a supply, next to a million wallets', crowded.plan, alone.plan, {
        ...workplace.sized({ rounds: 9, milliseconds: 400 }, { rounds: 1, milliseconds: 1 }),
        target: 0.8,
      }),
      await inRounds(workplace, `Settle a block of ${size.atOnce} operations, next to a million wallets`, {
        alone: () => alone.settle(),
        crowded: () => crowded.settle(),
        target: 0.8,
      }),
      // The page has as many wallets of the neighbour.
      await inRounds(workplace, `Evaluate ${size.atOnce} due wallets, next to a million due`, {
        alone: () => alone.evaluate(),
        crowded: () => crowded.evaluate(),
        target: 0.4,
      }),
      await inRounds(workplace, 'Evaluate a page of a million due wallets, with limits', {
        baseline: 'without limits',
        alone: () => crowded.evaluatePage('none'),
        crowded: () => crowded.evaluatePage('conservative'),
        rounds: 4,
      }),
      ...(await requestsOfNeighbour(workplace, sides)),
    ]
  } finally {
    for (const side of open) await side.close()
  }
}

const pathFor = (path: string, { transactionId }: Tenant) =>
  path
    .replace(':id', String(transactionId))
    .replace('(last midnight)', new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS).toISOString())

/** The measured organization's requests. */
async function requestsOfOthers(workplace: BenchEnvironment, { alone, crowded }: Sides): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  const lanes = workplace.sized(8, 1)
  const load = (side: Side, path: string, as: 'key' | 'session') =>
    getLoad(side.name, side.server.url + pathFor(path, side.measured), side.measured[as], lanes)
  for (const [path, as] of ASKED) {
    const ours = await load(crowded, path, as)
    const theirs = await load(alone, path, as)
    const pace = workplace.sized(
      { rounds: 7, milliseconds: 300, warmUpMilliseconds: 1_000 },
      { rounds: 1, milliseconds: 1 },
    )
    comparisons.push(await compare(`GET ${path}, next to a million wallets`, ours, theirs, { ...pace, target: 0.8 }))
    ours.close()
    theirs.close()
  }
  return comparisons
}

/**
 * The neighbour's own requests, against those of the organization that is alone. A sum may fail, which the title says, and
 * says how long the longest request of the measured organization took meanwhile, on the same server.
 */
async function requestsOfNeighbour(workplace: BenchEnvironment, { alone, crowded }: Sides): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const [path, as, kind] of ASKED) {
    const get = ({ server }: Side, tenant: Tenant) => statusOf(server.url + pathFor(path, tenant), tenant[as])
    const took: number[] = []
    const waited: number[] = []
    const statuses = new Set<number>()
    const compared = await inRounds(workplace, `GET ${path}, of a million wallets`, {
      alone: () => timeOf(() => get(alone, alone.measured)),
      async crowded() {
        const asked = timeOf(async () => statuses.add(await get(crowded, crowded.neighbour)))
        if (kind === 'sum') waited.push(await longestUntil(asked, crowded))
        took.push(await asked)
        return took.at(-1)!
      },
      ...(kind === 'sum' ? { rounds: 2 } : { target: 0.5 }),
    })
    const failed = [...statuses].some((status) => status !== 200) ? ` (${[...statuses].join(', ')})` : ''
    const meanwhile = kind === 'sum' ? `, another organization waits for up to ${middle(waited)} ms` : ''
    comparisons.push({ ...compared, title: `${compared.title}: ${middle(took)} ms${failed}${meanwhile}` })
  }
  return comparisons
}

/** Repeats a request of the measured organization until the other one has its response; returns the longest in ms. */
async function longestUntil(ended: Promise<unknown>, { server, measured }: Side): Promise<number> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  ended.then(end, end)
  let longest = 0
  while (!isOver) longest = Math.max(longest, await timeOf(() => statusOf(`${server.url}/v1/operations`, measured.key)))
  return longest
}

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers })
  await response.arrayBuffer()
  return response.status
}

const middle = (values: readonly number[]) => Math.round(values.toSorted((a, b) => a - b)[values.length >> 1]!)

interface Rounds {
  alone(): Promise<number>
  crowded(): Promise<number>
  readonly baseline?: string
  readonly rounds?: number
  readonly target?: number
}

/** Both in turns, as {@link compare} does, for work that measures itself, in milliseconds. The first round warms up. */
async function inRounds(
  workplace: BenchEnvironment,
  title: string,
  { alone, crowded, baseline = 'alone', rounds = 6, target }: Rounds,
): Promise<Comparison> {
  const ratios: number[] = []
  for (let round = 0; round < workplace.sized(rounds, 2); round += 1) {
    const first = round % 2 === 0 ? await alone() : undefined
    const took = await crowded()
    const ratio = (first ?? (await alone())) / took
    if (round > 0) ratios.push(ratio)
  }
  return summary(title, baseline, ratios, target)
}
