import { requestRejected } from '../rpc/rpc.ts'
import type { Commitment, SolanaContext, SolanaRpcResponse } from './context.ts'

/** So many accounts are told in one answer. */
const ACCOUNTS_MAX = 100

interface WireAccount {
  readonly lamports: number
  readonly data: readonly [string, 'base64']
}

/** An account at a slot; `undefined` when there is none. */
export interface AccountSnapshot {
  readonly slot: number
  readonly account: { readonly lamports: bigint; readonly data: Buffer } | undefined
}

interface ReadingOptions {
  /** Only this part of the data. */
  readonly dataSlice?: { readonly offset: number; readonly length: number }
  /** No node that is behind this slot may answer. */
  readonly minContextSlot?: number
}

/** Accounts in the order asked, each with the slot that it was read at. One HTTP call per 100 × 100. */
export async function readAccounts(
  { rpc }: Pick<SolanaContext, 'rpc'>,
  addresses: readonly string[],
  commitment: Commitment,
  options: ReadingOptions = {},
): Promise<AccountSnapshot[]> {
  const parts: string[][] = []
  for (let from = 0; from < addresses.length; from += ACCOUNTS_MAX)
    parts.push(addresses.slice(from, from + ACCOUNTS_MAX))
  const answers = await Promise.all(
    parts.map((part) =>
      rpc.request<SolanaRpcResponse<(WireAccount | null)[]>>('getMultipleAccounts', [
        part,
        { commitment, encoding: 'base64', ...options },
      ]),
    ),
  )
  return answers.flatMap(({ context, value }, index) => {
    if (value.length !== parts[index]!.length) throw requestRejected('getMultipleAccounts', 'accounts are missing')
    return value.map((account) => ({
      slot: context.slot,
      account: account
        ? { lamports: BigInt(account.lamports), data: Buffer.from(account.data[0], 'base64') }
        : undefined,
    }))
  })
}
