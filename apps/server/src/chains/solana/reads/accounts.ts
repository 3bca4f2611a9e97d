import { SOLANA_ACCOUNTS_BATCH } from '../../../kernel/index.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { integerFrom, safeIntegerFrom } from '../../rpc/integer-from.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { Commitment, SolanaContext, SolanaRpcResponse } from '../context.ts'

interface WireAccount {
  readonly lamports: number
  readonly data: readonly [string, 'base64']
}

/** An account at a slot; `undefined` if it does not exist. */
export interface AccountSnapshot {
  readonly slot: number
  readonly account: { readonly lamports: bigint; readonly data: Buffer } | undefined
}

interface ReadingOptions {
  /** Reads only this part of the data. */
  readonly dataSlice?: { readonly offset: number; readonly length: number }
  /** The minimum slot of the node that serves the read. */
  readonly minContextSlot?: number
}

/** Accounts in address order, each with the slot that it was read at. One HTTP call per 100 × 100. */
export async function readAccounts(
  { rpc }: Pick<SolanaContext, 'rpc'>,
  addresses: readonly string[],
  commitment: Commitment,
  options: ReadingOptions = {},
): Promise<AccountSnapshot[]> {
  const parts: string[][] = []
  for (let from = 0; from < addresses.length; from += SOLANA_ACCOUNTS_BATCH)
    parts.push(addresses.slice(from, from + SOLANA_ACCOUNTS_BATCH))
  const responses = await Promise.all(
    parts.map((part) =>
      rpc.request<SolanaRpcResponse<(WireAccount | null)[]>>('getMultipleAccounts', [
        part,
        { commitment, encoding: 'base64', ...options },
      ]),
    ),
  )
  return decodeResult('getMultipleAccounts', () =>
    responses.flatMap(({ context, value }, index) => {
      if (value.length !== parts[index]!.length) throw requestRejected('getMultipleAccounts', 'accounts are missing')
      return value.map((account) => ({
        slot: safeIntegerFrom('slot', context.slot),
        account: account
          ? { lamports: integerFrom('lamports', account.lamports), data: Buffer.from(account.data[0], 'base64') }
          : undefined,
      }))
    }),
  )
}

/** The same, of a final state not older than the block of a slot. Throws CHAIN_UNAVAILABLE for a node behind it. */
export async function readAccountsSince(
  context: Pick<SolanaContext, 'rpc' | 'final'>,
  addresses: readonly string[],
  minSlot: number,
  options: Pick<ReadingOptions, 'dataSlice'> = {},
): Promise<AccountSnapshot[]> {
  const readings = await readAccounts(context, addresses, context.final, { ...options, minContextSlot: minSlot })
  for (const { slot } of readings)
    if (slot < minSlot) throw requestRejected('getMultipleAccounts', `the node is at slot ${slot}, before ${minSlot}`)
  return readings
}
