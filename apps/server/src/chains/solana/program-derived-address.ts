import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/addresses'

/** A part of what an address is derived from: bytes that a program names, or another address. */
export type AddressSeed = Uint8Array | { readonly address: string }

/** The address that a program gives to what these seeds name. Costs some hundred microseconds. */
export async function programDerivedAddress(program: string, seeds: readonly AddressSeed[]): Promise<string> {
  const { encode } = getAddressEncoder()
  const bytes = seeds.map((seed) => ('address' in seed ? encode(seed.address as Address) : seed))
  const [address] = await getProgramDerivedAddress({ programAddress: program as Address, seeds: bytes })
  return address
}
