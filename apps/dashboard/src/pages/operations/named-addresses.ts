import type { Schema } from '../../api/types.ts'

/** Addresses of an operation that a reader knows by name, in lower case where case means nothing. */
export type NamedAddresses = ReadonlyMap<string, string>

export const keyOf = (address: string): string => (address.startsWith('0x') ? address.toLowerCase() : address)

type Calls = readonly Pick<Schema<'PlannedCall'>, 'contract' | 'accounts'>[]
interface NamingOperation {
  readonly opWallet: { readonly address: string }
  readonly token: { readonly symbol: string; readonly mintAddress: string }
  readonly strategy: { readonly name: string }
  readonly steps: readonly { readonly provider: { readonly name: string }; readonly calls?: Calls }[]
}

/** The venue, unless the strategy's name begins with it. */
const nameOf = (venue: string, strategy: string): string =>
  strategy.startsWith(venue) ? strategy : `${strategy} of ${venue}`

/** The wallet, the token, and the strategy's contracts by the step that calls them: a spender should be one of these. */
export function namesIn({ opWallet, token, steps, strategy }: NamingOperation): NamedAddresses {
  const contracts = steps.flatMap(({ calls = [], provider }, at) =>
    calls
      .filter(({ accounts }) => accounts === undefined)
      .map(({ contract }) => [keyOf(contract), `${nameOf(provider.name, strategy.name)}, step ${at + 1}`] as const),
  )
  return new Map([...contracts, [keyOf(token.mintAddress), token.symbol], [keyOf(opWallet.address), 'This wallet']])
}
