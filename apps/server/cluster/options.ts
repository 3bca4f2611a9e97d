import { parseArgs } from 'node:util'

export interface Options {
  /** Parts of the names of faults; empty: all. */
  readonly only: readonly string[]
  readonly list: boolean
  readonly keep: boolean
}

/** Throws for anything else. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  return values
}
