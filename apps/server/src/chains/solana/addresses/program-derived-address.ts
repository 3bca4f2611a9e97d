import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/addresses'

/** A seed of a derived address: bytes chosen by the program, or another address. */
export type AddressSeed = Uint8Array | { readonly address: string }

/** The address that a program derives from these seeds. Takes a few hundred microseconds. */
export async function programDerivedAddress(program: string, seeds: readonly AddressSeed[]): Promise<string> {
  const { encode } = getAddressEncoder()
  const bytes = seeds.map((seed) => ('address' in seed ? encode(seed.address as Address) : seed))
  const [address] = await getProgramDerivedAddress({ programAddress: program as Address, seeds: bytes })
  return address
}
