import type { TrackedAccounts } from '../port/wallet-activity.ts'
import { associatedTokenAddress } from './associated-token-address.ts'

/** The token accounts of tracked wallets, derived once: every round needs them. */
export interface TokenAccountIndex {
  /** In wallet order; for each wallet the accounts of all tokens. */
  accountsOf(known: Pick<TrackedAccounts, 'wallets' | 'tokens'>): Promise<string[]>
  /** The tracked wallet that an account belongs to. */
  ownerOf(account: string): string | undefined
}

export function createTokenAccountIndex(): TokenAccountIndex {
  let derived = new Map<string, string>()
  let owners: ReadonlyMap<string, string> = new Map()
  return {
    async accountsOf({ wallets, tokens }) {
      const pairs = wallets.flatMap((owner) => tokens.map((mint) => ({ owner, mint, key: `${owner} ${mint}` })))
      const found = await Promise.all(
        pairs.map(
          async ({ owner, mint, key }) =>
            [key, derived.get(key) ?? (await associatedTokenAddress(owner, mint))] as const,
        ),
      )
      derived = new Map(found)
      owners = new Map(found.map(([, account], index) => [account, pairs[index]!.owner]))
      return [...owners.keys()]
    },
    ownerOf: (account) => owners.get(account),
  }
}
