import { concatHex, getAddress, type Hex, numberToHex, slice, zeroAddress } from 'viem'
import type { ContractCode } from '../../port/families.ts'
import type { EvmContext } from '../context.ts'

/** `keccak256('eip1967.proxy.implementation') - 1`. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
/** `keccak256('eip1967.proxy.beacon') - 1`. */
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

/**
 * The code of contracts in the latest block, in address order, in one HTTP call. Nodes return whole code only, up to 24 kB
 * a contract, so a call that creates nothing asks the virtual machine for the hashes instead.
 */
export async function contractCode({ rpc }: EvmContext, addresses: readonly string[]): Promise<ContractCode[]> {
  if (addresses.length === 0) return []
  const slot = (at: string) => (address: string) =>
    rpc.request<Hex>('eth_getStorageAt', [getAddress(address), at, 'latest'])
  const [hashes, implementations, beacons] = await Promise.all([
    rpc.request<Hex>('eth_call', [{ data: hashesProgram(addresses) }, 'latest']),
    Promise.all(addresses.map(slot(IMPLEMENTATION_SLOT))),
    Promise.all(addresses.map(slot(BEACON_SLOT))),
  ])
  return addresses.map((_, index) => ({
    codeHash: slice(hashes, WORD * (index + 1), WORD * (index + 2)),
    implementation: addressIn(implementations[index]!),
    beacon: addressIn(beacons[index]!),
  }))
}

const WORD = 32
const [PUSH1, PUSH2, PUSH20, EXTCODEHASH, MSTORE, RETURN] = ['0x60', '0x61', '0x73', '0x3f', '0x52', '0xf3'] as const

/** A program that returns a word of zeros, because code may not start with 0xef, and then the hash of each address. */
function hashesProgram(addresses: readonly string[]): Hex {
  const stores = addresses.flatMap((address, index): Hex[] => [
    PUSH20,
    getAddress(address),
    EXTCODEHASH,
    PUSH2,
    numberToHex(WORD * (index + 1), { size: 2 }),
    MSTORE,
  ])
  const length = numberToHex(WORD * (addresses.length + 1), { size: 2 })
  return concatHex([...stores, PUSH2, length, PUSH1, '0x00', RETURN])
}

/** The address in the last 20 bytes of a word; `null` for zero. */
function addressIn(word: Hex): string | null {
  const address = getAddress(slice(numberToHex(BigInt(word), { size: WORD }), 12))
  return address === zeroAddress ? null : address
}
