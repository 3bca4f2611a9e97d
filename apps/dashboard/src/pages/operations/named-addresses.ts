import type { Schema } from '../../api/types.ts'

/** Addresses of an operation that a reader knows by name, in lower case where case means nothing. */
export type NamedAddresses = ReadonlyMap<string, string>

export const keyOf = (address: string): string => (address.startsWith('0x') ? address.toLowerCase() : address)

/** The wallet, the token, and contracts by the step that calls them: a spender should be one of these. */
export function namesIn({ opWallet, token, steps }: Schema<'CoreOperation'>): NamedAddresses {
  const contracts = steps.flatMap(({ calls = [] }, at) =>
    calls.filter(({ accounts }) => accounts === undefined).map(({ contract }) => [contract, at + 1] as const),
  )
  return new Map([
    ...contracts.map(([contract, step]) => [keyOf(contract), `Contract of step ${step}`] as const),
    [keyOf(token.mintAddress), token.symbol],
    [keyOf(opWallet.address), 'This wallet'],
  ])
}
