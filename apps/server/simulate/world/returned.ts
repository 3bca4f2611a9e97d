import type { ChainLog } from '../../src/chains/index.ts'

/** Where the last event of a vault's withdrawal has what its call returns: shares, or the amount that it paid. */
const PLACES: Readonly<Record<string, number>> = { '0xb460af94': 66, '0xba087652': 2 }

/** What a call returns by its events; `undefined`: nothing that a plan looks at. Deposits leave it to the chain. */
export function returnedBy(data: string, logs: readonly ChainLog[]): bigint | undefined {
  const at = PLACES[data.slice(0, 10)]
  const last = logs.at(-1)
  return at === undefined || !last ? undefined : BigInt(`0x${last.data.slice(at, at + 64)}`)
}
