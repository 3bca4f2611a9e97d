import { parseArgs } from 'node:util'
import { CHAINS, type ChainKind } from './scenario.ts'

export interface Options {
  readonly first: number
  readonly count: number
  readonly steps: number
  readonly chain: ChainKind | undefined
  readonly log: boolean
  readonly broken: boolean
}

/** What `npm run simulate` was asked for. Throws one sentence about what it does not take. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '1000' },
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
  return {
    first: values.seed === undefined ? numberOf('from', values.from) : numberOf('seed', values.seed),
    count: values.seed === undefined ? numberOf('seeds', values.seeds) : 1,
    steps: numberOf('steps', values.steps),
    chain,
    log: values.log,
    broken: values.broken,
  }
}

/** Many times nothing would find nothing, and look like a success. */
function numberOf(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`--${name} is a whole number, and not ${text}`)
  return Number(text)
}
