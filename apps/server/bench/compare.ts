/** Repeatable work whose rate is compared. */
export interface Contender {
  readonly name: string
  /** Works for about this long; returns how often the work was done. */
  run(milliseconds: number): Promise<number>
}

/** The ratio of one contender's rate to another's, measured alternately. */
export interface Comparison {
  readonly title: string
  readonly baseline: string
  /** Median of the rounds' ratios, the middle half of the ratios, and all of them. */
  readonly median: number
  readonly quartiles: readonly [number, number]
  readonly extremes: readonly [number, number]
  readonly rounds: number
  /** The required minimum, if there is one. */
  readonly target: number | undefined
}

export interface CompareOptions {
  readonly rounds?: number
  readonly milliseconds?: number
  readonly target?: number
  /** Runs before the measurement: code is slower in its first thousands of runs, and larger code for longer. */
  readonly warmUpMilliseconds?: number
}

/**
 * The rates of `contender` over those of `baseline`. Each round runs both, one directly after the other, in alternating
 * order. Other load on the machine then affects both, and only the ratio within a round counts.
 */
export async function compare(
  title: string,
  contender: Contender,
  baseline: Contender,
  { rounds = 15, milliseconds = 400, target, warmUpMilliseconds = milliseconds }: CompareOptions = {},
): Promise<Comparison> {
  for (const each of [contender, baseline]) await each.run(warmUpMilliseconds)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [contender, baseline] : [baseline, contender]
    const rates = new Map<Contender, number>()
    for (const each of order) rates.set(each, await rateOf(each, milliseconds))
    ratios.push(rates.get(contender)! / rates.get(baseline)!)
  }
  return summary(title, baseline.name, ratios, target)
}

export function summary(title: string, baseline: string, ratios: number[], target?: number): Comparison {
  const sorted = ratios.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)]!
  return {
    title,
    baseline,
    median: at(0.5),
    quartiles: [at(0.25), at(0.75)],
    extremes: [at(0), at(1)],
    rounds: sorted.length,
    target,
  }
}

async function rateOf(contender: Contender, milliseconds: number): Promise<number> {
  const began = performance.now()
  const done = await contender.run(milliseconds)
  return done / (performance.now() - began)
}

/** A contender that works once per turn, however long that takes. */
export function inTurns(name: string, once: () => Promise<unknown>): Contender {
  return {
    name,
    async run() {
      await once()
      return 1
    },
  }
}

/** Runs `once` repeatedly in `lanes` concurrent lanes until the time is over. */
export function inLanes(name: string, lanes: number, once: () => Promise<unknown>): Contender {
  return {
    name,
    async run(milliseconds) {
      const end = performance.now() + milliseconds
      let done = 0
      const lane = async () => {
        while (performance.now() < end) {
          await once()
          done += 1
        }
      }
      await Promise.all(Array.from({ length: lanes }, lane))
      return done
    },
  }
}

/** A Markdown table, as in docs/benchmarks.md. */
export function table(comparisons: readonly Comparison[]): string {
  const two = (value: number) => value.toFixed(2)
  const rows = comparisons.map(({ title, baseline, median, quartiles, extremes, rounds, target }) => {
    const aim = target === undefined ? '' : `≥ ${two(target)} ${median >= target ? 'held' : '**missed**'}`
    const spread = `${two(quartiles[0])}–${two(quartiles[1])} (${two(extremes[0])}–${two(extremes[1])})`
    return `| ${[title, baseline, `**${two(median)}**`, spread, rounds, aim].join(' | ')} |`
  })
  return [
    '| Measured | Baseline | Median ratio | Middle half (all) | Rounds | Target |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
