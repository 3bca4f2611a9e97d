import type { Token } from '../../chains/index.ts'
import type { StrategySeed, VenueSeed } from '../catalogue/seed-catalogue.ts'
import { keyOf, type ListedVenue, nameOf, paramsOf, providerOf } from './listed-venue.ts'

/** An entry that its chain confirmed, now or at an earlier start. */
export interface AcceptedVenue {
  readonly venue: ListedVenue
  readonly token: Pick<Token, 'symbol' | 'address' | 'decimals'>
  /** By role, as in `Strategy.params`. */
  readonly contracts: Readonly<Record<string, string>>
}

/** One venue for each chain, kind and provider. */
export function seedsOf(accepted: readonly AcceptedVenue[]): VenueSeed[] {
  const ordered = accepted.toSorted((a, b) => a.venue.index - b.venue.index)
  const groups = Map.groupBy(ordered, ({ venue }) => `listed:${venue.kind}:${venue.blockchain}:${providerOf(venue)}`)
  return [...groups].map(([key, own]): VenueSeed => {
    const { kind, blockchain } = own[0]!.venue
    return {
      key,
      name: providerOf(own[0]!.venue),
      protocol: kind,
      blockchain,
      iconUrl: null,
      strategies: own.map(strategySeed),
    }
  })
}

function strategySeed({ venue, token, contracts }: AcceptedVenue): StrategySeed {
  return {
    key: keyOf(venue),
    name: nameOf(venue, token.symbol),
    token: token.symbol,
    tokenAddress: token.address,
    tokenDecimals: token.decimals,
    minDeposit: 10n ** BigInt(token.decimals),
    maxDeposit: null,
    status: venue.status,
    // On Solana the fee payer is part of the bytes that the wallet signs.
    supportsGasSponsorship: venue.kind !== 'kamino',
    params: paramsOf(venue, contracts),
    listingSource: venue.source,
  }
}
