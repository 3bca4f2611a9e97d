import type { TrackedAccounts } from '../../port/wallet-activity.ts'
import { associatedTokenAddress } from '../addresses/associated-token-address.ts'

/** The token accounts of tracked wallets, derived once: every round needs them. */
export interface TokenAccountIndex {
  /** In wallet order; for each wallet the accounts of all tokens. */
  accountsOf(known: KnownWallets): Promise<readonly string[]>
  /** The tracked wallet that an account belongs to. */
  ownerOf(account: string): string | undefined
}

type KnownWallets = Pick<TrackedAccounts, 'wallets' | 'tokens'>

export function createTokenAccountIndex(): TokenAccountIndex {
  let derived = new Map<string, string>()
  let owners: ReadonlyMap<string, string> = new Map()
  let last: { readonly known: KnownWallets; readonly accounts: readonly string[] } | undefined
  return {
    async accountsOf(known) {
      const { wallets, tokens } = known
      // Nearly every round: building the list again would cost more with each idle wallet.
      if (last && isSame(last.known.wallets, wallets) && isSame(last.known.tokens, tokens)) return last.accounts
      const pairs = wallets.flatMap((owner) => tokens.map((mint) => ({ owner, mint, key: `${owner} ${mint}` })))
      const found = await Promise.all(
        pairs.map(
          async ({ owner, mint, key }) =>
            [key, derived.get(key) ?? (await associatedTokenAddress(owner, mint))] as const,
        ),
      )
      derived = new Map(found)
      owners = new Map(found.map(([, account], index) => [account, pairs[index]!.owner]))
      last = { known: { wallets, tokens }, accounts: [...owners.keys()] }
      return last.accounts
    },
    ownerOf: (account) => owners.get(account),
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])
