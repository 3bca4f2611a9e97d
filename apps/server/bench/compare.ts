/** Something that can be done again and again; its rate is what is compared. */
export interface Contender {
  readonly name: string
  /** Works for about so long and says how often it was done. */
  run(milliseconds: number): Promise<number>
}

/** How one contender's rate stands to another's, measured in turns. */
export interface Comparison {
  readonly title: string
  readonly baseline: string
  /** Median of the rounds' ratios, the middle half of them, and all of them. */
  readonly median: number
  readonly quartiles: readonly [number, number]
  readonly extremes: readonly [number, number]
  readonly rounds: number
  /** The least that is asked for, if anything is. */
  readonly target: number | undefined
}

export interface CompareOptions {
  readonly rounds?: number
  readonly milliseconds?: number
  readonly target?: number
  /** Before anything counts: code that runs the first thousands of times is slower, and larger code for longer. */
  readonly warmUpMilliseconds?: number
}

/**
 * Rates of `contender` over those of `baseline`. Each round runs both, one directly after the other and the order turned
 * every time, so that whatever else the machine does strikes both; only the ratio within a round counts.
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

/** Runs `once` in so many lanes at the same time until the time is over. */
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

/** A table for people: Markdown, as docs/benchmarks.md shows it. */
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
