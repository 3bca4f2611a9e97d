import { parseArgs } from 'node:util'
import { CHAINS, type ChainKind } from './scenario.ts'

export interface Options {
  readonly first: number
  readonly count: number
  readonly steps: number
  readonly chain: ChainKind | undefined
  readonly log: boolean
  readonly broken: boolean
  /** With `broken`, and only if `--seeds` was given: of how many seeds the shortest is looked for. */
  readonly shortestOf: number | undefined
}

/** Parses the arguments of `npm run simulate`. Throws one sentence about an invalid one. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      steps: { type: 'string', default: '200' },
      log: { type: 'boolean', default: false },
      chain: { type: 'string' },
      broken: { type: 'boolean', default: false },
    },
  })
  const chain = CHAINS.find((kind) => kind === values.chain)
  if (values.chain !== undefined && !chain) throw new Error(`--chain is one of ${CHAINS.join(', ')}`)
  const seeds = values.seeds === undefined ? undefined : numberOf('seeds', values.seeds)
  return {
    first: values.seed === undefined ? numberOf('from', values.from) : numberOf('seed', values.seed),
    count: values.seed === undefined ? (seeds ?? 1_000) : 1,
    steps: numberOf('steps', values.steps),
    chain,
    log: values.log,
    broken: values.broken,
    shortestOf: values.broken ? seeds : undefined,
  }
}

/** Rejects zero: a run without seeds or steps finds nothing and looks like a success. */
function numberOf(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${name} is a whole number, and not ${text}`)
  return Number(text)
}
