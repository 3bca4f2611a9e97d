import type { SvmBlock } from '../families.ts'
import type { BalanceQuery } from '../port.ts'
import { refused } from '../rpc/rpc.ts'
import { type AccountReading, readAccounts } from './accounts.ts'
import { tokenAccountOf } from './associated-token.ts'
import { heldBefore, lastChange } from './blocks.ts'
import type { SolanaContext } from './context.ts'

/** So far back a balance is told: further, the blocks in between would be too many to ask for. */
const SLOTS_BACK_MAX = 150
/** Where a token account keeps its amount. */
const AMOUNT_AT = 64

/**
 * Balances in base units, in the order asked: of tokens, what the owner's associated account holds; of the native coin,
 * lamports, which are only told of the latest state.
 *
 * No node reads a past slot. What block `at` touched, it tells itself; the rest is read now and taken back through the
 * blocks since then, so that it is exact (money-rules 7). Throws CHAIN_UNAVAILABLE where that cannot be done.
 */
export async function balances(context: SolanaContext, asked: readonly BalanceQuery[], at?: number): Promise<bigint[]> {
  const accounts = await Promise.all(
    asked.map(({ owner, token }) => (token === 'native' ? owner : tokenAccountOf(owner, token))),
  )
  const block = at === undefined ? undefined : await blockAt(context, at)
  const told = accounts.map((account, index) =>
    block && asked[index]!.token !== 'native' ? lastChange(block, account) : undefined,
  )
  const missing = accounts.filter((_, index) => told[index] === undefined)
  const commitment = at === undefined ? 'confirmed' : context.final
  const readings = (missing.length === 0 ? [] : await readAccounts(context, missing, commitment)).values()
  const found: bigint[] = []
  for (const [index, { token }] of asked.entries()) {
    const reading = told[index] === undefined ? readings.next().value! : undefined
    if (reading === undefined) found.push(told[index]!)
    else if (token === 'native') found.push(reading.account?.lamports ?? 0n)
    else found.push(await takenBack(context, accounts[index]!, reading, at))
  }
  return found
}

async function takenBack(
  context: SolanaContext,
  account: string,
  { slot, account: read }: AccountReading,
  at: number | undefined,
): Promise<bigint> {
  const now = read === undefined || read.data.length < AMOUNT_AT + 8 ? 0n : read.data.readBigUInt64LE(AMOUNT_AT)
  if (at === undefined || slot === at) return now
  if (slot < at) throw refused('getMultipleAccounts', `the node is at slot ${slot}, before ${at}`)
  for (const block of await blocksBetween(context, at, slot)) {
    const before = heldBefore(block, account)
    if (before !== undefined) return before
  }
  return now
}

/** The blocks after one slot, up to another. */
async function blocksBetween({ blocks }: SolanaContext, after: number, upTo: number): Promise<SvmBlock[]> {
  if (upTo - after > SLOTS_BACK_MAX) throw refused('getMultipleAccounts', `slot ${after} is too long ago`)
  const between: SvmBlock[] = []
  for (let slot = after + 1; slot <= upTo; ) {
    const block = await blocks.from(slot)
    if (!block) throw refused('getBlock', `the block of slot ${slot} is not there yet`)
    if (block.number <= upTo) between.push(block)
    slot = block.number + 1
  }
  return between
}

async function blockAt({ blocks }: SolanaContext, slot: number): Promise<SvmBlock> {
  const block = await blocks.from(slot)
  if (block?.number !== slot) throw refused('getBlock', `there is no block in slot ${slot}`)
  return block
}
