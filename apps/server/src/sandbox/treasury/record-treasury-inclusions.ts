import type { SandboxChain, SandboxParts } from '../parts.ts'
import { advanceSend } from './treasury-sends.ts'

/** The result of a send that is in a block. */
export interface Inclusion {
  readonly hash: string
  readonly blockNumber: number
  readonly succeeded: boolean
}

/** Finds which of these sends are in blocks, and records it. Throws CHAIN_UNAVAILABLE. */
export async function recordTreasuryInclusions(
  { db }: Pick<SandboxParts, 'db'>,
  { faultFree }: SandboxChain,
  hashes: readonly string[],
): Promise<Inclusion[]> {
  const lookups = await faultFree.findTransactions(hashes)
  const numbers = lookups.flatMap((lookup) => lookup?.blockNumber ?? [])
  const blocks = await Promise.all([...new Set(numbers)].map((number) => faultFree.block(number)))
  const inclusions = blocks.flatMap((block) => block?.transactions ?? []).filter(({ hash }) => hashes.includes(hash))
  for (const { hash, succeeded, blockNumber } of inclusions)
    await advanceSend(db, hash, { event: succeeded ? 'succeeded' : 'reverted', blockNumber })
  return inclusions.map(({ hash, blockNumber, succeeded }) => ({ hash, blockNumber, succeeded }))
}
