import { aaveV3 } from './aave-v3/index.ts'
import { compoundV3 } from './compound-v3/index.ts'
import { cooldownVault } from './cooldown-vault/index.ts'
import { erc4626 } from './erc4626/index.ts'
import { erc7540 } from './erc7540/index.ts'
import { jupiterLend } from './jupiter-lend/index.ts'
import { kamino } from './kamino/index.ts'
import type { Venue } from './port.ts'
import { shareVault } from './share-vault/index.ts'
import { unknownVenue } from './unknown-venue.ts'

const VENUES: ReadonlyMap<string, Venue> = new Map(
  [aaveV3, compoundV3, erc4626, erc7540, cooldownVault, shareVault, kamino, jupiterLend].map((venue) => [
    venue.protocol,
    venue,
  ]),
)

/** Protocols whose withdrawals are requested and claimed later. */
export const EXIT_PROTOCOLS: readonly string[] = [...VENUES.values()]
  .filter(({ exits }) => exits !== undefined)
  .map(({ protocol }) => protocol)

/** Whether this version implements a protocol. A later version may have added others to the catalogue. */
export const knowsProtocol = (protocol: string): boolean => VENUES.has(protocol)

/** The venue of a protocol; one that reads nothing where only a later version knows it. */
export function venueFor(protocol: string): Venue {
  return VENUES.get(protocol) ?? unknownVenue(protocol)
}
